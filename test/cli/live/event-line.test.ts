import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventLines } from '../../../src/cli/live/event-line.ts'
import type { Fact } from '../../../src/event.ts'
import { apply } from '../../../src/scheduler/apply/apply.ts'
import { emptyState } from '../../../src/scheduler/state.ts'
import { taskView } from '../../../src/scheduler/view.ts'
import type { NoteKind } from '../../../src/status.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { makePlan } from '../../rig/plan.ts'
import { BASE, CHOICE, HEAD } from '../sample-run.ts'

const limits = {
  timeoutMs: 60_000,
  retries: 1,
  slots: 3,
  maxPerEpic: null,
  schedule: 'eager',
  strict: false,
  backoff: { initialMs: 1, maxMs: 2 },
  onStall: 'report',
  claims: 'warn',
  landing: { verify: false, window: 1, allgreen: false, reruns: 0 },
  budget: { usd: null, onReached: 'finish' },
} as const

const plan = makePlan([
  { id: 'schema' },
  { id: 'client', retries: 2 },
  { id: 'check', land: false },
  {
    id: 'site',
    work: { kind: 'prompt', prompt: 'p', agent: 'claude', model: null, fallbacks: ['codex'] },
  },
  { id: 'result', search: { role: 'result', node: 'root' } },
  { id: 'paid', budgetUsd: 1 },
  {
    id: 'root-1-judge',
    title: 'unroll.md: measure',
    land: false,
    search: { role: 'judge', eval: 'root-1', idea: 'unroll.md', parent: 'root' },
  },
])

/** A run that has begun, 2 s from one event to the next. */
function begunRun() {
  let state = emptyState(plan, limits)
  let seq = 0
  const find = (id: string) => {
    const index = plan.tasks.findIndex((task) => task.id === id)
    const task = plan.tasks[index]
    return task ? { task, view: taskView(state, index) } : null
  }
  const lines = new EventLines({ run: 'checkout-7', tasks: plan.tasks.length, retries: 0, find })
  const take = (fact: Fact) => {
    const event = { ...fact, seq, at: seq * 2_000 }
    seq += 1
    state = apply(state, event)
    return lines.take(event)
  }
  return { take, lines }
}

const NO_PLAN = { name: 'checkout', base: null, epics: [], tasks: [] }

const started = (task: string, attempt = 1): Fact => ({
  type: 'attempt.started',
  task,
  attempt,
  slot: 1,
  base: BASE,
  deadline: 9_000,
  worker: 'local',
})
/** The time of these events is 1970, and so is the end of the pause. */
const HALF_PAST_NOON = new Date(new Date(0).setHours(12, 30)).getTime()
const byCodex = { agent: 'codex', insteadOf: { agent: 'claude', until: HALF_PAST_NOON } } as const
const finished = (task: string, more: Partial<Extract<Fact, { type: 'attempt.finished' }>> = {}): Fact => ({
  type: 'attempt.finished',
  task,
  attempt: 1,
  outcome: 'changed',
  commit: HEAD,
  failure: null,
  diff: { files: 1, insertions: 4, deletions: 0 },
  usage: null,
  summary: null,
  ...more,
})
const failure = { reason: 'verify-failed', message: '`npm test` exited with status 1:\n1 of 40 failed' } as const

const interrupted = { reason: 'interrupted', message: 'interrupted: it is started again on resume' } as const
const lost = { reason: 'supervisor-lost', message: 'its supervisor is gone' } as const
const denied = { reason: 'login-failed', message: 'log in' } as const
const limited = { reason: 'rate-limited', message: 'the provider is limited' } as const
const cancelled = { reason: 'cancelled', message: 'cancelled on request' } as const

function refusal(task: string): Fact {
  const failure = { reason: 'conflict', message: 'in db.sql' } as const
  return { type: 'landing.refused', tasks: [task], onto: BASE, failure, retry: true }
}

/** An attempt whose work does not land. */
function refusedTry(task: string, attempt = 1): Fact[] {
  return [started(task, attempt), finished(task, { attempt }), landing(task), refusal(task)]
}

function landing(task: string): Fact {
  return { type: 'landing.started', items: [{ tasks: [task], commit: HEAD }], onto: BASE, verify: false }
}

