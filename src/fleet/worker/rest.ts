// A machine that cannot carry out what it was given (its disk is full, a folder cannot be written) fails whatever it gets in no
// time, and would draw the whole queue. So it offers no slots for a while, longer each time until something works again.
export class Rest {
  readonly #offer: () => Promise<void>
  readonly #say: (line: string) => void
  #timer: NodeJS.Timeout | null = null
  #told: Promise<void> = Promise.resolve()
  #nextMs = FIRST_MS
  #isDoubtful = false

  /** `offer`: tells the server how many slots there are now. */
  constructor(offer: () => Promise<void>, say: (line: string) => void) {
    this.#offer = offer
    this.#say = say
  }

  get isResting(): boolean {
    return this.#timer !== null
  }

  /**
   * Until the server knows, so that what is told to it next brings no more work. `isGeneral`: the next will fail, too. Where
   * nobody knows, it may have been that one's fault, and the next one shows.
   */
  async begin(why: string, isGeneral: boolean): Promise<void> {
    const isToRest = isGeneral || this.#isDoubtful
    this.#isDoubtful = true
    if (!this.#timer && isToRest) this.#rest(why)
    await this.#told
  }

  /** Something was carried out. */
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
