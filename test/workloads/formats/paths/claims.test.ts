import assert from 'node:assert/strict'
import { test } from 'node:test'
import { covers, toClaims } from '../../../../src/scheduler/claims/overlap.ts'
import { claimsOf } from '../../../../src/workloads/formats/claims-from-paths.ts'

test('paths as people write them', () => {
  const cases: [written: string, claim: string][] = [
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['`src/a.ts`', 'src/a.ts'],
    ['src/a.ts:12-20', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['src/../lib/a.ts', 'lib/a.ts'],
    ['src/**', 'src/**'],
    ['.', '**'],
  ]
  for (const [written, claim] of cases) assert.deepEqual(claimsOf({ write: [written], read: [] }), { claims: [claim] })
})

test('a path with brackets is a path, not a pattern', () => {
  const { claims } = claimsOf({ write: ['app/[id]/page.tsx'], read: [] })
  const compiled = toClaims({ write: claims as string[], read: [] })
  assert.ok(covers(compiled, 'app/[id]/page.tsx'))
  assert.ok(!covers(compiled, 'app/i/page.tsx'))
})

test('what is written need not be named among what is read', () => {
  const claims = { write: ['a'], read: ['b'] }
  assert.deepEqual(claimsOf({ write: ['a', 'a', ''], read: ['a', 'b'] }), { claims })
  assert.deepEqual(claimsOf({ write: [], read: ['/etc/x'] }), {})
})

test('what is outside of the repository is no claim', () => {
  for (const path of ['/etc/x', '~/x', '../x', 'C:\\x', 'a/../../x'])
    assert.deepEqual(Object.keys(claimsOf({ write: [path], read: [] })), ['outside'], path)
})
