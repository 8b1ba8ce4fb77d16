// A machine with an error (a full disk, an unwritable folder) fails every assignment at once and would drain the whole queue. So it
// offers no slots for a while, longer each time until something works again.
export class Rest {
  readonly #offer: () => Promise<void>
  readonly #say: (line: string) => void
  #timer: NodeJS.Timeout | null = null
  #told: Promise<void> = Promise.resolve()
  #nextMs = FIRST_MS
  #isDoubtful = false

  /** `offer`: sends the current number of slots to the server. */
  constructor(offer: () => Promise<void>, say: (line: string) => void) {
    this.#offer = offer
    this.#say = say
  }

  get isResting(): boolean {
    return this.#timer !== null
  }

  /**
   * Resolves when the server knows, so that the next report brings no new work. `isGeneral`: the next assignment would fail, too;
   * otherwise the rest begins with the second failure in a row.
   */
  async begin(why: string, isGeneral: boolean): Promise<void> {
    const isToRest = isGeneral || this.#isDoubtful
    this.#isDoubtful = true
    if (!this.#timer && isToRest) this.#rest(why)
    await this.#told
  }

  /** Called after a success. */
  worked(): void {
    this.#isDoubtful = false
    this.#nextMs = FIRST_MS
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #rest(why: string): void {
    this.#say(`takes nothing more for ${this.#nextMs / 1_000} s: ${why}`)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#offer().catch(() => {})
    }, this.#nextMs)
    this.#nextMs = Math.min(2 * this.#nextMs, MOST_MS)
    this.#told = this.#offer().catch(() => {})
  }
}

const FIRST_MS = 30_000
const MOST_MS = 10 * 60_000
