// A plan that grows while its run goes on.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply } from '../../../src/scheduler/apply/apply.ts'
import { checkAdded } from '../../../src/scheduler/apply/grow.ts'
import { decide } from '../../../src/scheduler/decide.ts'
import { emptyState } from '../../../src/scheduler/state.ts'
import { Core, LIMITS, planOf, type Sketch } from '../plan-rig.ts'

const shared = (id: string, epic: string, more: Partial<Sketch> = {}): Sketch => ({
  id,
  epic,
  isolation: 'epic',
  ...more,
})

describe('what new tasks wait for', () => {
  test('one that needs nothing starts at once, one that needs what has landed or passed too', () => {
    const core = new Core(planOf({ id: 'landed' }, { id: 'passed' }, { id: 'runs' }), { slots: 9 })
    core.succeed('landed').succeed('passed', false)
    core.add({ id: 'free' }, { id: 'n1', needs: ['landed', 'passed'] }, { id: 'n2', after: ['passed'] })
    assert.deepEqual(core.running, ['runs', 'free', 'n1', 'n2'])
    assert.deepEqual(core.state.counts.total, 6)
  })

  test('one that needs what runs, waits or is to land starts when that has landed', () => {
    const core = new Core(planOf({ id: 'runs' }, { id: 'waits', needs: ['runs'] }, { id: 'lands' }), { slots: 9 })
    core.landings = 'wait'
    core.succeed('lands')
    core.add({ id: 'n1', needs: ['runs'] }, { id: 'n2', needs: ['waits'] }, { id: 'n3', needs: ['lands', 'n1'] })
    assert.deepEqual(core.running, ['runs'])
    core.landings = 'succeed'
    core.tell({ type: 'landing.landed', tasks: ['lands'], onto: core.state.head, commit: 'f'.repeat(40) })
    core.succeed('runs')
    assert.deepEqual(core.running, ['waits', 'n1'])
    core.succeed('n1').succeed('waits')
    assert.deepEqual(core.running, ['n2', 'n3'])
    core.succeed('n2').succeed('n3')
    assert.equal(core.state.finished, 'completed')
  })

  test('one that needs what did not succeed is blocked at once by its name, with all that need it', () => {
    const core = new Core(planOf({ id: 'bad' }, { id: 'next', needs: ['bad'] }, { id: 'gone' }, { id: 'runs' }), {
      slots: 9,
    })
    core.fail('bad')
    core.tell({ type: 'task.cancelled', task: 'gone', request: null }).stopped('gone')
    core.now += 5_000
    core.add(
      { id: 'far', needs: ['near'] },
      { id: 'near', needs: ['next', 'runs'] },
      { id: 'n2', needs: ['gone'] },
      { id: 'n3', after: ['bad', 'far'] },
    )
    assert.deepEqual(core.statuses(), {
      ...{ bad: 'failed', next: 'blocked', gone: 'cancelled', runs: 'running' },
      ...{ far: 'blocked', near: 'blocked', n2: 'blocked', n3: 'running' },
    })
    assert.equal(core.view('far').failure?.cause, 'bad')
    assert.equal(core.view('near').failure?.message, 'needs next, which was blocked by bad')
    assert.equal(core.view('n2').failure?.cause, 'gone')
    assert.equal(core.view('near').finishedAt, core.now, 'when it was added, not when its need failed')
  })

  test('what fails later blocks new ones as it does old ones', () => {
    const core = new Core(planOf({ id: 'runs' })).add({ id: 'new', needs: ['runs'] }, { id: 'far', needs: ['new'] })
    core.fail('runs')
    assert.deepEqual(core.statuses(), { runs: 'failed', new: 'blocked', far: 'blocked' })
    assert.equal(core.state.finished, 'failed')
  })

  test('claims that somebody holds, an agent that is paused and an epic at its cap hold new ones back', () => {
    const byClaude = { work: { kind: 'prompt' as const, prompt: 'x', agent: 'claude', model: null } }
    const core = new Core(planOf({ id: 'holder', claims: ['src'], epic: 'e' }, { id: 'limited', ...byClaude }), {
      ...{ slots: 9, maxPerEpic: 1 },
    })
    const end = { type: 'attempt.finished' as const, task: 'limited', attempt: 1, outcome: 'rate-limited' as const }
    const nothing = { commit: null, diff: null, usage: null, summary: null, limitedUntil: core.now + 50_000 }
    core.tell({ ...end, ...nothing, failure: { reason: 'rate-limited', message: '429' } })
    core.add({ id: 'same', claims: ['src/a'] }, { id: 'paused', ...byClaude }, { id: 'e2', epic: 'e' }, { id: 'free' })
    assert.deepEqual(core.running, ['holder', 'e2', 'free'], 'the cap is soft: nothing else could start')
    core.succeed('holder')
    assert.deepEqual(core.running, ['same', 'e2', 'free'])
    core.wait(50_000)
    assert.deepEqual(
      core.running,
      ['limited', 'same', 'e2', 'free'],
      'one goes first, to see whether the provider answers',
    )
    core.succeed('limited')
    assert.deepEqual(core.running, ['same', 'paused', 'e2', 'free'])
  })

  test('the tasks of a new epic that shares a worktree run one after the other and land together', () => {
    const core = new Core(planOf({ id: 'runs' }), { slots: 9 })
    core.add(shared('b', 'e', { needs: ['a'] }), shared('a', 'e'), { id: 'next', needs: ['b'] })
    assert.deepEqual(core.running, ['runs', 'a'])
    core.succeed('a')
    assert.deepEqual(core.running, ['runs', 'b'])
    core.succeed('b')
    assert.deepEqual([core.view('a').status, core.view('b').status], ['landed', 'landed'])
    assert.deepEqual(core.running, ['runs', 'next'])
  })
})

