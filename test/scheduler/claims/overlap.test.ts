import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import picomatch from 'picomatch'
import { overlaps } from '../../../src/scheduler/claims/overlap.ts'

const MEET: [string, string][] = [
  ['src/a.ts', 'src/a.ts'],
  ['src', 'src/a.ts'],
  ['src/', './src/deep/er/x'],
  ['src/**', 'src/a.ts'],
  ['**', 'anything/at/all'],
  ['src/*.ts', 'src/a.ts'],
  ['src/*.ts', 'src/*a*'],
  ['src/**/test/*', 'src/a/b/test/x'],
  ['**/package.json', 'apps/web/package.json'],
  ['a/**/c', 'a/b/**'],
  ['db/{one,two}.sql', 'db/two.sql'],
  ['src/[ab].ts', 'src/b.ts'],
  ['src/?.ts', 'src/b.ts'],
  ['src/!(x).ts', 'src/y.ts'],
  ['!src/x', 'src/y'],
  ['a*b', '*ab*b'],
  ['packages/*', 'packages/web/src/index.ts'],
  ['src/a.ts/', 'src/a.ts/below'],
  ['**/*.md', 'docs'],
]

const APART: [string, string][] = [
  ['**/package.json', '**/tsconfig.json'],
  ['src/**/*.md', 'src/**/*.ts'],
  ['src/**/a.ts', 'src/**/b.ts'],
  ['src/a.ts', 'src/b.ts'],
  ['src', 'source'],
  ['src/*.ts', 'src/*.js'],
  ['src/*.ts', 'src/deep/a.ts'],
  ['docs/**', 'src/**'],
  ['a/*/c', 'a/b/d'],
  ['db/{one,two}.sql', 'db/three.sql'],
  ['src/??.ts', 'src/b.ts'],
  ['x*', 'y*'],
]

for (const [a, b] of MEET)
  test(`${a} and ${b} can match the same path`, () => {
    assert.ok(overlaps(a, b))
    assert.ok(overlaps(b, a))
  })

for (const [a, b] of APART)
  test(`${a} and ${b} never match the same path`, () => {
    assert.ok(!overlaps(a, b))
    assert.ok(!overlaps(b, a))
  })

const segment = fc.constantFrom('a', 'b', 'ab', '*', 'a*', '*b', '?', '[ab]', '{a,b}', '**')
const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const path = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'ba', 'x'), { minLength: 1, maxLength: 5 })
  .map((p) => p.join('/'))

test('patterns that match a common path always overlap', () => {
  fc.assert(
    fc.property(pattern, pattern, path, (a, b, p) => {
      const below = (glob: string) => picomatch([glob, `${glob}/**`], { dot: true })
      if (below(a)(p) && below(b)(p)) assert.ok(overlaps(a, b), `${a} and ${b} both match ${p}`)
    }),
    { numRuns: 5000 },
  )
})

test('a pattern with thousands of alternatives is taken to match anything instead of being expanded', () => {
  const bomb = `${'{a,b}'.repeat(20)}/x`
  assert.ok(overlaps(bomb, 'whatever'))
})
