import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Fact } from '../../src/event.ts'
import { Core, LIMITS, planOf } from './plan-rig.ts'

describe('what starts', () => {
  test('a task starts when everything it needs has landed, and not before', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }))
    core.landings = 'wait'
    core.succeed('a')
    assert.deepEqual(core.statuses(), { a: 'landing', b: 'pending' })
    core.tell({ type: 'landing.landed', tasks: ['a'], onto: core.state.head, commit: 'f'.repeat(40) })
    assert.deepEqual(core.running, ['b'])
    assert.equal(core.view('b').history[0]?.base, 'f'.repeat(40), 'its base holds what it needs')
  })

  test('never more run than there are slots, and a free slot is used at once', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c' }), { slots: 2 })
    assert.deepEqual(core.running, ['a', 'b'])
    assert.deepEqual(core.succeed('a').running, ['b', 'c'])
    assert.equal(core.view('c').history[0]?.slot, 1, 'the slot that became free')
  })

  test('with one slot each starts on top of the one before, unless that is verified first', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }), { slots: 1 })
    core.landings = 'wait'
    core.succeed('a')
    assert.deepEqual(core.statuses(), { a: 'landing', b: 'ready' })
    core.tell({ type: 'landing.landed', tasks: ['a'], onto: core.state.head, commit: 'f'.repeat(40) })
    assert.equal(core.view('b').history[0]?.base, 'f'.repeat(40))
    const verified = new Core(planOf({ id: 'a' }, { id: 'b' }), {
      slots: 1,
      landing: { ...LIMITS.landing, verify: true },
    })
    verified.landings = 'wait'
    assert.deepEqual(verified.succeed('a').running, ['b'])
  })

  test('priority goes first, then the longest remaining path, then the order of the plan', () => {
    const long = { id: 'long-tail', needs: ['b'], estimateMs: 90_000 }
    const plan = planOf(
      { id: 'a', estimateMs: 10_000 },
      { id: 'b', estimateMs: 10_000 },
      { id: 'c', priority: 5, estimateMs: 10_000 },
      { id: 'd', estimateMs: 10_000 },
      long,
    )
    const core = new Core(plan, { slots: 1 })
    const order: string[] = []
    while (core.running.length > 0) {
      order.push(...core.running)
      core.succeed(core.running[0] as string)
    }
    assert.deepEqual(order, ['c', 'b', 'long-tail', 'a', 'd'])
  })

  test('`after` only orders: it waits for the other to come to rest, however it ended', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', after: ['a'] }))
    assert.deepEqual(core.running, ['a'])
    assert.deepEqual(core.fail('a').running, ['b'])
  })

  test('the soft cap holds an epic back only while another epic has something ready', () => {
    const tasks = ['a1', 'a2', 'a3'].map((id) => ({ id, epic: 'a' }))
    const core = new Core(planOf(...tasks, { id: 'b1', epic: 'b' }), { slots: 3, maxPerEpic: 1 })
    assert.deepEqual(core.running, ['a1', 'a2', 'b1'])
  })
})

describe('claims', () => {
  test('conflicting claims never overlap between dispatch and landing; others go ahead', () => {
    const core = new Core(
      planOf({ id: 'a', claims: ['src/**'] }, { id: 'b', claims: ['src/x.ts'] }, { id: 'c', claims: ['docs/'] }),
      { slots: 3 },
    )
    assert.deepEqual(core.running, ['a', 'c'])
    core.landings = 'wait'
    core.succeed('a')
    assert.deepEqual(core.running, ['c'], 'the claim is held until the work has landed')
    core.tell({ type: 'landing.landed', tasks: ['a'], onto: core.state.head, commit: 'f'.repeat(40) })
    assert.deepEqual(core.running, ['b', 'c'])
  })

  test('readers share, a writer waits for all of them', () => {
    const read = (id: string) => ({ id, claims: { read: ['lib/**'] } })
    const core = new Core(planOf(read('a'), read('b'), { id: 'w', claims: ['lib/x'] }), { slots: 3 })
    assert.deepEqual(core.running, ['a', 'b'])
    core.succeed('a')
    assert.deepEqual(core.running, ['b'])
    assert.deepEqual(core.succeed('b').running, ['w'])
  })

  test('tasks that conflicted over a path do not run together again', () => {
    const tasks = ['a', 'b', 'c', 'd'].map((id) => ({ id, retries: 1 }))
    const core = new Core(planOf(...tasks), { slots: 4 })
    core.landings = 'wait'
    for (const { id } of tasks) core.succeed(id)
    const onto = core.state.head
    const failure = { reason: 'conflict' as const, message: '', paths: ['CHANGELOG.md'] }
    core.tell({ type: 'landing.landed', tasks: ['a'], onto, commit: 'f'.repeat(40) })
    for (const id of ['b', 'c', 'd']) core.tell({ type: 'landing.refused', tasks: [id], onto, failure, retry: true })
    assert.deepEqual(core.running, ['b'], 'one after another from now on')
    core.landings = 'succeed'
    core.succeed('b').succeed('c').succeed('d')
    assert.equal(core.state.finished, 'completed')
  })

  test('a task that failed lets go of its claims while it waits for its next try', () => {
    const core = new Core(planOf({ id: 'a', claims: ['x'], retries: 1 }, { id: 'b', claims: ['x'] }))
    assert.deepEqual(core.fail('a').running, ['b'])
  })
})

