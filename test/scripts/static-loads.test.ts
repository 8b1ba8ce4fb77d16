import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staticLoads } from '../../scripts/static-loads.ts'
import { temporaryFolder, write } from '../rig/repository.ts'

test('what a file loads: its imports and theirs, without types and without what is loaded when it is needed', async () => {
  await using folder = await temporaryFolder()
  const files = {
    'src/main.ts':
      "import { a } from './a/a.ts'\nimport type { T } from './types.ts'\nconst later = () => import('./later.ts')",
    'src/a/a.ts': "export { b } from '../b.ts'\nexport type { U } from '../types.ts'\nimport { join } from 'node:path'",
    'src/b.ts': "import './a/a.ts'",
    'src/types.ts': '',
    'src/later.ts': '',
  }
  for (const [name, text] of Object.entries(files)) await write(folder.at(name), text)
  assert.deepEqual(staticLoads(folder.path, ['src/main.ts']), ['src/a/a.ts', 'src/b.ts', 'src/main.ts'])
})

test('importing a value that is called type is no import of types', async () => {
  await using folder = await temporaryFolder()
  await write(folder.at('src/main.ts'), "import { type T, a } from './a.ts'\nimport type from './b.ts'")
  for (const name of ['a', 'b']) await write(folder.at(`src/${name}.ts`), '')
  assert.deepEqual(staticLoads(folder.path, ['src/main.ts']), ['src/a.ts', 'src/b.ts', 'src/main.ts'])
})
