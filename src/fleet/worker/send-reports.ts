// Sends facts of an attempt and messages of its agent to the server a few times a second.
import type { AttemptReport } from '../../attempt/attempt-order.ts'

export type Said = { at: number; message: string }

export class Reports {
  readonly #send: (facts: AttemptReport[], progress: Said[]) => Promise<void>
  #facts: AttemptReport[] = []
  #progress: Said[] = []
  #sending: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null

  constructor(send: (facts: AttemptReport[], progress: Said[]) => Promise<void>) {
    this.#send = send
  }

  fact(fact: AttemptReport): void {
    this.#facts.push(fact)
    this.#later()
  }

  progress(message: string): void {
    this.#progress = [...this.#progress.slice(-MOST_SAID), { at: Date.now(), message: message.slice(0, 2_000) }]
    this.#later()
  }

  async flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    while (this.#facts.length + this.#progress.length > 0) {
      const [facts, progress] = [this.#facts.splice(0, MOST_FACTS), this.#progress.splice(0)]
      this.#sending = this.#sending.then(() => this.#send(facts, progress))
    }
    await this.#sending
  }

  #later(): void {
    this.#timer ??= setTimeout(() => void this.flush(), REPORT_MS)
  }
}

const REPORT_MS = 250
const MOST_SAID = 20
/** The most that the server accepts in one request. */
const MOST_FACTS = 50