test('new tasks take their place in the order of dispatch, and nobody who was there loses theirs to another', () => {
  const core = new Core(planOf({ id: 'runs' }, { id: 'a', estimateMs: 10 }, { id: 'b', estimateMs: 20 }), { slots: 1 })
  const first = core.running[0] as string
  core.add(
    { id: 'late', needs: ['a'], estimateMs: 1_000_000 },
    { id: 'between', estimateMs: 15 },
    { id: 'urgent', priority: 1, estimateMs: 1 },
    { id: 'chain', estimateMs: 1 },
    { id: 'end', estimateMs: 18, needs: ['chain'] },
  )
  const order = [first]
  for (let next = first; core.running.length > 0; ) {
    core.succeed(next)
    next = core.running[0] as string
    if (next) order.push(next)
  }
  // `a` stays behind `b`, although a long task waits for it now.
  assert.deepEqual(order, ['runs', 'urgent', 'b', 'chain', 'end', 'between', 'a', 'late'])
})

test('a run that has nothing left to do goes on if it gets tasks before it is finished', () => {
  const plan = planOf({ id: 'only' })
  const state = emptyState(plan, LIMITS)
  let seq = 0
  const tell = (fact: Parameters<Core['tell']>[0]) => apply(state, { ...fact, seq: ++seq, at: 1000 })
  tell({ type: 'run.started', base: '0'.repeat(40), branch: 'espalier/test-1', seed: 7, limits: LIMITS })
  tell({
    type: 'attempt.started',
    worker: 'local',
    task: 'only',
    attempt: 1,
    slot: 1,
    base: '0'.repeat(40),
    deadline: 9e9,
  })
  const end = { commit: null, failure: null, diff: null, usage: null, summary: null }
  tell({ type: 'attempt.finished', task: 'only', attempt: 1, outcome: 'no-change', ...end })
  assert.deepEqual(decide(state, 1000), { type: 'run.finished', status: 'completed' })
  tell({ type: 'tasks.added', tasks: planOf({ id: 'more', needs: ['only'] }).tasks, epics: [] })
  const next = decide(state, 1000)
  assert.equal(next?.type === 'attempt.started' && next.task, 'more')
})

test('a run that began with no task at all can grow', () => {
  for (const schedule of ['eager', 'waves'] as const) {
    const state = emptyState(planOf(), { ...LIMITS, schedule })
    assert.deepEqual(checkAdded(state, { tasks: planOf({ id: 'a' }).tasks, epics: [] }), [])
    const limits = { ...LIMITS, schedule }
    const at = 1000
    apply(state, { type: 'run.started', base: '0'.repeat(40), branch: 'b', seed: 7, limits, seq: 1, at })
    apply(state, { type: 'tasks.added', tasks: planOf({ id: 'a' }).tasks, epics: [], seq: 2, at })
    assert.equal(decide(state, at)?.type, 'attempt.started')
  }
})

test('an interrupted run can grow, and goes on with it when it is resumed', () => {
  const core = new Core(planOf({ id: 'a' }))
  core.tell({ type: 'run.interrupted', request: null })
  core.add({ id: 'new' }).stopped('a')
  assert.equal(core.state.finished, 'cancelled')
  core.tell({ type: 'run.resumed', limits: LIMITS })
  assert.deepEqual(core.running, ['a', 'new'])
})

