// For how long an agent has printed nothing.
//
// Properties
// - An engine that takes an agent over goes on counting where the one before it was: from the newest output's time.
// - From then on time is counted, not read off the clock: a clock that jumps stalls nobody, and neither does a machine
//   that was asleep.
// - While an agent talks, its files are looked at once per stall time and not more often.
import { isOutputLost } from '../../process/supervise/exit.ts'
import { lookAtPrinted } from '../../process/supervise/printed.ts'

export class Silence {
  readonly #dir: string
  #mark: string
  /** How long it was when the files were looked at last. */
  #ms: number
  #lookedAt = performance.now()

  constructor(dir: string) {
    this.#dir = dir
    const { mark, at } = lookAtPrinted(dir)
    this.#mark = mark
    this.#ms = at === null ? 0 : Math.max(0, Date.now() - at)
  }

  /** How long it is, if that is `ms` or longer. */
  atLeast(ms: number): number | null {
    const now = performance.now()
    const elapsed = now - this.#lookedAt
    if (this.#ms + elapsed < ms) return null
    const { mark, at } = lookAtPrinted(this.#dir)
    // It printed since the last look, whatever time the clock gave to that.
    if (mark !== this.#mark) this.#ms = Math.min(elapsed, Math.max(0, Date.now() - (at ?? Date.now())))
    else this.#ms += elapsed
    this.#mark = mark
    this.#lookedAt = now
    // On a full disk nobody can tell whether it prints.
    return this.#ms >= ms && !isOutputLost(this.#dir) ? this.#ms : null
  }
}
