/** Passes messages on at most every 250 ms: the first at once, then the newest; none of the last ones is lost. */
export class Throttle {
  readonly #send: (message: string) => void
  #waiting: string | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(send: (message: string) => void) {
    this.#send = send
  }

  push(message: string): void {
    if (this.#timer) {
      this.#waiting = message
      return
    }
    this.#send(message)
    this.#timer = setTimeout(() => this.#next(), INTERVAL_MS)
    this.#timer.unref()
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waiting !== null) this.#send(this.#waiting)
    this.#waiting = null
  }

  #next(): void {
    this.#timer = null
    const message = this.#waiting
    this.#waiting = null
    if (message !== null) this.push(message)
  }
}

const INTERVAL_MS = 250
