// Trying again what did not succeed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../../../src/event.ts'
import { atWorkMs } from '../../../src/facts/durations.ts'
import { reopen, reopenable, startable } from '../../../src/scheduler/apply/reopen.ts'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { runSummary } from '../../../src/scheduler/view.ts'
import type { Plan } from '../../../src/task.ts'
import { Core, LIMITS, planOf } from '../plan-rig.ts'

function again(core: Core, plan: Plan, wanted: string[] | null = null): Core {
  core.tell({ type: 'run.replanned', plan, again: reopenable(core.state, wanted) })
  return core.tell({ type: 'run.resumed', limits: LIMITS })
}

const PLAN = planOf(
  { id: 'good' },
  { id: 'bad', retries: 1 },
  { id: 'next', needs: ['bad'] },
  { id: 'last', needs: ['next', 'worse'] },
  { id: 'worse' },
)

/** All of it is over: `bad` and `worse` failed. */
function over(): Core {
  const core = new Core(PLAN, { slots: 9 })
  core.succeed('good').fail('worse').fail('bad').wait(60_000).fail('bad')
  assert.equal(core.state.finished, 'failed')
  return core
}

test('all that did not succeed begins anew, with all its tries, and the rest stays', () => {
  const core = over()
  again(core, PLAN)
  assert.deepEqual(core.running, ['bad', 'worse'])
  assert.deepEqual(core.statuses(), {
    good: 'landed',
    bad: 'running',
    next: 'pending',
    last: 'pending',
    worse: 'running',
  })
  assert.equal(core.view('bad').attempts, 3, 'attempts are counted on')
  core.fail('bad')
  assert.equal(core.view('bad').status, 'pending', 'it has its retry again')
  core.wait(60_000).succeed('bad').succeed('worse').succeed('next').succeed('last')
  assert.equal(core.state.finished, 'completed')
})

test('the time in which the run lay there does not count, whether it was over or its engine was killed', () => {
  const core = over()
  const worked = () => atWorkMs(runSummary(core.state, { run: 'r', name: 'n', repo: '/', enginePid: 1 }), core.now)
  const before = worked()
  assert.equal(before, core.now - core.state.startedAt)
  core.now += 265_000
  assert.equal(worked(), before, 'it is over')
  again(core, PLAN)
  core.wait(1_000).succeed('worse')
  assert.equal(worked(), before + 1_000)
  core.now += 500_000
  core.tell({ type: 'run.resumed', limits: LIMITS }).wait(2_000)
  assert.equal(worked(), before + 3_000)
})

test('some of it: with what it blocks, and what something else blocks as well stays blocked', () => {
  const core = over()
  assert.deepEqual(reopenable(core.state, ['bad']), ['bad', 'next', 'last'])
  again(core, PLAN, ['bad'])
  assert.deepEqual(core.statuses(), {
    good: 'landed',
    bad: 'running',
    next: 'pending',
    last: 'blocked',
    worse: 'failed',
  })
  core.succeed('bad').succeed('next')
  assert.equal(core.state.finished, 'failed')
})

test('what it collided on it claims from the first try on', () => {
  const plan = planOf({ id: 'a' }, { id: 'b' }, { id: 'c' })
  const core = new Core(plan, { slots: 3 })
  core.landings = 'wait'
  const failure: Failure = { reason: 'conflict', message: 'in a file', paths: ['shared.txt'] }
  for (const id of ['a', 'b']) {
    core.succeed(id)
    core.tell({ type: 'landing.refused', tasks: [id], onto: core.state.head, failure, retry: false })
  }
  core.fail('c')
  again(core, plan)
  assert.deepEqual(core.running, ['a', 'c'], 'b keeps out of what a has')
})

test('what was dropped is no failure of the run, and is tried again only by name', () => {
  const core = new Core(planOf({ id: 'a', priority: 5 }, { id: 'b' }, { id: 'c', needs: ['b'] }), { slots: 1 })
  for (const task of ['c', 'b']) core.tell({ type: 'task.cancelled', task, request: null, dropped: 'done elsewhere' })
  core.succeed('a')
  assert.equal(core.state.finished, 'completed')
  assert.deepEqual(core.view('b').failure, { reason: 'dropped', message: 'done elsewhere' })
  assert.deepEqual(reopenable(core.state, null), [])
  assert.deepEqual(reopenable(core.state, ['b']), ['b'])
})

test('what others have done since is left out, unless it is named', () => {
  const { state } = over()
  assert.deepEqual(reopenable(state, null, ['bad', 'next']), ['last', 'worse'])
  assert.deepEqual(reopenable(state, ['bad'], ['bad', 'next']), ['bad'])
})

test('what needs something that is left out cannot start', () => {
  const { state } = over()
  assert.deepEqual(startable(state, ['bad', 'next', 'last', 'worse']), ['bad', 'next', 'last', 'worse'])
  assert.deepEqual(startable(state, ['next', 'last', 'worse']), ['worse'], 'bad is not there, so neither is next')
})

test('what failed and was done elsewhere since is dropped, and the run does not fail for it', () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b' }))
  core.fail('a').fail('b')
  const { durationMs, finishedAt } = core.view('a')
  core.now += 60_000
  again(core, planOf({ id: 'a' }, { id: 'b' }), ['b'])
  core.tell({ type: 'task.cancelled', task: 'a', request: null, dropped: 'done elsewhere' })
  const dropped = core.view('a')
  assert.deepEqual(dropped.failure, { reason: 'dropped', message: 'done elsewhere' })
  assert.deepEqual([dropped.durationMs, dropped.finishedAt], [durationMs, finishedAt], 'nothing was done meanwhile')
  core.succeed('b')
  assert.deepEqual([core.state.finished, core.statuses()], ['completed', { a: 'cancelled', b: 'landed' }])
  core.tell({ type: 'task.cancelled', task: 'b', request: null, dropped: 'done elsewhere' })
  assert.equal(core.view('b').status, 'landed')
})

