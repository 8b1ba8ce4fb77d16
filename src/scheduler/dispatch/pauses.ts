// Pauses of agents whose provider refuses work for a while. Other agents continue, and so do tasks that name another agent
// as a fallback.
//
// Trouble of a provider is not the task's failure: the first attempts it ends use up no retry (apply/attempt.ts). A time given
// by the provider counts; otherwise the pause doubles each time. Pauses also start when the provider cannot be reached,
// refuses the login, or an agent's processes fail again and again. After a pause one attempt goes first, and the others
// follow when its model has answered. After a login that is refused twice in a row, the agent stays paused until a person
// resumes the run.
import type { EventOf, InsteadOf } from '../../event.ts'
import type { FailureReason } from '../../failure.ts'
import { agentsOf, type Work } from '../../task.ts'
import { allTokens } from '../../usage.ts'
import type { PauseView } from '../../view.ts'
import type { Pause, RunState } from '../state.ts'

/**
 * Chooses the agent of the next attempt: the first that is not paused; null while all are. A fallback does not stay:
 * the next attempt asks again. Call `endPauses` first. Empty for a shell command.
 */
export function chooseAgent({ paused }: RunState, work: Work): { agent?: string; insteadOf?: InsteadOf } | null {
  const agents = agentsOf(work)
  const [preferred] = agents
  if (preferred === undefined) return {}
  const agent = agents.find((one) => !holdsBack(paused.get(one)))
  if (agent === undefined) return null
  const pause = agent === preferred ? undefined : paused.get(preferred)
  return pause ? { agent, insteadOf: { agent: preferred, until: pause.until } } : { agent }
}

/** True during a pause, and after it while one attempt tests whether the provider answers. */
export function holdsBack(pause: Pause | undefined): boolean {
  return pause !== undefined && (!pause.isOver || pause.probe !== null)
}

/** True if all agents of this work need a login, for which waiting does not help. */
export function waitsForLogin({ paused }: RunState, work: Work): boolean {
  const agents = agentsOf(work)
  return agents.length > 0 && agents.every((agent) => paused.get(agent)?.needsLogin && holdsBack(paused.get(agent)))
}

/** Makes the first attempt after a pause the probe. */
export function noteStart(state: RunState, agent: string | undefined, task: string): void {
  const pause = agent === undefined ? undefined : state.paused.get(agent)
  if (agent === undefined || !pause) return
  Object.assign(pause, { isOver: true, probe: task })
  state.ready.pause(agent)
}

/** Ends the pause if the probe got an answer. */
export function noteAnswer(state: RunState, agent: string | undefined, task: string): void {
  if (agent !== undefined && state.paused.get(agent)?.probe === task) goOn(state, agent)
}

/** Starts, repeats or ends the pause of an agent by the way its attempt ended. */
export function noteProvider(
  state: RunState,
  agent: string | undefined,
  { task, at, failure, limitedUntil, usage }: EventOf<'attempt.finished'>,
): void {
  if (agent === undefined) return
  const pause = state.paused.get(agent)
  const isProbe = pause?.probe === task
  const saysNothing = failure !== null && NOTHING_SAID.has(failure.reason)
  const trouble = failure && TROUBLES[failure.reason]
  if (saysNothing || !trouble) {
    if (!saysNothing) state.providerTroubles.delete(agent)
    // This end is no evidence about the provider: another attempt becomes the probe.
    if (isProbe && saysNothing) nextProbe(state, agent, pause)
    else if (isProbe) goOn(state, agent)
    return
  }
  // An attempt from before the pause met the same trouble as the one that caused it: it does not count again. After answers
  // in this attempt, the trouble is new.
  const isPaused = pause !== undefined && !isProbe && pause.until > at
  const wasAnswered = usage !== null && allTokens(usage) > 0
  const before = wasAnswered && !isPaused ? 0 : (state.providerTroubles.get(agent) ?? 0)
  const troubles = isPaused && before > 0 ? before : before + 1
  state.providerTroubles.set(agent, troubles)
  const { why, firstMs, after } = trouble
  if (troubles < after) {
    if (isProbe) nextProbe(state, agent, pause)
    return
  }
  const own = at + pauseMs(firstMs, troubles - after + 1)
  const said = why === 'limited' ? (limitedUntil ?? own) : own
  // A provider that says `soon` again and again is not trusted for ever.
  const until = troubles > BELIEVED ? Math.max(said, own) : said
  const needsLogin = why === 'login' && troubles >= LOGINS_TRIED
  startPause(state, agent, { until, why, isOver: false, probe: null, ...(needsLogin ? { needsLogin } : {}) }, at)
}

