import assert from 'node:assert/strict'
import { test } from 'node:test'
import { journalVersion, UPCASTS, type UpcastStep, upcast } from '../../src/store/upcast.ts'

const steps: UpcastStep[] = [
  (fact) => ({ ...fact, task: `${fact.task}-2` }),
  ({ type: _, ...rest }) => ({ type: 'renamed', ...rest }),
]

test('a fact goes through every step since the version that wrote it', () => {
  const fact = { type: 'old', task: 'a' }
  assert.deepEqual(upcast(fact, 1, steps), { type: 'renamed', task: 'a-2' })
  assert.deepEqual(upcast(fact, 2, steps), { type: 'renamed', task: 'a' })
  assert.deepEqual(upcast(fact, 3, steps), fact)
  assert.deepEqual(fact, { type: 'old', task: 'a' })
})

test('the version grows with every step', () => {
  assert.equal(journalVersion([]), 1)
  assert.equal(journalVersion(steps), 3)
  assert.equal(journalVersion(), UPCASTS.length + 1)
})
