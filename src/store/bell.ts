// Waiting for a ring that may have come before, come several times, or never come.
import { Pause } from '../async/pause.ts'

export class Bell {
  readonly #pause = new Pause()
  #rang = false
  #isOver = false

  ring(): void {
    this.#rang = true
    this.#pause.cutShort()
  }

  /** From now on nothing waits for it. */
  end(): void {
    this.#isOver = true
    this.#pause.cutShort()
  }

  /** Whether it rang since it was asked last, or does so in time. */
  async rings(withinMs: number): Promise<boolean> {
    if (!this.#rang && !this.#isOver) await this.#pause.take(withinMs)
    const rang = this.#rang
    this.#rang = false
    return rang
  }

  /** Waits, and forgets the rings of that time. */
  async quiet(ms: number): Promise<void> {
    const end = performance.now() + ms
    for (let left = ms; left > 0 && !this.#isOver; left = end - performance.now()) await this.#pause.take(left)
    this.#rang = false
  }
}
