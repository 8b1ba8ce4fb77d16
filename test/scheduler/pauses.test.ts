// Providers that let nobody work for a while: who waits, for how long, and what it costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureReason } from '../../src/failure.ts'
import { MAX_LIMITED_ATTEMPTS } from '../../src/scheduler/apply.ts'
import { nextWake } from '../../src/scheduler/decide.ts'
import { runSummary } from '../../src/scheduler/view.ts'
import { Core, LIMITS, planOf, type Sketch } from './plan-rig.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

function by(agent: string, id: string, more: Partial<Sketch> = {}): Sketch {
  return { id, work: { kind: 'prompt', prompt: id, agent, model: null }, ...more }
}

function end(core: Core, task: string, reason: FailureReason, limitedUntil: number | null = null): Core {
  const outcome = reason === 'rate-limited' ? reason : reason === 'agent-crashed' ? 'crashed' : 'failed'
  const nothing = { commit: null, diff: null, usage: null, summary: null }
  const { attempts: attempt } = core.view(task)
  const failure = { reason, message: reason }
  return core.tell({ type: 'attempt.finished', task, attempt, outcome, failure, limitedUntil, ...nothing })
}

function paused(core: Core) {
  return runSummary(core.state, { run: 'test-1', name: 'test', repo: '/repo', enginePid: 1 }).paused
}

test('a limit pauses the agent of that provider and no other, until the time the provider said', () => {
  const plan = planOf(by('claude', 'a'), by('claude', 'b'), by('codex', 'c'), { id: 'd' })
  const core = new Core(plan, { slots: 1 })
  assert.equal(paused(core), undefined)
  const until = core.now + 90 * SECOND
  end(core, 'a', 'rate-limited', until)
  assert.deepEqual(paused(core), [{ agent: 'claude', until, why: 'limited' }])
  assert.deepEqual(core.statuses(), { a: 'ready', b: 'ready', c: 'running', d: 'ready' })
  core.succeed('c')
  assert.deepEqual(core.running, ['d'], 'a shell command has no provider')
  core.succeed('d')
  assert.deepEqual(core.running, [])
  assert.equal(nextWake(core.state), until)
  core.wait(90 * SECOND - 1)
  assert.deepEqual(core.running, [])
  core.wait(1)
  assert.deepEqual(core.running, ['a'])
  assert.equal(paused(core), undefined)
})

test('a limit uses up no retry, but not without end', () => {
  const core = new Core(planOf(by('claude', 'a', { retries: 0 })))
  for (let n = 1; n <= MAX_LIMITED_ATTEMPTS; n++) {
    end(core, 'a', 'rate-limited', core.now + SECOND).wait(SECOND)
    assert.deepEqual(core.running, ['a'], `after ${n}`)
  }
  assert.equal(core.view('a').attempts, MAX_LIMITED_ATTEMPTS + 1)
  end(core, 'a', 'rate-limited')
  assert.deepEqual(core.statuses(), { a: 'failed' })
})

test('without a time the pauses double, up to a quarter of an hour; work that was done begins anew', () => {
  const core = new Core(planOf(by('claude', 'a'), by('claude', 'b')), { slots: 1 })
  const lengths: number[] = []
  const pauseOnce = (task: string) => {
    end(core, task, 'rate-limited')
    const length = (paused(core)?.[0]?.until ?? 0) - core.now
    lengths.push(length / SECOND)
    core.wait(length)
  }
  for (let n = 0; n < 9; n++) pauseOnce('a')
  assert.deepEqual(lengths.splice(0), [10, 20, 40, 80, 160, 320, 640, 900, 900])
  core.succeed('a')
  pauseOnce('b')
  assert.deepEqual(lengths, [10])
})

test('of two limits the one that lasts longer counts', () => {
  const core = new Core(planOf(by('claude', 'a'), by('claude', 'b')))
  const until = core.now + 5 * MINUTE
  end(core, 'a', 'rate-limited', until)
  end(core, 'b', 'rate-limited', core.now + MINUTE)
  assert.deepEqual(paused(core), [{ agent: 'claude', until, why: 'limited' }])
})

