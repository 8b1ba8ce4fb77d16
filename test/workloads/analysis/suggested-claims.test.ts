import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { covers, toClaims } from '../../../src/scheduler/claims/overlap.ts'
import { learnedClaims } from '../../../src/workloads/analysis/suggested-claims.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

const cases: { name: string; paths: string[]; patterns: string[] }[] = [
  { name: 'nothing', paths: [], patterns: [] },
  { name: 'a file is itself', paths: ['src/api/a.ts'], patterns: ['src/api/a.ts'] },
  { name: 'files of one folder are the folder', paths: ['src/api/a.ts', 'src/api/b.ts'], patterns: ['src/api/**'] },
  { name: 'files at the top stay files', paths: ['a.md', 'b.md', 'c.md'], patterns: ['a.md', 'b.md', 'c.md'] },
  {
    name: 'a folder at the top is much for a few files',
    paths: ['src/a.ts', 'src/b.ts', 'test/a.ts'],
    patterns: ['src/a.ts', 'src/b.ts', 'test/a.ts'],
  },
  { name: 'but not for many', paths: ['docs/1', 'docs/2', 'docs/3', 'docs/4'], patterns: ['docs/**'] },
  { name: 'a folder covers what is below it', paths: ['x/y/1', 'x/y/2', 'x/y/z/3'], patterns: ['x/y/**'] },
  { name: 'a folder that stands for many', paths: ['src/gen/', 'a'], patterns: ['a', 'src/gen/**'] },
  {
    name: 'names that look like patterns',
    paths: ['app/[id]/page.tsx', 'x*'],
    patterns: ['app/\\[id]/page.tsx', 'x\\*'],
  },
  {
    name: 'many places become few',
    paths: Array.from({ length: 12 }, (_, n) => `packages/p${n}/package.json`),
    patterns: ['packages/**'],
  },
  { name: 'all over the place: no claim helps', paths: Array.from({ length: 12 }, (_, n) => `f${n}`), patterns: [] },
]

const task = (id: string, write: string[] = [], read: string[] = []) => ({ id, claims: { write, read } })
const seen = (...paths: string[]) => ({ paths, count: paths.length, run: 'shop-1' })

/** Offered to a task that claims nothing. */
function offered(paths: string[]): string[] {
  return learnedClaims([task('a')], new Map([['a', seen(...paths)]]))[0]?.claims.write ?? []
}

for (const { name, paths, patterns } of cases) test(name, () => assert.deepEqual(offered(paths), patterns))

const character = fc.constantFrom(...'ab.*?[]{}!~@+(),\\- '.split(''))
const name = fc
  .string({ unit: character, minLength: 1, maxLength: 6 })
  .filter((text) => text !== '.' && text !== '..' && text.trim() !== '')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))

test('what is offered is a claim that a plan can have, and covers every path', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 12 }), (paths) => {
      const patterns = offered(paths)
      if (patterns.length === 0) return
      assert.ok(patterns.length <= 8)
      const text = JSON.stringify({ tasks: [{ id: 'a', run: 'true', claims: patterns }] })
      const read = readPlan(text, 'plan.json', DEFAULT_SETTINGS)
      assert.ok(read.ok, JSON.stringify(read))
      const claims = toClaims({ write: patterns, read: [] })
      for (const one of paths) assert.ok(covers(claims, one), `${JSON.stringify(patterns)} does not cover ${one}`)
    }),
    { numRuns: 2000 },
  )
})

test('offered to those who claimed nothing or too little, with what they claim already', () => {
  const tasks = [task('none'), task('narrow', ['src/a/**'], ['docs']), task('fits', ['src']), task('unknown')]
  const known = new Map([
    ['none', seen('src/api/a.ts', 'src/api/b.ts')],
    ['narrow', seen('src/a/x.ts', 'package.json')],
    ['fits', seen('src/deep/x.ts')],
  ])
  assert.deepEqual(
    learnedClaims(tasks, known).map(({ task, claims }) => [task, claims]),
    [
      ['none', { write: ['src/api/**'], read: [] }],
      ['narrow', { write: ['src/a/**', 'package.json'], read: ['docs'] }],
    ],
  )
})
