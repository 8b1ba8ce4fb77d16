import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coveringPaths, TOP } from '../../../src/scheduler/claims/touched-paths.ts'

const cases: { name: string; paths: string[]; limit: number; covering: string[] }[] = [
  { name: 'few paths stay what they are, in order', paths: ['b', 'a/x', 'b'], limit: 2, covering: ['a/x', 'b'] },
  { name: 'nothing', paths: [], limit: 3, covering: [] },
  {
    name: 'the deepest folder stands for its files',
    paths: ['gen/x/1', 'gen/x/2', 'gen/y', 'top.md'],
    limit: 3,
    covering: ['gen/x/', 'gen/y', 'top.md'],
  },
  {
    name: 'a folder with a single path is named last',
    paths: ['a/b/c/d/1', 'src/1', 'src/2', 'src/3'],
    limit: 2,
    covering: ['a/b/c/d/1', 'src/'],
  },
  { name: 'folders of folders', paths: ['p/a/x', 'p/b/x', 'p/c/x'], limit: 1, covering: ['p/'] },
  { name: 'everything', paths: ['a', 'b', 'c'], limit: 2, covering: ['./'] },
  {
    name: 'what a folder covers is not listed beside it',
    paths: ['a/', 'a/x', 'ab'],
    limit: 9,
    covering: ['a/', 'ab'],
  },
]

for (const { name, paths, limit, covering } of cases)
  test(name, () => assert.deepEqual(coveringPaths(paths, limit), covering))

const path = fc
  .array(fc.constantFrom('a', 'b', 'c', 'src'), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'))

test('never more than the limit, and every path is covered', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (paths, limit) => {
      const covering = coveringPaths(paths, limit)
      assert.ok(covering.length <= limit)
      for (const one of paths)
        assert.ok(
          covering.some((path) => path === one || path === TOP || isIn(path, one)),
          one,
        )
    }),
  )
})

test('a hundred thousand paths take no time worth mentioning', () => {
  const paths = Array.from({ length: 100_000 }, (_, n) => `packages/p${n % 997}/src/${n % 31}/f${n}.ts`)
  assert.deepEqual(coveringPaths(paths, 200), ['packages/'])
})

function isIn(folder: string, path: string): boolean {
  return folder.endsWith('/') && path.startsWith(folder)
}
