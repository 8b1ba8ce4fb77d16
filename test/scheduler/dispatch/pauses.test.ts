// Providers that let nobody work for a while: who waits, for how long, and what it costs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FailureReason, SPARED_ATTEMPTS } from '../../../src/failure.ts'
import { nextWake } from '../../../src/scheduler/decide.ts'
import { runSummary } from '../../../src/scheduler/view.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { Core, LIMITS, planOf, type Sketch } from '../plan-rig.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

function by(agent: string, id: string, more: Partial<Sketch> = {}): Sketch {
  return { id, work: { kind: 'prompt', prompt: id, agent, model: null }, ...more }
}

function byOneOf([agent = '', ...fallbacks]: string[], id: string, more: Partial<Sketch> = {}): Sketch {
  return { id, work: { kind: 'prompt', prompt: id, agent, model: null, fallbacks }, ...more }
}

/** Who did each attempt of a task. */
function whoDid(core: Core, task: string) {
  return core.view(task).history.map(({ agent, insteadOf }) => (insteadOf ? `${agent} for ${insteadOf.agent}` : agent))
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
  assert.deepEqual(paused(core), [{ agent: 'claude', until, why: 'limited', probe: 'a' }])
  core.succeed('a')
  assert.equal(paused(core), undefined)
})

function answer(core: Core, task: string): Core {
  return core.tell({ type: 'attempt.stirred', task, attempt: core.view(task).attempts, answered: true })
}

test('after a pause one attempt goes first; the others follow when its model has answered', () => {
  const core = new Core(planOf(...['a', 'b', 'c'].map((id) => by('claude', id))), { slots: 3 })
  for (const id of ['a', 'b', 'c']) end(core, id, 'rate-limited')
  core.wait(10 * SECOND)
  assert.deepEqual(core.running, ['a'])
  end(core, 'a', 'rate-limited')
  assert.deepEqual([core.running, paused(core)?.[0]?.until], [[], core.now + 20 * SECOND], 'one has met it, not three')
  core.wait(20 * SECOND)
  assert.deepEqual(core.running, ['a'])
  answer(core, 'a')
  assert.deepEqual([core.running.sort(), paused(core)], [['a', 'b', 'c'], undefined])
})

test('one that goes first and ends for another reason lets the next one go first', () => {
  const core = new Core(planOf(...['a', 'b'].map((id) => by('claude', id))), { slots: 2 })
  for (const id of ['a', 'b']) end(core, id, 'rate-limited')
  core.wait(10 * SECOND)
  core.tell({ type: 'task.cancelled', task: 'a', request: null })
  end(core, 'a', 'cancelled')
  assert.deepEqual([core.running, paused(core)?.[0]?.probe], [['b'], 'b'])
})

test('an attempt that has had answers met its limit for the first time', () => {
  const core = new Core(planOf(by('claude', 'a')))
  const usage = { ...NO_USAGE, inputTokens: 5, outputTokens: 1 }
  for (let n = 0; n < 5; n++) {
    const { attempts: attempt } = core.view('a')
    const failure = { reason: 'rate-limited', message: 'no' } as const
    const nothing = { commit: null, diff: null, summary: null }
    core.tell({ type: 'attempt.finished', task: 'a', attempt, outcome: 'rate-limited', failure, usage, ...nothing })
    assert.equal(paused(core)?.[0]?.until, core.now + 10 * SECOND)
    core.wait(10 * SECOND)
  }
})

test('where every login is refused twice, the run ends and waits for somebody to log in', () => {
  const core = new Core(planOf(by('claude', 'a'), by('codex', 'b'), by('claude', 'c', { needs: ['a'] })), { slots: 2 })
  for (const id of ['a', 'b']) end(core, id, 'login-failed')
  core.wait(MINUTE)
  assert.deepEqual(core.running.sort(), ['a', 'b'])
  end(core, 'a', 'login-failed')
  assert.equal(core.state.finished, null, 'codex may still be let in')
  end(core, 'b', 'login-failed')
  assert.deepEqual([core.state.finished, core.statuses()], ['waiting', { a: 'ready', b: 'ready', c: 'pending' }])
  assert.deepEqual(
    paused(core)?.map(({ agent, needsLogin }) => [agent, needsLogin]),
    [
      ['claude', true],
      ['codex', true],
    ],
  )
  core.tell({ type: 'run.resumed', limits: core.state.limits })
  assert.deepEqual(core.running.sort(), ['a', 'b'], 'whoever resumes may have logged in')
})

