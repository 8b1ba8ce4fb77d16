// `--timeout` and `--retries` of a run that goes on: who takes them, and what the journal says of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GivenLimits, withLimits } from '../../../src/engine/open/limits.ts'
import { replanning } from '../../../src/engine/open/replan.ts'
import { comparePlan, isDifferent } from '../../../src/scheduler/apply/replan.ts'
import type { Plan, Task } from '../../../src/task.ts'
import { Core, planOf } from '../../scheduler/plan-rig.ts'

const FIRST = { timeoutMs: 4_000, retries: 0 }
const LATER = { timeoutMs: 20_000, retries: 2 }

const task = (id: string, rest: Partial<Task> = {}) => ({ id, ...FIRST, ...rest })

function goOn(core: Core, now: Plan, before: GivenLimits, given: GivenLimits) {
  const limits = withLimits(now, before, given)
  return replanning(core.state, { now, next: null, limits, again: null, done: new Set() })
}

function timeouts({ tasks }: Plan): number[] {
  return tasks.map(({ timeoutMs }) => timeoutMs / 1_000)
}

test('what has not begun takes the limits, but for those it says itself; what is under way does not', () => {
  const now = planOf(
    task('runs'),
    task('waits', { needs: ['runs'] }),
    task('own', { needs: ['runs'], own: ['timeoutMs'] }),
  )
  const { plan, facts } = goOn(new Core(now), now, FIRST, LATER)
  assert.deepEqual(timeouts(plan), [4, 20, 4])
  assert.deepEqual(
    plan.tasks.map(({ retries }) => retries),
    [0, 2, 2],
  )
  assert.deepEqual(facts, [{ type: 'run.replanned', plan, limits: ['waits', 'own'] }])
})

test('limits that no task takes yet are known to the run, and taken by a task that begins again', () => {
  const now = planOf(task('runs'))
  const core = new Core(now)
  const { plan, facts } = goOn(core, now, FIRST, LATER)
  assert.deepEqual(timeouts(plan), [4])
  assert.deepEqual(facts, [{ type: 'run.replanned', plan, limits: [] }])
  assert.deepEqual(goOn(core, plan, LATER, LATER), { plan, facts: [], tooLate: [] }, 'nothing is new')
  assert.deepEqual(timeouts(goOn(new Core(now, { slots: 0 }), plan, LATER, LATER).plan), [20])
})

test('a run that was told nothing keeps its plan', () => {
  const now = planOf(task('a'), task('b', { timeoutMs: 1 }))
  assert.deepEqual(goOn(new Core(now), now, FIRST, FIRST), { plan: now, facts: [], tooLate: [] })
})

test('limits of the run are no change of the plan; those of a task are', () => {
  const core = new Core(planOf(task('a'), task('b', { needs: ['a'] })))
  const isChanged = (b: Partial<Task>) => {
    const next = planOf(task('a', LATER), task('b', { needs: ['a'], ...b }))
    return isDifferent(comparePlan(core.state, next).difference)
  }
  assert.equal(isChanged(LATER), false)
  assert.equal(isChanged({ ...LATER, own: ['timeoutMs'] }), true)
})
