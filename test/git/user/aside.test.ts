import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Aside } from '../../../src/git/user/land-into.ts'
import { temporaryFolder } from '../../rig/repository.ts'

test('a file that was replaced comes back, and no second name is left', async () => {
  await using folder = await temporaryFolder()
  const [replaced, same] = [folder.at('replaced'), folder.at('same')]
  for (const path of [replaced, same]) writeFileSync(path, 'mine')
  {
    await using aside = await Aside.of([replaced, same])
    writeFileSync(folder.at('other'), 'by git')
    renameSync(folder.at('other'), replaced)
    await aside?.restore()
  }
  assert.deepEqual(
    [replaced, same].map((path) => readFileSync(path, 'utf8')),
    ['mine', 'mine'],
  )
  assert.deepEqual(readdirSync(folder.path), ['replaced', 'same'])
})

test('what cannot be linked is not half linked', async () => {
  await using folder = await temporaryFolder()
  writeFileSync(folder.at('a'), '')
  assert.equal(await Aside.of([folder.at('a'), folder.at('missing')]), null)
  assert.deepEqual(readdirSync(folder.path), ['a'])
})