for (const reason of ['rate-limited', 'provider-unreachable'] as const)
  test(`${reason} uses up no retry, but not without end`, () => {
    const free = SPARED_ATTEMPTS[reason] ?? 0
    const core = new Core(planOf(by('claude', 'a', { retries: 0 })))
    for (let n = 1; n <= free; n++) {
      end(core, 'a', reason)
      core.wait((paused(core)?.[0]?.until ?? 0) - core.now)
      assert.deepEqual(core.running, ['a'], `after ${n}`)
    }
    assert.equal(core.view('a').attempts, free + 1)
    end(core, 'a', reason)
    assert.deepEqual(core.statuses(), { a: 'failed' })
  })

test('a provider that cannot be reached pauses its agent at once, and a login for longer', () => {
  const core = new Core(planOf(by('claude', 'a'), by('claude', 'b'), by('codex', 'c')), { slots: 1 })
  end(core, 'a', 'provider-unreachable')
  assert.deepEqual(paused(core), [{ agent: 'claude', until: core.now + 10 * SECOND, why: 'unreachable' }])
  assert.deepEqual(core.running, ['c'])
  end(core, 'c', 'login-failed')
  assert.deepEqual(paused(core)?.[1], { agent: 'codex', until: core.now + MINUTE, why: 'login' })
  assert.deepEqual([core.running, core.statuses()], [[], { a: 'ready', b: 'ready', c: 'ready' }])
})

test('attempts that began before the pause do not make it longer: all of them met the same', () => {
  const core = new Core(planOf(...['a', 'b', 'c', 'd'].map((id) => by('claude', id))), { slots: 4 })
  for (const id of ['a', 'b', 'c', 'd']) end(core, id, 'provider-unreachable')
  assert.deepEqual(paused(core), [{ agent: 'claude', until: core.now + 10 * SECOND, why: 'unreachable' }])
  core.wait(10 * SECOND)
  end(core, 'a', 'provider-unreachable')
  assert.equal(paused(core)?.[0]?.until, core.now + 20 * SECOND)
})

test('who resumes a run may have logged in: it is tried again at once; a limit stays', () => {
  const core = new Core(planOf(by('claude', 'a'), by('codex', 'b'), by('gemini', 'c')), { slots: 3 })
  end(core, 'a', 'login-failed')
  end(core, 'b', 'rate-limited', core.now + MINUTE)
  end(core, 'c', 'provider-unreachable')
  core.tell({ type: 'run.resumed', limits: core.state.limits })
  assert.deepEqual(core.running.sort(), ['a', 'c'])
  assert.deepEqual(
    paused(core)?.flatMap(({ agent, probe }) => (probe ? [] : [agent])),
    ['codex'],
  )
})

