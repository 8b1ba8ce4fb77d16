import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { BUDGET, measureWeight, overBudget } from '../../scripts/weight.ts'

function weightOf(tree: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'espalier-weight-'))
  try {
    for (const folder of ['src', 'dashboard/src', 'scripts', 'bench', 'bin', 'docs/examples', 'examples'])
      mkdirSync(join(root, folder), { recursive: true })
    for (const [file, code] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), code)
    }
    return measureWeight(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

test('lines, exports and types are counted; comments and strings hold none', () => {
  const { figures } = weightOf({
    'src/a/one.ts':
      "type Inner = 1\nexport type Outer = Inner\nexport const text = 'export const no = 1'\n// export const no = 1\n",
    'src/two.ts': 'export async function go() {}\nconst a = 1, b = 2\nexport { a, b as c }\n',
  })
  assert.equal(figures.lines, 7)
  assert.equal(figures.exports, 5)
  assert.equal(figures['named types'], 2)
})

test('an export that no file of the program imports is listed, one that a script or the dashboard uses is not', () => {
  const { onlyInTests } = weightOf({
    'src/a/one.ts': 'export const used = 1\nexport const unused = 2\nexport const drawn = 3\n',
    'src/a/two.ts': "import { used } from './one.ts'\n",
    'dashboard/src/page.tsx': "import { drawn } from '../../src/a/one.ts'\n",
    'src/index.ts': 'export const library = 1\n',
  })
  assert.deepEqual(onlyInTests, ['src/a/one.ts: unused'])
})

test('of a file that is imported when it is needed only the names count that are taken from it', () => {
  const { onlyInTests } = weightOf({
    'src/a/one.ts': 'export const first = 1\nexport const second = 2\nexport const third = 3\n',
    'src/a/two.ts': "const { first } = await import('./one.ts')\n",
    'src/a/three.ts': "const load = () => import('./one.ts') // third\n(await load()).second\n",
  })
  assert.deepEqual(onlyInTests, ['src/a/one.ts: third'])
})

test('a type name that two files export is listed once', () => {
  const { ofTwoFiles } = weightOf({
    'src/a.ts': 'export type Same = 1\n',
    'src/b.ts': 'export type Same = 2\nexport type Other = 1\n',
  })
  assert.deepEqual(ofTwoFiles, ['Same'])
})

test('a figure above its budget is named with the budget', () => {
  const weight = weightOf({ 'src/a.ts': '\n'.repeat(BUDGET.lines + 1) })
  assert.deepEqual(overBudget(weight), [
    `${BUDGET.lines + 1} lines: the budget in scripts/weight.ts is ${BUDGET.lines}`,
  ])
})
