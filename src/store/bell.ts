// A wake-up call: `rings` returns at once if the bell rang before, and several rings count once.
import { Pause } from '../async/pause.ts'

export class Bell {
  readonly #pause = new Pause()
  #rang = false
  #isOver = false

  ring(): void {
    this.#rang = true
    this.#pause.cutShort()
  }

  /** Ends the current wait and all later ones. */
  end(): void {
    this.#isOver = true
    this.#pause.cutShort()
  }

  /** True if it has rung since the last call, or rings within this time. */
  async rings(withinMs: number): Promise<boolean> {
    if (!this.#rang && !this.#isOver) await this.#pause.take(withinMs)
    const rang = this.#rang
    this.#rang = false
    return rang
  }

  /** Waits this time, and forgets rings during it. */
  async quiet(ms: number): Promise<void> {
    const end = performance.now() + ms
    for (let left = ms; left > 0 && !this.#isOver; left = end - performance.now()) await this.#pause.take(left)
    this.#rang = false
  }
}