test('a fallback does the task of an agent that is not logged in', () => {
  const core = new Core(planOf(byOneOf(['claude', 'codex'], 'a', { retries: 0 })))
  end(core, 'a', 'login-failed')
  assert.deepEqual([core.running, whoDid(core, 'a')], [['a'], ['claude', 'codex for claude']])
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

test('a provider that says `soon` again and again is not believed for ever', () => {
  const core = new Core(planOf(by('claude', 'a')))
  const waits = Array.from({ length: 8 }, () => {
    end(core, 'a', 'rate-limited', core.now + SECOND)
    const until = nextWake(core.state) ?? core.now
    const wait = until - core.now
    core.wait(wait)
    return wait
  })
  assert.deepEqual(waits.slice(0, 3), [SECOND, SECOND, SECOND])
  assert.ok(
    waits.slice(3).every((wait) => wait >= MINUTE),
    `${waits}`,
  )
})

test('of two limits the one that lasts longer counts', () => {
  const core = new Core(planOf(by('claude', 'a'), by('claude', 'b')))
  const until = core.now + 5 * MINUTE
  end(core, 'a', 'rate-limited', until)
  end(core, 'b', 'rate-limited', core.now + MINUTE)
  assert.deepEqual(paused(core), [{ agent: 'claude', until, why: 'limited' }])
})

test('a limit that was over counts for none, whether or not anybody has looked meanwhile', () => {
  const after = (isLookedAt: boolean) => {
    const core = new Core(planOf(by('claude', 'a'), by('claude', 'b'), { id: 'c' }), { slots: 2 })
    const soon = core.now + 30 * SECOND
    end(core, 'a', 'rate-limited', core.now + MINUTE)
    assert.deepEqual(core.running, ['b', 'c'])
    if (isLookedAt) core.wait(2 * MINUTE)
    else core.now += 2 * MINUTE
    return paused(end(core, 'b', 'rate-limited', soon))
  }
  assert.deepEqual(after(false), after(true))
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
  assert.deepEqual(core.running, ['a'])
  assert.deepEqual(answer(core, 'a').running, ['a', 'b'])
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

test('while its agent is paused a task falls back on the next one', () => {
  const core = new Core(planOf(byOneOf(['claude', 'codex'], 'a', { retries: 1 }), byOneOf(['claude', 'codex'], 'b')), {
    slots: 1,
  })
  const until = core.now + MINUTE
  end(core, 'a', 'rate-limited', until)
  assert.deepEqual(core.running, ['a'], 'it does not wait')
  assert.deepEqual(core.view('a').history[1]?.insteadOf, { agent: 'claude', until })
  core.fail('a').wait(10 * SECOND)
  assert.deepEqual(core.running, ['b'])
  core.succeed('b')
  assert.deepEqual(core.running, ['a'], 'its second try')
  core.wait(MINUTE).fail('a')
  assert.deepEqual(whoDid(core, 'a'), ['claude', 'codex for claude', 'codex for claude'])
  assert.deepEqual(whoDid(core, 'b'), ['codex for claude'])
  assert.equal(core.view('a').status, 'failed', 'a limit uses up no retry, the failures of a fallback do')
})

test('a fallback does not stay: the next attempt is for the preferred agent again', () => {
  const core = new Core(planOf(byOneOf(['claude', 'codex'], 'a', { retries: 1 })))
  end(core, 'a', 'rate-limited', core.now + SECOND)
  core
    .wait(SECOND)
    .fail('a')
    .wait(10 * SECOND)
  assert.deepEqual(whoDid(core, 'a'), ['claude', 'codex for claude', 'claude'])
})

test('a limit of the fallback pauses the fallback; with all of them paused a task waits for the first that may', () => {
  const core = new Core(planOf(byOneOf(['claude', 'codex', 'gemini'], 'a'), by('codex', 'b'), { id: 'c' }), {
    slots: 1,
  })
  end(core, 'a', 'rate-limited', core.now + 3 * MINUTE)
  end(core, 'a', 'rate-limited', core.now + MINUTE)
  assert.deepEqual(
    paused(core)?.map(({ agent }) => agent),
    ['claude', 'codex'],
  )
  end(core, 'a', 'rate-limited', core.now + 2 * MINUTE)
  assert.deepEqual(core.running, ['c'])
  core.succeed('c')
  assert.deepEqual([core.running, nextWake(core.state)], [[], core.now + MINUTE])
  core.wait(MINUTE)
  assert.deepEqual(core.running, ['a'])
  assert.deepEqual(whoDid(core, 'a'), ['claude', 'codex for claude', 'gemini for claude', 'codex for claude'])
})

test('an agent that crashed too often is fallen back from, too', () => {
  const tasks = ['a', 'b', 'c', 'd'].map((id) => byOneOf(['claude', 'codex'], id))
  const core = new Core(planOf(...tasks), { slots: 1 })
  for (const id of ['a', 'b', 'c']) end(core, id, 'agent-crashed')
  assert.deepEqual([core.running, whoDid(core, 'd')], [['d'], ['codex for claude']])
})

test('the next task of an epic that is half done falls back in its slot', () => {
  const shared = { epic: 'e', isolation: 'epic' } as const
  const core = new Core(planOf(by('claude', 'e1', shared), byOneOf(['claude', 'codex'], 'e2', shared)))
  core.succeed('e1')
  end(core, 'e2', 'rate-limited', core.now + MINUTE)
  assert.deepEqual([core.running, whoDid(core, 'e2')], [['e2'], ['claude', 'codex for claude']])
  assert.deepEqual(
    core.view('e2').history.map(({ slot }) => slot),
    [1, 1],
  )
})
