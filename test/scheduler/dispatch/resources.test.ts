// What there is a number of: never more at once, the numbers by `attempt.started`, and given back with the slot.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply } from '../../../src/scheduler/apply/apply.ts'
import { checkAdded } from '../../../src/scheduler/apply/grow.ts'
import { emptyState } from '../../../src/scheduler/state.ts'
import type { Plan } from '../../../src/task.ts'
import { Core, LIMITS, planOf } from '../plan-rig.ts'

const LIMITS_8 = { ...LIMITS, slots: 8 }

function withResources(plan: Plan): Plan {
  return { ...plan, resources: { gpu: { count: 2 }, db: { count: 1 } } }
}

function numbersOf(core: Core, id: string): unknown {
  return core.view(id).history.at(-1)?.resources
}

test('a task starts when all it uses is free, gets the lowest numbers, and gives them back when it ends', () => {
  const plan = withResources(
    planOf(
      { id: 'a', uses: { gpu: 1 } },
      { id: 'b', uses: { gpu: 1, db: 1 } },
      { id: 'c', uses: { gpu: 2 } },
      { id: 'd', uses: { db: 1 } },
      { id: 'e' },
    ),
  )
  const core = new Core(plan, LIMITS_8)
  assert.deepEqual(core.running, ['a', 'b', 'e'])
  assert.deepEqual(numbersOf(core, 'a'), { gpu: [0] })
  assert.deepEqual(numbersOf(core, 'b'), { db: [0], gpu: [1] })
  core.succeed('a')
  assert.deepEqual(core.running, ['b', 'e'], 'c needs two, and one is free')
  core.succeed('b')
  assert.deepEqual(core.running, ['c', 'd', 'e'])
  assert.deepEqual(numbersOf(core, 'c'), { gpu: [0, 1] })
  const again = core.journal.reduce(apply, emptyState(plan, LIMITS_8))
  assert.deepEqual(again.units, core.state.units, 'the journal gives the same numbers')
})

test('tasks that share a worktree keep the numbers of the first from its start to the end of the last', () => {
  const shared = { epic: 'e', isolation: 'epic' } as const
  const plan = withResources(
    planOf(
      { id: 'a', uses: { db: 1 }, ...shared },
      { id: 'b', uses: { gpu: 2 }, ...shared },
      { id: 'c', uses: { gpu: 1 } },
    ),
  )
  const core = new Core(plan, LIMITS_8)
  assert.deepEqual(core.running, ['a'])
  assert.deepEqual(numbersOf(core, 'a'), { db: [0], gpu: [0, 1] })
  core.succeed('a')
  assert.deepEqual(core.running, ['b'])
  assert.deepEqual(numbersOf(core, 'b'), { db: [0], gpu: [0, 1] })
  core.succeed('b')
  assert.deepEqual(core.running, ['c'])
})

test('a failed attempt gives its numbers back until its next try', () => {
  const plan = withResources(planOf({ id: 'a', uses: { db: 1 }, retries: 1 }, { id: 'b', uses: { db: 1 } }))
  const core = new Core(plan, LIMITS_8)
  core.fail('a')
  assert.deepEqual(core.running, ['b'])
  core.wait(120_000)
  assert.deepEqual(core.running, ['b'], 'a may try again, and b has it')
  core.stopped('b')
  assert.deepEqual(core.running, ['a'])
})

test('tasks that use more than there is are not added', () => {
  const core = new Core(withResources(planOf({ id: 'a' })), LIMITS_8)
  const added = (uses: Record<string, number>) => checkAdded(core.state, { ...planOf({ id: 'x', uses }), epics: [] })
  assert.deepEqual(added({ gpu: 2 }), [])
  assert.deepEqual(added({ gpu: 3 }), ['x uses 3 of gpu, and the plan has 2'])
  assert.deepEqual(added({ tpu: 1 }), ['x uses 1 of tpu, and the plan has 0'])
})
