// For how long an agent has printed nothing, and reports of those that have stalled.
//
// Properties
// - An engine that takes over an agent continues counting where the engine before it was: from the newest output's time.
// - From then on time is counted, not read off the clock: a clock that jumps stalls nobody, and neither does a machine
//   that was asleep.
// - While an agent talks, its files are looked at once per stall time and not more often.
import { LIMITS } from '../../config.ts'
import { lookAtPrinted } from '../../process/supervise/chunks.ts'
import { isOutputLost } from '../../process/supervise/exit.ts'
import type { AttemptContext } from '../attempt-context.ts'

export class Silence {
  readonly #dir: string
  #mark: string
  /** How long the silence was when the files were looked at last. */
  #ms: number
  #lookedAt = performance.now()

  constructor(dir: string) {
    this.#dir = dir
    const { mark, at } = lookAtPrinted(dir)
    this.#mark = mark
    this.#ms = at === null ? 0 : Math.max(0, Date.now() - at)
  }

  /** How long the silence is, if that is `ms` or longer. */
  atLeast(ms: number): number | null {
    const now = performance.now()
    const elapsed = now - this.#lookedAt
    if (this.#ms + elapsed < ms) return null
    const { mark, at } = lookAtPrinted(this.#dir)
    // The agent printed since the last look, whatever time the clock gave to that.
    if (mark !== this.#mark) this.#ms = Math.min(elapsed, Math.max(0, Date.now() - (at ?? Date.now())))
    else this.#ms += elapsed
    this.#mark = mark
    this.#lookedAt = now
    // On a full disk nobody can tell whether the agent prints.
    return this.#ms >= ms && !isOutputLost(this.#dir) ? this.#ms : null
  }
}

/**
 * Reports that the agent of an attempt has stalled, and that it has printed again. What comes back is called when the
 * agent has ended: setup and checks may be as quiet as they like. `over`: it has, or is left to the next engine.
 */
export function watchStalls({ host, order }: AttemptContext, dir: string, over: AbortSignal): () => void {
  const { stallAfterMs } = order.settings
  // An engine that has let go already would be kept alive by the timer for ever.
  if (stallAfterMs === 0 || over.aborted) return () => {}
  const which = { task: order.task.id, attempt: order.attempt }
  const silence = new Silence(dir)
  let isStalled = false
  const look = (silentMs: number | null) => {
    if ((silentMs !== null) === isStalled) return
    isStalled = silentMs !== null
    if (silentMs === null) host.report({ type: 'attempt.stirred', ...which })
    else host.report({ type: 'attempt.stalled', ...which, since: Math.round(Date.now() - silentMs) })
  }
  const timer = setInterval(() => look(silence.atLeast(stallAfterMs)), pollMs(stallAfterMs))
  over.addEventListener('abort', () => clearInterval(timer), { once: true })
  return () => look(null)
}

/** Often enough to be right to a quarter, seldom enough to cost nothing. */
function pollMs(stallAfterMs: number): number {
  return Math.max(LIMITS.outputPollMs, Math.min(stallAfterMs / 4, LIMITS.stallPollMs))
}