test('what succeeded cannot be tried again', () => {
  assert.deepEqual(reopenable(over().state, ['good']), [])
})

test('what needs something that is gone from the plan does not wait for it', () => {
  const [bad, first] = [{ id: 'bad', priority: 5 }, { id: 'first' }]
  const gone = { id: 'gone', needs: ['first'] }
  const core = new Core(planOf(bad, first, gone, { id: 'next', needs: ['bad', 'gone'] }), { slots: 1 })
  core.fail('bad')
  const { plan } = comparePlan(core.state, planOf(bad, first, { id: 'next', needs: ['bad'] }))
  assert.deepEqual(
    plan.tasks.map(({ id, needs }) => [id, needs]),
    [
      ['bad', []],
      ['first', []],
      ['next', ['bad']],
    ],
  )
})

test('a shared epic begins anew as a whole', () => {
  const shared = { epic: 'e', isolation: 'epic' } as const
  const plan = planOf({ id: 'a', ...shared }, { id: 'b', ...shared, needs: ['a'] })
  const core = new Core(plan)
  core.succeed('a').fail('b')
  assert.equal(core.state.finished, 'failed')
  assert.deepEqual(reopenable(core.state, ['b']), ['a', 'b'])
  again(core, plan, ['b'])
  assert.deepEqual(core.running, ['a'])
  core.succeed('a').succeed('b')
  assert.deepEqual([core.state.finished, core.statuses()], ['completed', { a: 'landed', b: 'landed' }])
})

test('a run that was cancelled, or stopped at its first failure, goes on', () => {
  const cancelled = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }))
  cancelled.tell({ type: 'run.cancelled', request: null }).stopped('a')
  assert.equal(cancelled.state.finished, 'cancelled')
  assert.deepEqual(again(cancelled, planOf({ id: 'a' }, { id: 'b', needs: ['a'] })).running, ['a'])
  const strict = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c' }), { strict: true })
  strict.fail('a').stopped('b')
  assert.equal(strict.state.finished, 'failed')
  assert.deepEqual(again(strict, planOf({ id: 'a' }, { id: 'b' }, { id: 'c' })).running, ['a', 'b'])
})

test('with a plan that was changed it is tried as it is written now', () => {
  const core = over()
  const work = { kind: 'command', command: 'better' } as const
  const changed = { ...PLAN, tasks: PLAN.tasks.map((task) => (task.id === 'bad' ? { ...task, work } : task)) }
  const ids = reopenable(core.state, ['bad'])
  assert.deepEqual(comparePlan(core.state, changed).difference.tooLate, ['bad'])
  reopen(core.state, ids)
  const { plan, difference } = comparePlan(core.state, changed)
  assert.deepEqual(difference.changed, ['bad'])
  core.tell({ type: 'run.replanned', plan, again: ids })
  assert.deepEqual(core.running, ['bad'])
  assert.deepEqual(core.state.graph.tasks[1]?.work, work)
})

test('work whose commits are gone begins anew, with what landed on top of them; the branch is put back and nothing is moved', () => {
  const plan = planOf({ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] }, { id: 'd' })
  const core = new Core(plan, { landing: { ...LIMITS.landing, verify: true } })
  const { base } = core.state
  core.landings = 'wait'
  const land = (task: string) => {
    core.succeed(task)
    const commit = core.view(task).history.at(-1)?.commit ?? ''
    const built = { items: [{ tasks: [task], commit }], onto: core.state.head }
    core.tell({ type: 'landing.built', ...built })
    const { verification } = core.decisions.findLast(({ type }) => type === 'landing.verifying') as {
      verification: number
    }
    core.tell({
      type: 'landing.verified',
      verification,
      commit,
      verdict: { passed: true, cached: false, durationMs: 1, failure: null },
    })
    return () => core.tell({ type: 'landing.landed', tasks: [task], commit, onto: built.onto })
  }
  land('a')()
  land('b')
  assert.notEqual(core.state.batch.moving, null)
  core.tell({ type: 'run.replanned', plan, again: ['a', 'b'], head: base })
  core.tell({ type: 'run.resumed', limits: core.state.limits })
  assert.deepEqual([core.state.head, core.state.batch.moving, core.state.batch.items], [base, null, []])
  assert.deepEqual(core.statuses(), { a: 'running', b: 'pending', c: 'pending', d: 'running' })
  assert.deepEqual(core.state.counts, { ...core.state.counts, landed: 0, running: 2, pending: 2 })
  land('a')()
  assert.deepEqual(core.running, ['b', 'd'])
  assert.equal(core.view('a').landedCommit, core.state.head)
})

test('a cancelled run whose work that was to land is gone stays cancelled', () => {
  const plan = planOf({ id: 'a' }, { id: 'b', needs: ['a'] })
  const core = new Core(plan)
  core.landings = 'wait'
  core.succeed('a').tell({ type: 'run.cancelled', request: null })
  assert.equal(core.state.finished, null, 'a is about to land')
  core.tell({ type: 'run.replanned', plan, again: ['a'], head: core.state.base })
  core.tell({ type: 'task.cancelled', task: 'a', request: null })
  assert.deepEqual(core.statuses(), { a: 'cancelled', b: 'cancelled' })
  assert.equal(core.state.finished, 'cancelled')
})
