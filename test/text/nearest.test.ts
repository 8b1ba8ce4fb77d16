import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nearest, suggestion } from '../../src/text/nearest.ts'

test('a mistyped name finds the one that was meant', () => {
  const names = ['needs', 'title', 'retries', 'prompt', 'isolation']
  const found = ['need', 'tilte', 'retires', 'Prompt', 'isolatoin', 'xyz', ''].map((name) => nearest(name, names))
  assert.deepEqual(found, ['needs', 'title', 'retries', 'prompt', 'isolation', null, null])
})

test('a name is never suggested for itself, and one that only looks like it is told by its odd character', () => {
  const said = ['a', 'a\u200b', '\u0430', 'b', 'xyz'].map((name) => suggestion(name, ['a']))
  const plain = '; did you mean `a`'
  assert.deepEqual(said, ['', `${plain}, without U+200B?`, `${plain}, without U+0430?`, `${plain}?`, ''])
})

test('the closest wins, the first of equals', () => {
  assert.equal(nearest('task-1', ['task-12', 'task-2', 'tusk-1']), 'task-12')
  assert.equal(nearest('schemas', ['schemata', 'schema']), 'schema')
})

test('the distance is that of the plain definition wherever it is close enough', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(words, words, (a, b) => {
      const allowed = Math.min(3, Math.ceil(a.length / 3))
      assert.equal(nearest(a, [b]) === b, plainDistance(a, b) <= allowed)
    }),
    { numRuns: 2_000 },
  )
})

function plainDistance(a: string, b: string): number {
  const table: number[][] = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      const row = table[i]
      if (row) row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped)
    }
  }
  return at(a.length, b.length)
}