test('three crashes in a row open the breaker: the agent is paused, longer with each further one', () => {
  const tasks = ['a', 'b', 'c', 'd', 'e'].map((id) => by('claude', id))
  const core = new Core(planOf(...tasks, by('codex', 'x')), { slots: 1 })
  end(core, 'a', 'agent-crashed')
  end(core, 'b', 'spawn-failed')
  assert.equal(paused(core), undefined)
  end(core, 'c', 'agent-crashed')
  assert.deepEqual(paused(core), [{ agent: 'claude', until: core.now + 10 * SECOND, why: 'broken' }])
  assert.deepEqual(core.running, ['x'])
  assert.deepEqual(core.statuses().c, 'failed', 'unlike a limit, a crash counts')
  core.succeed('x').wait(10 * SECOND)
  assert.deepEqual(core.running, ['d'])
  end(core, 'd', 'agent-crashed')
  assert.deepEqual(paused(core), [{ agent: 'claude', until: core.now + 20 * SECOND, why: 'broken' }])
})

test('work that failed of itself shows that the agent works; a timeout shows nothing', () => {
  const tasks = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => by('claude', id))
  const core = new Core(planOf(...tasks), { slots: 1 })
  end(core, 'a', 'agent-crashed')
  end(core, 'b', 'agent-crashed')
  end(core, 'c', 'agent-failed')
  end(core, 'd', 'agent-crashed')
  end(core, 'e', 'agent-crashed')
  assert.equal(paused(core), undefined, 'two in a row')
  const other = new Core(planOf(...tasks), { slots: 1 })
  end(other, 'a', 'agent-crashed')
  end(other, 'b', 'agent-crashed')
  end(other, 'c', 'timeout')
  end(other, 'd', 'agent-crashed')
  assert.equal(paused(other)?.length, 1, 'three in a row')
})

test('an epic that is half done waits in its slot and goes on there', () => {
  const shared = { epic: 'e', isolation: 'epic' } as const
  const core = new Core(planOf(by('claude', 'e1', shared), by('claude', 'e2', shared), by('codex', 'x'), { id: 'y' }))
  core.succeed('e1')
  assert.deepEqual(core.running, ['e2', 'x'])
  end(core, 'e2', 'rate-limited', core.now + MINUTE)
  assert.deepEqual(core.running, ['x'], 'its worktree holds what e1 did: nobody else gets its slot')
  core.succeed('x')
  assert.deepEqual(core.running, ['y'])
  core.succeed('y').wait(MINUTE)
  assert.deepEqual(core.running, ['e2'])
  assert.deepEqual(
    core.view('e2').history.map(({ slot }) => slot),
    [1, 1],
  )
})

test('a run that is resumed goes on waiting', () => {
  const core = new Core(planOf(by('claude', 'a'), by('claude', 'b')), { slots: 1 })
  end(core, 'a', 'rate-limited', core.now + MINUTE)
  core.tell({ type: 'run.interrupted', request: null })
  assert.equal(core.state.finished, 'cancelled')
  assert.equal(paused(core), undefined, 'nothing waits any more')
  core.wait(30 * SECOND).tell({ type: 'run.resumed', limits: LIMITS })
  assert.deepEqual(core.running, [])
  assert.equal(paused(core)?.length, 1)
  core.wait(30 * SECOND)
  assert.deepEqual(core.running, ['a', 'b'])
})

test('a run with a conflict for a person does not end while an agent is paused and has work', () => {
  const core = new Core(planOf({ id: 'c' }, by('claude', 'a')))
  core.landings = 'wait'
  core.succeed('c')
  end(core, 'a', 'rate-limited', core.now + MINUTE)
  const failure = { reason: 'conflict', message: 'in a file' } as const
  const conflict = { commit: 'c'.repeat(40), onto: core.state.head, by: 'person' } as const
  core.tell({ type: 'landing.refused', tasks: ['c'], onto: core.state.head, failure, retry: false, conflict })
  assert.deepEqual([core.statuses(), core.state.finished], [{ c: 'conflict', a: 'ready' }, null])
  core.wait(MINUTE).succeed('a', false)
  assert.equal(core.state.finished, 'waiting')
})