describe('failure', () => {
  test('a failed task is tried again later, each time later, at most `retries` times', () => {
    const core = new Core(planOf({ id: 'a', retries: 2 }))
    const waits: number[] = []
    for (let n = 0; n < 2; n++) {
      core.fail('a')
      assert.equal(core.view('a').status, 'pending')
      waits.push((core.view('a').retryAt ?? 0) - core.now)
      core.wait((waits.at(-1) ?? 0) - 1)
      assert.deepEqual(core.running, [])
      core.wait(1)
      assert.deepEqual(core.running, ['a'])
    }
    const [first = 0, second = 0] = waits
    assert.ok(first >= 500 && first <= 1000 && second >= 1000 && second <= 2000, `exponential with jitter: ${waits}`)
    assert.equal(core.fail('a').view('a').status, 'failed')
    assert.equal(core.view('a').attempts, 3)
  })

  test('what needs it is blocked with the cause, however far away; the rest goes on', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] }, { id: 'd' }), {
      slots: 1,
    })
    core.fail('a')
    assert.deepEqual(core.statuses(), { a: 'failed', b: 'blocked', c: 'blocked', d: 'running' })
    assert.deepEqual([core.view('b').failure?.cause, core.view('c').failure?.cause], ['a', 'a'])
    core.succeed('d')
    assert.equal(core.state.finished, 'failed')
  })

  test('a strict run stops at the first failure: what runs is ended, the rest is cancelled, what is done lands', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c' }), { strict: true })
    core.fail('a')
    assert.deepEqual(core.decisions.at(-1), { type: 'attempt.stopping', task: 'b', attempt: 1, reason: 'strict-stop' })
    assert.equal(core.view('c').status, 'cancelled')
    core.stopped('b')
    assert.deepEqual(core.statuses(), { a: 'failed', b: 'cancelled', c: 'cancelled' })
    assert.equal(core.view('c').failure?.cause, 'a')
    assert.equal(core.state.finished, 'failed')
  })

  test('what failed before a strict run stopped, and waits for its next try, is cancelled as the rest', () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }, { id: 'b' }), { strict: true }).fail('a').fail('b')
    const { status, failure } = core.view('a')
    assert.deepEqual([status, failure?.reason, failure?.cause], ['cancelled', 'strict-stop', 'b'])
  })

  test('a timeout ends the attempt and counts as a failure', () => {
    const core = new Core(planOf({ id: 'a', timeoutMs: 5000, retries: 1 }))
    core.wait(4999)
    assert.equal(core.decisions.filter((decision) => decision.type === 'attempt.stopping').length, 0)
    core.wait(1)
    assert.deepEqual(core.decisions.at(-1), { type: 'attempt.stopping', task: 'a', attempt: 1, reason: 'timeout' })
    core.stopped('a')
    assert.equal(core.view('a').status, 'pending')
    assert.equal(core.state.tasks[0]?.failedTries, 1)
  })

  test('a result of an older attempt changes nothing', () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }))
    core.fail('a').wait(60_000)
    assert.deepEqual(core.running, ['a'])
    core.tell({
      type: 'attempt.finished',
      task: 'a',
      attempt: 1,
      outcome: 'changed',
      commit: 'e'.repeat(40),
      failure: null,
      diff: null,
      usage: null,
      summary: null,
    })
    assert.deepEqual(core.running, ['a'])
    assert.equal(core.view('a').attempts, 2)
  })
})

