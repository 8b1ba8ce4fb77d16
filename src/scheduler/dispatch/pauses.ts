// Providers that let nobody work for a while: their agents are paused, and everybody else goes on.
// That is not the task's failure: the first attempts it ends use up no retry (SPARED_ATTEMPTS). The time a provider says
// counts; otherwise the pause doubles each time.
import type { Event } from '../../event.ts'
import type { FailureReason } from '../../failure.ts'
import type { InsteadOf, PauseView } from '../../status.ts'
import { agentsOf, type Work } from '../../task.ts'
import type { RunState } from '../state.ts'

type Finished = Extract<Event, { type: 'attempt.finished' }>

type Chosen = { agent?: string; insteadOf?: InsteadOf }

/** The first of its agents that is not paused; null while all are. Asked anew for each attempt, after `endPauses`. */
export function chooseAgent({ paused }: RunState, work: Work): Chosen | null {
  const agents = agentsOf(work)
  const [preferred] = agents
  if (preferred === undefined) return {}
  const agent = agents.find((one) => !paused.has(one))
  if (agent === undefined) return null
  const pause = paused.get(preferred)
  return pause ? { agent, insteadOf: { agent: preferred, until: pause.until } } : { agent }
}

export function noteProvider(
  state: RunState,
  agent: string | undefined,
  { at, failure, limitedUntil }: Finished,
): void {
  if (agent === undefined || (failure && NOTHING_SAID.has(failure.reason))) return
  const trouble = failure && TROUBLES[failure.reason]
  if (!trouble) {
    state.providerTroubles.delete(agent)
    return
  }
  // An attempt that began before the pause met the same trouble as the one that caused it: it does not count again.
  const isPaused = (state.paused.get(agent)?.until ?? 0) > at
  const before = state.providerTroubles.get(agent) ?? 0
  const troubles = isPaused && before > 0 ? before : before + 1
  state.providerTroubles.set(agent, troubles)
  const { why, firstMs, after } = trouble
  if (troubles < after) return
  const own = at + pauseMs(firstMs, troubles - after + 1)
  const said = why === 'limited' ? (limitedUntil ?? own) : own
  // A provider that says `soon` again and again is not believed for ever.
  pause(state, agent, troubles > BELIEVED ? Math.max(said, own) : said, why)
}

/** Whoever resumes a run may have logged in, or put the connection right. A limit is not theirs to lift. */
export function tryAgain(state: RunState): void {
  for (const [agent, { why }] of state.paused) if (why === 'login' || why === 'unreachable') goOn(state, agent)
}

/** Those whose time is over go on. No event says so: it follows from the events and the time. */
export function endPauses(state: RunState, now: number): void {
  for (const [agent, { until }] of state.paused) if (until <= now) goOn(state, agent)
}

function goOn(state: RunState, agent: string): void {
  state.paused.delete(agent)
  state.ready.goOn(agent)
}

export function pauseEnds({ paused }: RunState): number[] {
  return [...paused.values()].map(({ until }) => until)
}

function pause(state: RunState, agent: string, until: number, why: PauseView['why']): void {
  const current = state.paused.get(agent)
  if (!current || current.until < until) state.paused.set(agent, { until, why })
  state.ready.pause(agent)
}

function pauseMs(firstMs: number, times: number): number {
  return Math.min(MAX_PAUSE_MS, firstMs * 2 ** Math.min(times - 1, 20))
}

const FIRST_PAUSE_MS = 10_000
const FIRST_LOGIN_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 15 * 60_000
const BELIEVED = 3
const BREAKER_AFTER = 3

/** `after`: how many in a row it takes. */
type Trouble = { why: PauseView['why']; firstMs: number; after: number }

const BROKEN: Trouble = { why: 'broken', firstMs: FIRST_PAUSE_MS, after: BREAKER_AFTER }
const TROUBLES: Partial<Record<FailureReason, Trouble>> = {
  'rate-limited': { why: 'limited', firstMs: FIRST_PAUSE_MS, after: 1 },
  'provider-unreachable': { why: 'unreachable', firstMs: FIRST_PAUSE_MS, after: 1 },
  'login-failed': { why: 'login', firstMs: FIRST_LOGIN_PAUSE_MS, after: 1 },
  'agent-crashed': BROKEN,
  'spawn-failed': BROKEN,
}
const NOTHING_SAID: ReadonlySet<FailureReason> = new Set([
  'cancelled',
  'interrupted',
  'strict-stop',
  'supervisor-lost',
  'timeout',
  'stalled',
  'worktree-broken',
  'engine-failed',
  'setup-failed',
])