function verified(passed: boolean, cached = false): Fact {
  const failure = passed ? null : ({ reason: 'landing-failed', message: '`npm test` exited with status 1' } as const)
  const verdict = { passed, cached, durationMs: 2_000, failure }
  return { type: 'landing.verified', verification: 1, commit: HEAD, verdict }
}

function told(kind: NoteKind, text: string): Fact {
  return { type: 'attempt.noted', task: 'schema', attempt: 1, kind, text, request: 1 }
}

function asked(holder: string | null): Fact {
  return { type: 'attempt.asked', task: 'schema', attempt: 1, paths: ['a.ts', 'b/**'], holder, request: 1 }
}

const cases: { name: string; before?: Fact[]; event: Fact; line: string | null; major?: boolean }[] = [
  {
    name: 'the start of a run',
    event: { type: 'run.started', base: BASE, branch: 'espalier/checkout-7', seed: 1, limits },
    line: 'run checkout-7 on branch espalier/checkout-7 from bbbbbbbb: 7 tasks, 3 at a time',
  },
  {
    name: 'a budget that is nearly used up',
    event: { type: 'budget.reached', scope: 'run', name: 'run', share: 80, spentUsd: 8.1, budgetUsd: 10 },
    line: 'Spent $8.10 of $10.00 (81%)',
    major: true,
  },
  {
    name: 'a budget that is used up',
    event: { type: 'budget.reached', scope: 'epic', name: 'api', share: 100, spentUsd: 3, budgetUsd: 3 },
    line: 'Spent $3.00 of $3.00 (100%) on epic api: no new task of this epic starts',
    major: true,
  },
  {
    name: 'the score of an idea',
    before: [started('root-1-judge')],
    event: finished('root-1-judge', { summary: 'steps 13417' }),
    line: 'unroll.md: steps 13417 (2.0s)',
    major: true,
  },
  {
    name: 'what an attempt has spent so far',
    event: { type: 'attempt.spent', task: 'schema', attempt: 1, costUsd: 1 },
    line: null,
  },
  { name: 'a resumed run', event: { type: 'run.resumed', limits }, line: 'run checkout-7 continues, 3 at a time' },
  {
    name: 'a plan that was changed',
    event: { type: 'run.replanned', plan: NO_PLAN },
    line: 'plan changes applied: 0 tasks',
    major: true,
  },
  {
    name: 'commits that are gone',
    event: { type: 'run.replanned', plan: NO_PLAN, again: ['schema'], head: 'c'.repeat(40) },
    line: 'commits of the run went with a removed engine.git: it continues at cccccccc and does again schema',
    major: true,
  },
  {
    name: 'tasks that were added',
    event: { type: 'tasks.added', tasks: makePlan([{ id: 'docs' }, { id: 'site' }]).tasks, epics: [] },
    line: '2 tasks added to the plan: docs, site',
  },
  { name: 'a first start', event: started('schema'), line: 'schema started' },
  {
    name: 'a start with a model that was chosen for it',
    event: { ...started('schema'), agent: 'claude', choice: CHOICE } as Fact,
    line: 'schema started with claude-haiku-4-5 (1 of 3): general, complexity 0.20',
  },
  {
    name: 'work outside the claims',
    before: [started('schema')],
    event: finished('schema', { undeclared: { paths: ['package.json', 'x\ny'], count: 2 } }),
    line: 'schema done after 2.0s, waits to land; changed outside its claims: package.json, x y',
    major: true,
  },
  {
    name: 'work that somebody should look at',
    before: [started('schema')],
    event: finished('schema', { flagged: { paths: ['.github/ci.yml'], count: 1 } }),
    line: 'schema done after 2.0s, waits to land; other programs run what it changed: .github/ci.yml',
    major: true,
  },
  { name: 'how far an agent says it is', event: told('progress', 'half\nway'), line: 'schema: half way' },
  { name: 'one that is done', event: told('done', 'wrote it'), line: 'schema reports that it is done: wrote it' },
  {
    name: 'one that is blocked',
    event: told('blocked', 'no key'),
    line: 'schema reports that it is blocked: no key',
    major: true,
  },
  { name: 'an issue', event: told('issue', 'a leak'), line: 'schema reports an issue: a leak', major: true },
  { name: 'work for later', event: told('follow-up', 'tidy'), line: 'schema suggests a follow-up: tidy', major: true },
  { name: 'a claim granted', event: asked(null), line: 'schema asked for more claims and may write a.ts, b/**' },
  {
    name: 'a claim refused',
    event: asked('client'),
    line: 'schema asked for a.ts, b/** and was refused: claimed by client',
    major: true,
  },
  {
    name: 'a second start',
    before: [started('client'), finished('client', { outcome: 'failed', failure })],
    event: started('client', 2),
    line: 'client started (attempt 2 of 3)',
  },
  {
    name: 'a start after work that did not land',
    before: refusedTry('client'),
    event: started('client', 2),
    line: 'client started (attempt 2 of 3)',
  },
  {
    name: 'a start after an interruption, which uses up no try',
    before: [started('client'), finished('client', { outcome: 'cancelled', failure: interrupted })],
    event: started('client', 2),
    line: 'client started (attempt 2 of 4)',
  },
  {
    name: 'a start after the supervisor was lost, which uses up no try',
    before: [started('schema'), finished('schema', { outcome: 'crashed', failure: lost })],
    event: started('schema', 2),
    line: 'schema started (attempt 2 of 2)',
  },
  {
    name: 'a limit of the provider, which uses up no try',
    before: [started('client')],
    event: finished('client', { outcome: 'rate-limited', failure: limited }),
    line: 'client stopped after 2.0s (not counted as a try): rate-limited: the provider is limited',
    major: true,
  },
  {
    name: 'a limit of the provider when the task has no money left, which is its end',
    before: [started('paid')],
    event: finished('paid', { outcome: 'rate-limited', failure: limited, usage: { ...NO_USAGE, costUsd: 2 } }),
    line: 'paid failed after 2.0s: rate-limited: the provider is limited',
    major: true,
  },
  {
    name: 'a login that is not accepted, which uses up no try',
    before: [started('client')],
    event: finished('client', { outcome: 'failed', failure: denied }),
    line: 'client stopped after 2.0s (not counted as a try): login-failed: log in',
    major: true,
  },
  {
    name: 'one that is not accepted again and again',
    before: [
      ...[1, 2].flatMap((n) => [
        started('client', n),
        finished('client', { outcome: 'failed', failure: denied, attempt: n }),
      ]),
      started('client', 3),
    ],
    event: finished('client', { outcome: 'failed', failure: denied, attempt: 3 }),
    line: 'client failed after 2.0s (attempt 3 of 5): login-failed: log in',
    major: true,
  },
  {
    name: 'a limit that ends at a known time',
    before: [started('client')],
    event: finished('client', { outcome: 'rate-limited', failure: limited, limitedUntil: 32_000 }),
    line: 'client stopped after 2.0s (not counted as a try), continues in 30s: rate-limited: the provider is limited',
    major: true,
  },
  {
    name: 'a limit of an agent that another stands in for',
    before: [{ ...started('site'), agent: 'claude' } as Fact],
    event: finished('site', { outcome: 'rate-limited', failure: limited, limitedUntil: 32_000 }),
    line: 'site stopped after 2.0s (not counted as a try), claude is paused for 30s: rate-limited: the provider is limited',
    major: true,
  },
  {
    name: 'who does it where that is not the one the task would rather have',
    event: { ...started('site'), ...byCodex } as Fact,
    line: 'site started by codex (instead of claude, paused until 12:30)',
  },
  {
    name: 'nothing of the agent where it is the usual one',
    event: { ...started('site'), agent: 'claude' } as Fact,
    line: 'site started',
  },
  {
    name: 'a start after a limit',
    before: [started('client'), finished('client', { outcome: 'rate-limited', failure: limited })],
    event: started('client', 2),
    line: 'client started (attempt 2 of 4)',
  },
  {
    name: 'work that is to land',
    before: [started('schema')],
    event: finished('schema'),
    line: 'schema done after 2.0s, waits to land',
  },
  {
    name: 'work that never lands',
    before: [started('check')],
    event: finished('check'),
    line: 'check passed after 2.0s',
    major: true,
  },
  {
    name: 'nothing to do',
    before: [started('schema')],
    event: finished('schema', { outcome: 'no-change' }),
    line: 'schema passed after 2.0s, no changes',
    major: true,
  },
  {
    name: 'a failure, in one line',
    before: [started('client')],
    event: finished('client', { outcome: 'failed', failure }),
    line: 'client failed after 2.0s (attempt 1 of 3): verify-failed: `npm test` exited with status 1',
    major: true,
  },
  {
    name: 'a landing with what it took',
    before: [started('schema'), finished('schema'), landing('schema')],
    event: { type: 'landing.landed', tasks: ['schema'], commit: HEAD, onto: BASE },
    line: 'schema landed as a1b2c3d4 (2.0s, 1 file +4 -0)',
    major: true,
  },
  {
    name: 'a verification of many',
    event: { type: 'landing.verifying', verification: 1, tasks: ['a', 'b', 'c', 'd', 'e'], commit: HEAD, slot: 1 },
    line: 'verifying a, b, c, d, e at a1b2c3d4',
  },
  { name: 'one that passed', event: verified(true), line: 'verification of a1b2c3d4 passed after 2.0s' },
  {
    name: 'one whose tree is known',
    event: verified(true, true),
    line: 'verification of a1b2c3d4 passed (the same tree has passed before)',
  },
  {
    name: 'one that failed',
    event: verified(false),
    line: 'verification of a1b2c3d4 failed after 2.0s: landing-failed: `npm test` exited with status 1',
    major: true,
  },
  {
    name: 'one that failed before, on the same commit',
    before: [verified(false)],
    event: verified(true),
    line: 'verification of a1b2c3d4 passed this time: it was a flake',
    major: true,
  },
  {
    name: 'one that was halted',
    event: { type: 'landing.verified', verification: 1, commit: HEAD, verdict: null },
    line: null,
  },
  {
    name: 'a conflict',
    before: refusedTry('schema').slice(0, -1),
    event: {
      type: 'landing.refused',
      tasks: ['schema'],
      onto: BASE,
      failure: { reason: 'conflict', message: 'in db.sql' },
      retry: false,
    },
    line: 'schema did not land: conflict: in db.sql',
    major: true,
  },
  {
    name: 'a conflict that is tried again',
    before: refusedTry('schema').slice(0, -1),
    event: {
      type: 'landing.refused',
      tasks: ['schema'],
      onto: BASE,
      failure: { reason: 'conflict', message: 'in db.sql' },
      retry: true,
    },
    line: 'schema did not land: conflict: in db.sql',
    major: true,
  },
  {
    name: 'a conflict that has tries left',
    before: refusedTry('client').slice(0, -1),
    event: {
      type: 'landing.refused',
      tasks: ['client'],
      onto: BASE,
      failure: { reason: 'conflict', message: 'conflicts with the landed work of schema in db.sql' },
      retry: true,
    },
    line: 'client did not land and is retried: conflicts with the landed work of schema in db.sql',
    major: true,
  },
  {
    name: 'the result of a search, which lands what others did',
    before: [started('result')],
    event: finished('result', { outcome: 'no-change' }),
    line: null,
  },
  {
    name: 'a run in which something failed or was cancelled',
    event: { type: 'run.finished', status: 'failed' },
    line: 'run checkout-7 ended: not every task succeeded',
  },
  {
    name: 'a conflict that waits for a person',
    before: refusedTry('schema').slice(0, -1),
    event: {
      type: 'landing.refused',
      tasks: ['schema'],
      onto: BASE,
      failure: { reason: 'conflict', message: 'in db.sql' },
      retry: true,
      conflict: { commit: HEAD, onto: BASE, by: 'person' },
    },
    line: 'schema did not land: conflict: in db.sql. Resolve it: `espalier resolve schema --run checkout-7`',
    major: true,
  },
  {
    name: 'a conflict that was resolved',
    event: { type: 'task.resolved', task: 'schema', conflict: HEAD, commit: BASE, diff: null, request: 1 },
    line: 'schema: conflict resolved, waits to land',
    major: true,
  },
  {
    name: 'a conflict that was given up',
    event: { type: 'task.resolved', task: 'schema', conflict: HEAD, commit: null, diff: null, request: 1 },
    line: 'schema: conflict given up',
    major: true,
  },
  {
    name: 'a run that rests for a person',
    event: { type: 'run.finished', status: 'waiting' },
    line: 'run checkout-7 waits for you',
  },
  {
    name: 'the beginning of a landing',
    event: { type: 'landing.started', items: [{ tasks: ['schema'], commit: HEAD }], onto: BASE, verify: false },
    line: null,
  },
  {
    name: 'an agent that fell silent',
    before: [started('schema')],
    event: { type: 'attempt.stalled', task: 'schema', attempt: 1, since: -359_000 },
    line: 'schema has stalled: silent for 6m 01s',
    major: true,
  },
  {
    name: 'that it stirred',
    event: { type: 'attempt.stirred', task: 'schema', attempt: 1 },
    line: 'schema is active again',
  },
  {
    name: 'a cancelled task',
    event: { type: 'task.cancelled', task: 'schema', request: 1 },
    line: 'schema was cancelled',
    major: true,
  },
  {
    name: 'nothing yet of a cancelled task that runs',
    before: [started('schema')],
    event: { type: 'task.cancelled', task: 'schema', request: 1 },
    line: null,
  },
  {
    name: 'once that it was cancelled, when it has ended',
    before: [started('schema')],
    event: finished('schema', { outcome: 'cancelled', failure: cancelled }),
    line: 'schema was cancelled after 2.0s',
    major: true,
  },
  {
    name: 'that a task whose attempt was interrupted and then cancelled does not start again',
    before: [
      started('schema'),
      { type: 'attempt.stopping', task: 'schema', attempt: 1, reason: 'interrupted' },
      { type: 'task.cancelled', task: 'schema', request: 1 },
    ],
    event: finished('schema', { outcome: 'cancelled', failure: interrupted }),
    line: 'schema was cancelled after 6.0s',
    major: true,
  },
  {
    name: 'that a cancel came too late for an agent that had ended',
    before: [
      started('schema'),
      { type: 'task.cancelled', task: 'schema', request: 1 },
      { type: 'attempt.stopping', task: 'schema', attempt: 1, reason: 'cancelled' },
    ],
    event: finished('schema'),
    line: 'schema done after 6.0s, before it could be stopped, waits to land',
    major: true,
  },
  {
    name: 'that a cancel came too late for work that was about to land',
    before: [
      ...[started('schema'), finished('schema'), landing('schema')],
      { type: 'task.cancelled', task: 'schema', request: 1 },
    ],
    event: { type: 'landing.landed', tasks: ['schema'], onto: '0'.repeat(40), commit: 'f'.repeat(40) },
    line: 'schema landed as ffffffff, before it could be cancelled (2.0s, 1 file +4 -0)',
    major: true,
  },
  {
    name: 'that a cancel came too late for what has landed',
    before: [
      started('schema'),
      finished('schema'),
      { type: 'landing.landed', tasks: ['schema'], onto: '0'.repeat(40), commit: 'f'.repeat(40) },
    ],
    event: { type: 'task.cancelled', task: 'schema', request: 1 },
    line: 'schema cannot be cancelled: it has landed',
    major: true,
  },
  {
    name: 'the reason once where the message begins with it',
    before: [started('schema')],
    event: finished('schema', { outcome: 'cancelled', failure: interrupted }),
    line: 'schema was stopped after 2.0s: interrupted: it is started again on resume',
    major: true,
  },
  {
    name: 'a task that is cancelled before it runs',
    event: { type: 'task.cancelled', task: 'schema', request: 1 },
    line: 'schema was cancelled',
    major: true,
  },
  {
    name: 'nothing where it is cancelled again',
    before: [{ type: 'task.cancelled', task: 'schema', request: 1 }],
    event: { type: 'task.cancelled', task: 'schema', request: 2 },
    line: null,
  },
  { name: 'the end', event: { type: 'run.finished', status: 'completed' }, line: 'run checkout-7 completed' },
]

for (const { name, before = [], event, line, major = false } of cases) {
  test(`says ${name}`, () => {
    const { take } = begunRun()
    for (const fact of before) take(fact)
    const told = take(event)
    assert.equal(told?.text ?? null, line)
    if (told) assert.equal(told.major, major)
  })
}

test('says what could not be written into the plan file, on one line', () => {
  const event = { type: 'plan-file.unwritten', at: 0, message: 'a\nb' } as const
  assert.deepEqual(begunRun().lines.take(event), { status: null, text: 'a b', major: true })
})

test('work that did not land has the sign of one that waits only while it has a try left', () => {
  const signsOf = (task: string, tries: number) => {
    const { take } = begunRun()
    return Array.from({ length: tries }, (_, index) => {
      for (const fact of refusedTry(task, index + 1).slice(0, -1)) take(fact)
      return take(refusal(task))?.status
    })
  }
  assert.deepEqual(signsOf('client', 3), ['pending', 'pending', 'failed'])
  assert.deepEqual(signsOf('schema', 1), ['failed'], 'it has only one try')
})
