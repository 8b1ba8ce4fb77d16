import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factOf, NewerJournal, type UpcastSteps } from '../../src/store/row.ts'

const steps: UpcastSteps = [
  (fact) => ({ ...fact, task: `${fact.task}-2` }),
  ({ type: _, ...rest }) => ({ type: 'renamed', ...rest }),
]

test('a fact goes through every step since the version that wrote it', () => {
  const data = '{"type":"old","task":"a"}'
  const read = (version: number) => factOf({ version, data }, 'event 1', steps)
  assert.deepEqual(read(1), { type: 'renamed', task: 'a-2' })
  assert.deepEqual(read(2), { type: 'renamed', task: 'a' })
  assert.deepEqual(read(3), { type: 'old', task: 'a' })
  assert.throws(() => read(4), NewerJournal)
  assert.deepEqual(factOf({ version: 1, data }, 'event 1', []), { type: 'old', task: 'a' })
})
