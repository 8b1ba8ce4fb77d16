// How long an agent has printed nothing, and reports of agents that have stalled.
//
// Properties
// - An engine that takes over an agent continues counting from the time of the newest output.
// - From then on time is counted, not read off the clock: a clock that jumps stalls nobody, nor does a machine that
//   slept.
// - While an agent talks, its files are looked at once per stall time and not more often.
import { LIMITS } from '../../config.ts'
import { isOutputLost } from '../../process/supervise/exit.ts'
import { lookAtPrinted } from '../../process/supervise/output.ts'
import type { AttemptContext } from '../attempt-context.ts'

export class Silence {
  readonly #dir: string
  #mark: string
  /** Length of the silence at the last look. */
  #ms: number
  #lookedAt = performance.now()

  constructor(dir: string) {
    this.#dir = dir
    const { mark, at } = lookAtPrinted(dir)
    this.#mark = mark
    this.#ms = at === null ? 0 : Math.max(0, Date.now() - at)
  }

  /** Length of the silence; null: shorter than `ms`. */
  atLeast(ms: number): number | null {
    const now = performance.now()
    const elapsed = now - this.#lookedAt
    if (this.#ms + elapsed < ms) return null
    const { mark, at } = lookAtPrinted(this.#dir)
    // The agent printed since the last look, whatever the clock says.
    if (mark !== this.#mark) this.#ms = Math.min(elapsed, Math.max(0, Date.now() - (at ?? Date.now())))
    else this.#ms += elapsed
    this.#mark = mark
    this.#lookedAt = now
    // On a full disk nobody can tell whether the agent prints.
    return this.#ms >= ms && !isOutputLost(this.#dir) ? this.#ms : null
  }
}

/**
 * Reports that the agent has stalled, and that it prints again. Returns a function to call at the agent's end: setup
 * and checks may be as quiet as they like. `over`: the agent has ended, or is left to the next engine.
 */
export function watchStalls({ host, order }: AttemptContext, dir: string, over: AbortSignal): () => void {
  const { stallAfterMs } = order.settings
  // The timer would keep an engine alive that has let go already.
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