describe('stalls', () => {
  const stalled = (attempt = 1, since = 900_000): Fact => ({ type: 'attempt.stalled', task: 'a', attempt, since })
  const stirred: Fact = { type: 'attempt.stirred', task: 'a', attempt: 1 }
  const stops = ({ decisions }: Core) => decisions.filter(({ type }) => type === 'attempt.stopping')

  test('a stalled attempt is only reported unless the run is set to try again', () => {
    const core = new Core(planOf({ id: 'a' }))
    core.tell(stalled())
    assert.deepEqual([stops(core), core.view('a').stalledSince], [[], 900_000])
    assert.equal(core.tell(stirred).view('a').stalledSince, null)
    assert.equal(core.tell(stalled()).succeed('a').view('a').stalledSince, null)
    assert.equal(core.state.finished, 'completed')
  })

  test('with `onStall: retry` it is ended, once, and that counts against its retries', () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }), { onStall: 'retry' })
    core.tell(stalled()).tell(stalled())
    assert.deepEqual(stops(core), [{ type: 'attempt.stopping', task: 'a', attempt: 1, reason: 'stalled' }])
    core.stopped('a')
    assert.deepEqual([core.view('a').status, core.state.tasks[0]?.failedTries], ['pending', 1])
    core.wait(60_000).tell(stalled(2)).stopped('a')
    assert.deepEqual([core.view('a').status, core.view('a').failure?.reason], ['failed', 'stalled'])
  })

  test('what is said of an attempt that is over changes nothing', () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }), { onStall: 'retry' })
    core.fail('a').wait(60_000).tell(stalled(1)).tell(stirred)
    assert.deepEqual([core.running, stops(core), core.view('a').stalledSince], [['a'], [], null])
  })

  test('an agent that ended by itself before it was told to goes on to its checks: its timeout and a cancel still hold', () => {
    const limited = new Core(planOf({ id: 'a', timeoutMs: 5000 }), { onStall: 'retry' })
    limited.tell(stalled()).tell(stirred).wait(5000)
    assert.deepEqual(limited.decisions.at(-1), { type: 'attempt.stopping', task: 'a', attempt: 1, reason: 'timeout' })
    const cancelled = new Core(planOf({ id: 'a' }), { onStall: 'retry' })
    cancelled.tell(stalled()).tell(stirred).tell({ type: 'task.cancelled', task: 'a', request: null })
    assert.deepEqual(cancelled.decisions.at(-1), {
      type: 'attempt.stopping',
      task: 'a',
      attempt: 1,
      reason: 'cancelled',
    })
  })

  test('the next engine looks for itself, but goes on ending what is being ended', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }))
    core.tell(stalled()).tell({ type: 'run.resumed', limits: { ...core.state.limits, onStall: 'retry' } })
    assert.deepEqual([stops(core), core.view('a').stalledSince], [[], null])
    core.tell(stalled()).tell({ type: 'run.resumed', limits: core.state.limits })
    assert.deepEqual([stops(core).length, core.view('a').stalledSince], [1, 900_000])
  })
})

describe('stopping', () => {
  test('an interrupted run ends what runs, keeps its retries, and goes on when it is resumed', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }))
    core.tell({ type: 'run.interrupted', request: null })
    core.stopped('a')
    assert.equal(core.state.finished, 'cancelled')
    core.tell({ type: 'run.resumed', limits: core.state.limits })
    assert.deepEqual(core.running, ['a'])
    core.succeed('a').succeed('b')
    assert.equal(core.state.finished, 'completed')
  })

  test('an agent that was let go while it was being ended is taken over, and its timeout still holds', () => {
    const core = new Core(planOf({ id: 'a', timeoutMs: 5000 }))
    core.tell({ type: 'run.interrupted', request: null })
    assert.equal(core.decisions.at(-1)?.type, 'attempt.stopping')
    core.tell({ type: 'run.resumed', limits: core.state.limits })
    assert.deepEqual(core.running, ['a'])
    assert.equal(core.decisions.at(-1)?.type, 'attempt.stopping', 'nothing new was decided')
    core.wait(5000)
    assert.deepEqual(core.decisions.at(-1), { type: 'attempt.stopping', task: 'a', attempt: 1, reason: 'timeout' })
  })

  test('cancelling a run cancels what waits at once and what runs when it has ended', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }))
    core.tell({ type: 'run.cancelled', request: 1 })
    assert.deepEqual(core.statuses(), { a: 'running', b: 'cancelled' })
    core.stopped('a')
    assert.equal(core.state.finished, 'cancelled')
    assert.deepEqual(core.statuses(), { a: 'cancelled', b: 'cancelled' })
  })

  test('what failed before its run was cancelled, and waits for its next try, has failed', () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }, { id: 'b', needs: ['a'] })).fail('a')
    core.tell({ type: 'run.cancelled', request: 1 })
    assert.equal(core.state.finished, 'cancelled')
    assert.deepEqual(core.statuses(), { a: 'failed', b: 'cancelled' })
    assert.equal(core.view('a').failure?.reason, core.view('a').history[0]?.failure?.reason)
  })

  test('a task that is cancelled while it is being ended for its timeout is not tried again', () => {
    const core = new Core(planOf({ id: 'a', timeoutMs: 5000, retries: 1 }))
    core.wait(5000).tell({ type: 'task.cancelled', task: 'a', request: null }).stopped('a')
    assert.equal(core.view('a').status, 'cancelled')
  })

  test('what is cancelled while it is being interrupted is told as cancelled: nothing starts it again', () => {
    const interrupted = () => new Core(planOf({ id: 'a' })).tell({ type: 'run.interrupted', request: null })
    const cancels: Fact[] = [
      { type: 'task.cancelled', task: 'a', request: 1 },
      { type: 'run.cancelled', request: 1 },
    ]
    for (const cancel of cancels) {
      const { status, failure, history } = interrupted().tell(cancel).stopped('a').view('a')
      const told = [status, failure?.reason, history[0]?.failure?.reason]
      assert.deepEqual(told, ['cancelled', 'cancelled', 'cancelled'], cancel.type)
    }
  })

  test('cancelling one task blocks what needs it and leaves the rest alone', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c' }), { slots: 1 })
    core.tell({ type: 'task.cancelled', task: 'a', request: null })
    core.stopped('a').succeed('c')
    assert.deepEqual(core.statuses(), { a: 'cancelled', b: 'blocked', c: 'landed' })
  })
})

