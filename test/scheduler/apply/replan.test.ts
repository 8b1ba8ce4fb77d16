import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { Core, planOf } from '../plan-rig.ts'

const NOTHING = { added: [], changed: [], removed: [], tooLate: [] }

test('a plan that says the same is no difference', () => {
  const plan = planOf({ id: 'a' }, { id: 'b', needs: ['a'] })
  assert.deepEqual(comparePlan(new Core(plan).state, structuredClone(plan)).difference, NOTHING)
})

test('what is new or changed and has not begun is taken over; what has begun stays; what is gone is told', () => {
  const core = new Core(
    planOf({ id: 'done' }, { id: 'runs' }, { id: 'waits', needs: ['runs'] }, { id: 'goes', needs: ['runs'] }),
  )
  core.succeed('done')
  const next = planOf(
    { id: 'done', title: 'too late' },
    { id: 'runs', title: 'too late' },
    { id: 'waits', needs: ['done'], title: 'in time' },
    { id: 'new', needs: ['waits'] },
  )
  const { difference, plan } = comparePlan(core.state, next)
  assert.deepEqual(difference, { added: ['new'], changed: ['waits'], removed: ['goes'], tooLate: ['done', 'runs'] })
  core.tell({ type: 'run.replanned', plan })
  assert.deepEqual(core.statuses(), {
    done: 'landed',
    runs: 'running',
    waits: 'running',
    new: 'pending',
  })
  assert.equal(core.view('waits').title, 'in time')
  core.succeed('waits').succeed('runs').succeed('new')
  assert.deepEqual(core.statuses(), {
    done: 'landed',
    runs: 'landed',
    waits: 'landed',
    new: 'landed',
  })
})

test('what only lacks a need that is done or gone is not changed; it is if it does not wait for one at work', () => {
  const tasks = [{ id: 'done' }, { id: 'runs' }, { id: 'goes', needs: ['runs'] }]
  const waits = { id: 'waits', needs: ['done', 'goes'], after: ['done'] }
  const core = new Core(planOf(...tasks, waits, { id: 'loose', needs: ['runs'] })).succeed('done')
  const written = planOf({ ...waits, needs: [], after: [] }, { id: 'loose' })
  const { difference, plan } = comparePlan(core.state, written)
  assert.deepEqual(difference, { added: [], changed: ['loose'], removed: ['goes'], tooLate: [] })
  assert.deepEqual(plan.tasks.find(({ id }) => id === 'waits')?.needs, [], 'as it is written now')
  core.tell({ type: 'run.replanned', plan })
  core.succeed('waits')
  assert.deepEqual(comparePlan(core.state, written).difference.tooLate, [])
})

test('what only lacks a need that failed here and is done by the file is not changed', () => {
  const core = new Core(planOf({ id: 'bad' }, { id: 'next', needs: ['bad'] }, { id: 'runs' })).fail('bad')
  const written = planOf({ id: 'next' }, { id: 'runs' })
  assert.deepEqual(comparePlan(core.state, written).difference.tooLate, ['next'], 'somebody has removed bad')
  assert.deepEqual(comparePlan(core.state, written, new Set(['bad'])).difference, NOTHING)
})

test('a new task that needs something which has failed is blocked at once', () => {
  const core = new Core(planOf({ id: 'bad' }, { id: 'other' }))
  core.fail('bad')
  const { plan } = comparePlan(
    core.state,
    planOf({ id: 'bad' }, { id: 'other' }, { id: 'new', needs: ['bad'] }, { id: 'far', needs: ['new'] }),
  )
  core.tell({ type: 'run.replanned', plan })
  assert.deepEqual(core.statuses(), { bad: 'failed', other: 'running', new: 'blocked', far: 'blocked' })
})

test('claims, slots and waits for the next try survive', () => {
  const tasks = [
    { id: 'holder', claims: ['x'] },
    { id: 'waits', claims: ['x'] },
    { id: 'retries', retries: 1 },
  ]
  const core = new Core(planOf(...tasks), { slots: 3 })
  core.fail('retries')
  const at = core.view('retries').retryAt ?? 0
  const { plan } = comparePlan(core.state, planOf(...tasks, { id: 'new', claims: ['x/y'] }))
  core.tell({ type: 'run.replanned', plan })
  assert.deepEqual(core.running, ['holder'])
  assert.equal(core.view('retries').retryAt, at)
  core.wait(at - core.now)
  assert.deepEqual(core.running, ['holder', 'retries'])
  core.succeed('holder')
  assert.deepEqual(core.running, ['waits', 'retries'])
})

test('what waits for its next try and needs something more by now waits for both', () => {
  const tasks = [{ id: 'runs' }, { id: 'retries', retries: 1 }]
  for (const first of ['time', 'need']) {
    const core = new Core(planOf(...tasks), { slots: 3 }).fail('retries')
    const at = core.view('retries').retryAt ?? 0
    const { plan } = comparePlan(core.state, planOf({ id: 'runs' }, { id: 'retries', retries: 1, needs: ['runs'] }))
    core.tell({ type: 'run.replanned', plan })
    if (first === 'need') core.succeed('runs')
    else core.wait(at - core.now)
    assert.equal(core.view('retries').status, 'pending', `only its ${first} has come`)
    if (first === 'need') core.wait(at - core.now)
    else core.succeed('runs')
    assert.deepEqual(core.running, ['retries'])
  }
})

test('a conflict is not resolved on what lacks a need that the task has got since: its work is done anew', () => {
  const commit = 'c'.repeat(40)
  const tasks = [{ id: 'a', retries: 1 }, { id: 'b' }, { id: 'runs' }]
  for (const [needs, base] of [
    [['b'], null],
    [[], commit],
  ] as const) {
    const core = new Core(planOf(...tasks), { slots: 2 })
    core.landings = 'wait'
    core.succeed('a')
    const conflict = { commit, onto: core.state.head, by: 'agent' as const }
    const failure = { reason: 'conflict' as const, message: 'a conflicts' }
    core.tell({ type: 'landing.refused', tasks: ['a'], onto: core.state.head, failure, retry: true, conflict })
    assert.deepEqual(core.running, ['b', 'runs'], 'no slot is free for it')
    const { plan } = comparePlan(core.state, planOf({ ...tasks[0], id: 'a', needs: [...needs] }, ...tasks.slice(1)))
    core.tell({ type: 'run.replanned', plan })
    core.landings = 'succeed'
    core.succeed('b')
    const start = core.decisions.findLast((decision) => decision.type === 'attempt.started' && decision.task === 'a')
    assert.equal(start?.type === 'attempt.started' && start.base, base ?? core.state.head)
  }
})
