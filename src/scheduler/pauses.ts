// Providers that let nobody work for a while. Their agents are paused; everybody else goes on.
//
// A limit is the provider's state, not the task's failure: it uses up no retry. When the provider says until when, that
// counts; otherwise the pause doubles each time, and so it does when an agent's processes break again and again.
import type { Event } from '../event.ts'
import type { FailureReason } from '../failure.ts'
import type { PauseView } from '../status.ts'
import { agentOf, type RunState } from './state.ts'

type Finished = Extract<Event, { type: 'attempt.finished' }>

/** What the end of an attempt says of its agent's provider. */
export function noteProvider(state: RunState, task: number, { at, failure, limitedUntil }: Finished): void {
  const agent = agentOf(state, task)
  if (agent === '' || (failure && NOTHING_SAID.has(failure.reason))) return
  const isLimit = failure?.reason === 'rate-limited'
  if (!isLimit && !(failure && BROKEN.has(failure.reason))) {
    state.providerTroubles.delete(agent)
    return
  }
  const troubles = (state.providerTroubles.get(agent) ?? 0) + 1
  state.providerTroubles.set(agent, troubles)
  if (isLimit) pause(state, agent, limitedUntil ?? at + pauseMs(troubles), 'limited')
  else if (troubles >= BREAKER_AFTER) pause(state, agent, at + pauseMs(troubles - BREAKER_AFTER + 1), 'broken')
}

/** Those whose time is over go on. No event says so: it follows from the events and the time. */
export function endPauses(state: RunState, now: number): void {
  for (const [agent, { until }] of state.paused) {
    if (until > now) continue
    state.paused.delete(agent)
    state.ready.goOn(agent)
  }
}

export function pauseEnds({ paused }: RunState): number[] {
  return [...paused.values()].map(({ until }) => until)
}

/** Of two pauses the longer one counts. */
function pause(state: RunState, agent: string, until: number, why: PauseView['why']): void {
  const current = state.paused.get(agent)
  if (!current || current.until < until) state.paused.set(agent, { until, why })
  state.ready.pause(agent)
}

function pauseMs(times: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(times - 1, 20))
}

const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 15 * 60_000
/** One crash is an accident. */
const BREAKER_AFTER = 3

const BROKEN: ReadonlySet<FailureReason> = new Set(['agent-crashed', 'spawn-failed'])
/** Its end was decided elsewhere. */
const NOTHING_SAID: ReadonlySet<FailureReason> = new Set([
  'cancelled',
  'interrupted',
  'strict-stop',
  'supervisor-lost',
  'timeout',
  'stalled',
  'worktree-broken',
  'setup-failed',
])