describe('epics that share a worktree', () => {
  const shared = (id: string, more = {}) => ({ id, epic: 'e', isolation: 'epic' as const, ...more })

  test('their tasks run one after another in one slot, each on the work of the one before, and land together', () => {
    const core = new Core(planOf(shared('a'), shared('b'), { id: 'c', needs: ['a'] }), { slots: 3 })
    assert.deepEqual(core.running, ['a'])
    core.succeed('a')
    assert.deepEqual(core.statuses(), { a: 'landing', b: 'running', c: 'pending' })
    assert.equal(core.view('b').history[0]?.slot, core.view('a').history[0]?.slot)
    assert.equal(core.view('b').history[0]?.base, core.view('a').history[0]?.commit)
    core.succeed('b')
    assert.deepEqual(core.statuses(), { a: 'landed', b: 'landed', c: 'running' })
    assert.equal(core.view('a').landedCommit, core.view('b').landedCommit)
  })

  test('a task of it that never lands, or changed nothing, has passed', () => {
    const core = new Core(planOf(shared('a'), shared('b', { land: false }), shared('c')))
    core.succeed('a').succeed('b').succeed('c', false)
    assert.deepEqual(core.statuses(), { a: 'landed', b: 'passed', c: 'passed' })
  })

  test('if one fails, none lands', () => {
    const core = new Core(planOf(shared('a'), shared('b'), shared('c')))
    core.succeed('a').fail('b')
    assert.deepEqual(core.statuses(), { a: 'blocked', b: 'failed', c: 'blocked' })
    assert.equal(core.view('a').failure?.cause, 'b')
  })

  test('a conflict starts the whole epic again from the new head', () => {
    const core = new Core(planOf(shared('a', { retries: 1 }), shared('b', { retries: 1 })))
    core.landings = 'wait'
    core.succeed('a').succeed('b')
    const failure = { reason: 'conflict' as const, message: 'conflict' }
    core.tell({ type: 'landing.refused', tasks: ['a', 'b'], onto: core.state.head, failure, retry: true })
    assert.deepEqual(core.running, ['a'])
    assert.equal(core.view('a').history[1]?.base, core.state.head)
  })
})

describe('waves', () => {
  test('nothing of a wave starts before everything of the one before has come to rest', () => {
    const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a'] }), { schedule: 'waves' })
    core.succeed('a')
    assert.deepEqual(core.running, ['b'], 'c could start, but its wave has not begun')
    assert.deepEqual(core.fail('b').running, ['c'])
  })

  test('tasks with conflicting claims are put into different waves', () => {
    const core = new Core(planOf({ id: 'a', claims: ['x'] }, { id: 'b', claims: ['x'] }, { id: 'c' }), {
      schedule: 'waves',
      slots: 3,
    })
    assert.deepEqual(core.running, ['a', 'c'])
    core.succeed('a')
    assert.deepEqual(core.running, ['c'])
    assert.deepEqual(core.succeed('c').running, ['b'])
  })
})
