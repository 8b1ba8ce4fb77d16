import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { covers, overlaps, toClaims } from '../../../src/scheduler/claims/overlap.ts'
import { touchedBy } from '../../../src/scheduler/claims/touched-paths.ts'

const cases: { name: string; write?: string[]; read?: string[]; paths: string[]; undeclared: string[] }[] = [
  {
    name: 'a folder covers everything below it',
    write: ['src'],
    paths: ['src/a/b.ts', 'source'],
    undeclared: ['source'],
  },
  {
    name: 'a pattern covers what it matches',
    write: ['src/*.ts'],
    paths: ['src/a.ts', 'src/a/b.ts'],
    undeclared: ['src/a/b.ts'],
  },
  {
    name: 'alternatives',
    write: ['db/{one,two}.sql'],
    paths: ['db/two.sql', 'db/three.sql'],
    undeclared: ['db/three.sql'],
  },
  { name: 'everything', write: ['.'], paths: ['a', 'b/c'], undeclared: [] },
  { name: 'to read is not to write', read: ['docs/**'], paths: ['docs/a.md'], undeclared: ['docs/a.md'] },
  { name: 'who claims nothing has nothing undeclared', paths: ['a'], undeclared: [] },
  {
    name: 'the name of a file is no pattern',
    write: ['app/x/**'],
    paths: ['app/[id]/a.ts', 'app/*/b', 'app/{x,y}'],
    undeclared: ['app/*/b', 'app/[id]/a.ts', 'app/{x,y}'],
  },
  { name: 'a name with brackets can be claimed', write: ['app/\\[id]/**'], paths: ['app/[id]/a.ts'], undeclared: [] },
]

for (const { name, write = [], read = [], paths, undeclared } of cases)
  test(name, () => {
    const found = touchedBy({ write, read }, paths)
    assert.deepEqual(found.touched, { paths: [...paths].sort(), count: paths.length })
    assert.deepEqual(found.undeclared?.paths ?? [], undeclared)
    assert.equal(found.undeclared?.count ?? 0, undeclared.length)
  })

test('who changed nothing has touched nothing', () => assert.deepEqual(touchedBy({ write: ['a'], read: [] }, []), {}))

test('thousands of paths are told as the folders they are in, and counted one by one', () => {
  const paths = Array.from({ length: 5_000 }, (_, n) => `gen/${n % 3}/${n}.ts`)
  const { undeclared } = touchedBy({ write: ['src'], read: [] }, paths)
  assert.deepEqual(undeclared, { paths: ['gen/0/', 'gen/1/', 'gen/2/'], count: 5_000 })
})

const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '?', '[ab]', '{a,b}', '**')
const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'x'), { minLength: 1, maxLength: 4 }).map((p) => p.join('/'))

test('what a claim covers it also keeps others away from', () => {
  fc.assert(
    fc.property(pattern, path, (claim, one) => {
      const covered = covers(toClaims({ write: [claim], read: [] }), one)
      if (covered) assert.ok(overlaps(claim, one), `${claim} covers ${one}`)
    }),
    { numRuns: 2000 },
  )
})
