import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignWaves } from '../../../src/scheduler/dispatch/waves.ts'
import { planOf } from '../plan-rig.ts'

const claims = ['src/a.ts']

test('of tasks that claim the same, the higher priority is in the earlier wave', () => {
  const plan = planOf(
    { id: 'low', priority: -10, claims },
    { id: 'high', priority: 10, claims },
    { id: 'free', priority: -10 },
    { id: 'usual', claims },
    { id: 'same', claims },
  )
  assert.deepEqual(assignWaves(plan), [3, 0, 0, 1, 2])
})

test('what is needed comes first, whatever its priority; behind it the priority counts again', () => {
  const plan = planOf(
    { id: 'first', priority: -20, claims },
    { id: 'other', priority: -10, claims },
    { id: 'last', priority: 20, needs: ['first'], claims },
    { id: 'apart', priority: -30, claims },
  )
  assert.deepEqual(assignWaves(plan), [1, 0, 2, 3])
})

test('tasks that share a worktree have the highest priority of them', () => {
  const shared = { epic: 'e', isolation: 'epic' } as const
  const plan = planOf({ id: 'a', claims }, { id: 'b', ...shared, claims }, { id: 'c', ...shared, priority: 5 })
  assert.deepEqual(assignWaves(plan), [1, 0, 0])
})
