// Another priority for a task of a run that is going on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply } from '../../../src/scheduler/apply/apply.ts'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { emptyState } from '../../../src/scheduler/state.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { Core, LIMITS, planOf } from '../plan-rig.ts'

function change(core: Core, task: string, priority: number): Core {
  return core.tell({ type: 'priority.changed', task, priority, request: null })
}

test('a task that waits goes first or last from now on, and what runs goes on', () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }), { slots: 1 })
  change(core, 'a', -5)
  assert.deepEqual(core.running, ['a'])
  change(core, 'd', 3)
  change(core, 'b', -1)
  assert.deepEqual([core.view('d').priority, core.view('c').priority], [3, undefined])
  for (const next of ['d', 'c', 'b']) {
    core.succeed(core.running[0] ?? '')
    assert.deepEqual(core.running, [next])
  }
  core.succeed('b')
  assert.equal(core.state.finished, 'completed')
})

test('again and again, up and down, among tasks that are not ready, wait for claims or for a wave', () => {
  const plan = planOf(
    { id: 'first', claims: ['src/**'] },
    { id: 'x', claims: ['src/x'] },
    { id: 'y', claims: ['src/y'] },
    { id: 'later', needs: ['first'] },
  )
  const core = new Core(plan, { slots: 1 })
  for (const priority of [1, 9, -3, 2]) change(core, 'y', priority)
  change(core, 'later', 5)
  core.succeed('first')
  assert.deepEqual(core.running, ['later'])
  core.succeed('later')
  assert.deepEqual(core.running, ['y'])

  const waves = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['a'] }), {
    slots: 1,
    schedule: 'waves',
  })
  change(waves, 'c', 1)
  waves.succeed('a')
  assert.deepEqual(waves.running, ['c'])
})

test('among those that there is no money for now', () => {
  const dear = { estimateUsd: 4, work: { kind: 'prompt', prompt: 'p', agent: 'claude', model: null } as const }
  const plan = planOf({ id: 'a', ...dear }, { id: 'b', ...dear }, { id: 'c', ...dear })
  const core = new Core(plan, { slots: 3, budget: { usd: 9, onReached: 'finish' } })
  assert.deepEqual(core.running, ['a', 'b'])
  const more = new Core(plan, { slots: 3, budget: { usd: 5, onReached: 'finish' } })
  assert.deepEqual(more.running, ['a'])
  change(more, 'c', 1)
  more.tell({
    type: 'attempt.finished',
    ...{ task: 'a', attempt: 1, outcome: 'changed', commit: 'a'.repeat(40), failure: null, diff: null, summary: null },
    usage: { ...NO_USAGE, costUsd: 0.5 },
  })
  assert.deepEqual(more.running, ['c'])
})

test('a replay comes to the same; a changed plan keeps it, unless its author says another', () => {
  const plan = planOf({ id: 'a' }, { id: 'b' }, { id: 'c' })
  const core = new Core(plan, { slots: 1 })
  change(core, 'c', 2)
  const again = core.journal.reduce(apply, emptyState(plan, { ...LIMITS, slots: 1 }))
  assert.equal(again.graph.units[2]?.priority, 2)
  const same = comparePlan(core.state, planOf({ id: 'a' }, { id: 'b', title: 'B' }, { id: 'c' }))
  core.tell({ type: 'run.replanned', plan: same.plan })
  assert.equal(core.state.graph.units[2]?.priority, 2)
  const other = comparePlan(core.state, planOf({ id: 'a' }, { id: 'b' }, { id: 'c', priority: -1 }))
  core.tell({ type: 'run.replanned', plan: other.plan })
  assert.deepEqual([core.state.graph.units[2]?.priority, core.view('c').priority], [-1, undefined])
  core.succeed('a')
  assert.deepEqual(core.running, ['b'])
})
