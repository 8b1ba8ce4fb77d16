import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ID_PATTERN } from '../../../src/task.ts'
import { OwnIds } from '../../../src/workloads/formats/plan-draft.ts'

test('ids of other formats become ids of this one', () => {
  const cases = {
    12: 'task-12',
    '1.2a': 'task-1-2a',
    'bd-a1b2': 'bd-a1b2',
    T012: 't012',
    'Où ça?': 'ou-ca',
    '…': 'task',
  }
  for (const [native, own] of Object.entries(cases)) assert.equal(new OwnIds('task').of(native), own)
})

test('two that look alike are told apart by a number, the same ones never', () => {
  const ids = new OwnIds('task')
  assert.deepEqual(
    ['A.1', 'a-1', 'A 1', 'a-1-2', 'A.1'].map((id) => ids.of(id)),
    ['a-1', 'a-1-2', 'a-1-3', 'a-1-2-2', 'a-1'],
  )
})

test('whatever the ids are, theirs are possible here and different from each other', () => {
  const natives = fc.uniqueArray(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 60, maxLength: 80 })))
  fc.assert(
    fc.property(natives, (list) => {
      const ids = new OwnIds('task')
      const own = list.map((native) => ids.of(native))
      for (const id of own) assert.match(id, ID_PATTERN)
      assert.equal(new Set(own).size, list.length)
    }),
  )
})