test('by waves, new tasks go into the wave that is open or a later one, behind what they need and conflict with', () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b', claims: ['x'] }, { id: 'c', needs: ['a'] }), {
    ...{ slots: 9, schedule: 'waves' as const },
  })
  core.succeed('a')
  core.add(
    { id: 'now' },
    { id: 'with-c', needs: ['a'] },
    { id: 'conflicts', claims: ['x/y'] },
    { id: 'd', needs: ['c'] },
  )
  assert.deepEqual(core.running, ['b', 'now'])
  core.succeed('b')
  assert.deepEqual(core.running, ['now'])
  core.succeed('now')
  assert.deepEqual(core.running, ['c', 'with-c', 'conflicts'])
  core.add({ id: 'second', needs: ['a'] })
  assert.ok(core.running.includes('second'), 'no wave that is over is opened again')
  for (const id of ['c', 'with-c', 'conflicts', 'second']) core.succeed(id)
  assert.deepEqual(core.running, ['d'])
})

test('budgets of new epics and tasks count, and those of the run hold new tasks back', () => {
  const core = new Core(planOf({ id: 'runs' }), { slots: 9, budget: { usd: 10, onReached: 'finish' } })
  const tasks = planOf(
    { id: 'dear', estimateUsd: 20 },
    { id: 'e1', epic: 'e', estimateUsd: 2 },
    { id: 'e2', epic: 'e', estimateUsd: 2 },
    { id: 'own', budgetUsd: 1, estimateUsd: 2 },
    { id: 'free' },
  ).tasks
  core.tell({ type: 'tasks.added', tasks, epics: [{ id: 'e', title: 'e', needs: [], budgetUsd: 3 }] })
  assert.deepEqual(core.running, ['runs', 'e1', 'free'])
  for (const id of ['runs', 'free', 'e1']) core.succeed(id)
  assert.deepEqual(core.running, ['e2'])
  core.succeed('e2')
  assert.equal(core.state.finished, 'waiting', 'the rest waits for money')
})

describe('what is refused, before anything is written', () => {
  const core = new Core(planOf({ id: 'a', epic: 'e' }, shared('s1', 's'), shared('s2', 's')), { slots: 9 })
  const refused: [about: string, sketches: Sketch[], why: RegExp][] = [
    ['nothing at all', [], /no task to add/],
    ['a name that is taken', [{ id: 'a' }], /has a task a already/],
    ['a name that comes twice', [{ id: 'n' }, { id: 'n' }], /n is added twice/],
    ['a name that is none', [{ id: '../n' }], /no name for a task/],
    ['a need that is not there', [{ id: 'n', needs: ['x'] }], /n waits for x, which the run does not have/],
    ['… or something it comes after', [{ id: 'n', after: ['x'] }], /n waits for x/],
    ['an epic that is not there', [{ id: 'n', epic: 'none' }], /epic none, which the run does not have/],
    ['one that needs itself', [{ id: 'n', needs: ['n'] }], /wait for each other: n → n/],
    [
      'a circle',
      [
        { id: 'n', needs: ['m'] },
        { id: 'm', after: ['n', 'a'] },
      ],
      /n → m → n/,
    ],
    ['an epic that shares a worktree', [shared('n', 's')], /cannot join epic s/],
  ]
  for (const [about, sketches, why] of refused)
    test(about, () => {
      const problems = checkAdded(core.state, { tasks: planOf(...sketches).tasks, epics: [] })
      assert.match(problems.join('\n'), why)
    })

  test('an epic that is there, and a circle through what lands together', () => {
    const epics = planOf({ id: 'x', epic: 'e' }).epics
    assert.match(checkAdded(core.state, { tasks: planOf({ id: 'n' }).tasks, epics }).join(), /has an epic e already/)
    const plan = planOf(shared('n1', 'new'), { id: 'm', needs: ['n1'] }, shared('n2', 'new', { needs: ['m'] }))
    assert.match(checkAdded(core.state, plan).join(), /epic new → m → epic new/)
    const inside = planOf(shared('n1', 'new', { needs: ['n2'] }), shared('n2', 'new', { needs: ['n1'] }))
    assert.match(checkAdded(core.state, inside).join(), /n1 → n2 → n1/)
  })

  test('anything, once the run is over or is being stopped for good', () => {
    const more = { tasks: planOf({ id: 'n' }).tasks, epics: [] }
    assert.match(checkAdded(new Core(planOf({ id: 'a' })).succeed('a').state, more).join(), /the run is completed/)
    const cancelled = new Core(planOf({ id: 'a' })).tell({ type: 'run.cancelled', request: null })
    assert.match(checkAdded(cancelled.state, more).join(), /being stopped/)
    const strict = new Core(planOf({ id: 'a' }, { id: 'b' }), { strict: true }).fail('a')
    assert.match(checkAdded(strict.state, more).join(), /being stopped/)
  })
})