/** Ends pauses that a person may have resolved before resuming: a login or the connection, not a limit. */
export function tryAgain(state: RunState): void {
  for (const [agent, pause] of state.paused)
    if (pause.probe === null && (pause.why === 'login' || pause.why === 'unreachable')) nextProbe(state, agent, pause)
}

/** Ends expired pauses, one probe each. No event records this: it follows from the events and the time. */
export function endPauses(state: RunState, now: number): void {
  for (const [agent, pause] of state.paused)
    if (!pause.isOver && !pause.needsLogin && pause.until <= now) nextProbe(state, agent, pause)
}

function nextProbe(state: RunState, agent: string, pause: Pause): void {
  Object.assign(pause, { isOver: true, probe: null })
  state.ready.goOn(agent)
}

function goOn(state: RunState, agent: string): void {
  state.paused.delete(agent)
  state.ready.goOn(agent)
}

export function pauseEnds({ paused }: RunState): number[] {
  return [...paused.values()].filter(({ isOver, needsLogin }) => !isOver && !needsLogin).map(({ until }) => until)
}

/**
 * Keeps the longer of two pauses. One that has expired by `at` does not count, whether or not `endPauses` has run
 * since.
 */
function startPause(state: RunState, agent: string, pause: Pause, at: number): void {
  const current = state.paused.get(agent)
  const isOver = !current || current.isOver || (!current.needsLogin && current.until <= at)
  const isLonger = isOver || current.until < pause.until || pause.needsLogin
  if (isLonger) state.paused.set(agent, pause)
  state.ready.pause(agent)
}

function pauseMs(firstMs: number, times: number): number {
  return Math.min(MAX_PAUSE_MS, firstMs * 2 ** Math.min(times - 1, 20))
}

const FIRST_PAUSE_MS = 10_000
/** A person needs time to log in. */
const FIRST_LOGIN_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 15 * 60_000
/** Refused logins in a row after which only a person can help. */
const LOGINS_TRIED = 2
/** Limits in a row for which the provider's own time is used as it is. */
const BELIEVED = 3
/** One crash is an accident. */
const BREAKER_AFTER = 3

/** `after`: number of troubles in a row that start a pause. */
type Trouble = { why: PauseView['why']; firstMs: number; after: number }

const BROKEN: Trouble = { why: 'broken', firstMs: FIRST_PAUSE_MS, after: BREAKER_AFTER }
const TROUBLES: Partial<Record<FailureReason, Trouble>> = {
  'rate-limited': { why: 'limited', firstMs: FIRST_PAUSE_MS, after: 1 },
  'provider-unreachable': { why: 'unreachable', firstMs: FIRST_PAUSE_MS, after: 1 },
  'login-failed': { why: 'login', firstMs: FIRST_LOGIN_PAUSE_MS, after: 1 },
  'agent-crashed': BROKEN,
  'spawn-failed': BROKEN,
}
/** Ends that are no evidence about the provider. */
const NOTHING_SAID: ReadonlySet<FailureReason> = new Set([
  'cancelled',
  'interrupted',
  'strict-stop',
  'supervisor-lost',
  'worker-lost',
  'timeout',
  'stalled',
  'worktree-broken',
  'setup-failed',
])
