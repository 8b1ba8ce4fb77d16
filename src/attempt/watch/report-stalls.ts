// How long an agent has printed nothing, and reports of agents that have stalled.
//
// Properties
// - An engine that takes over an agent continues counting from the time of the newest output.
// - From then on time is counted, not read off the clock: a clock that jumps stalls nobody, nor does a machine that
//   slept.
// - While an agent talks, its files are looked at once per stall time and not more often.
import { LIMITS } from '../../config.ts'
import { isOutputLost } from '../../process/supervise/exit.ts'
import { lookAtPrinted } from '../../process/supervise/read-output.ts'
import type { AttemptContext } from '../attempt-context.ts'

/**
 * Reports that the agent has stalled, and that it prints again. Returns a function to call at the agent's end: setup
 * and checks may be as quiet as they like. `over`: the agent has ended, or is left to the next engine.
 */
export function watchStalls({ host, order }: AttemptContext, dir: string, over: AbortSignal): () => void {
  const { stallAfterMs } = order.settings
  // The timer would keep an engine alive that has let go already.
  if (stallAfterMs === 0 || over.aborted) return () => {}
  const which = { task: order.task.id, attempt: order.attempt }
  const silentFor = silenceIn(dir)
  let isStalled = false
  const look = (silentMs: number | null) => {
    if ((silentMs !== null) === isStalled) return
    isStalled = silentMs !== null
    if (silentMs === null) host.report({ type: 'attempt.stirred', ...which })
    else host.report({ type: 'attempt.stalled', ...which, since: Math.round(Date.now() - silentMs) })
  }
  const timer = setInterval(() => look(silentFor(stallAfterMs)), pollMs(stallAfterMs))
  over.addEventListener('abort', () => clearInterval(timer), { once: true })
  return () => look(null)
}

/** A function that gives the length of the silence; null: shorter than `ms`. */
function silenceIn(dir: string): (ms: number) => number | null {
  const first = lookAtPrinted(dir)
  let { mark } = first
  let silentMs = first.at === null ? 0 : Math.max(0, Date.now() - first.at)
  let lookedAt = performance.now()
  return (ms) => {
    const now = performance.now()
    const elapsed = now - lookedAt
    if (silentMs + elapsed < ms) return null
    const printed = lookAtPrinted(dir)
    // The agent printed since the last look, whatever the clock says.
    if (printed.mark !== mark) silentMs = Math.min(elapsed, Math.max(0, Date.now() - (printed.at ?? Date.now())))
    else silentMs += elapsed
    mark = printed.mark
    lookedAt = now
    // On a full disk nobody can tell whether the agent prints.
    return silentMs >= ms && !isOutputLost(dir) ? silentMs : null
  }
}

/** Often enough to be right to a quarter, seldom enough to cost nothing. */
function pollMs(stallAfterMs: number): number {
  return Math.max(LIMITS.outputPollMs, Math.min(stallAfterMs / 4, LIMITS.stallPollMs))
}
