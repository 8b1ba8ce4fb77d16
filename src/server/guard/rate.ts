// Limits the requests of one caller, and the open streams (events, followed logs): each holds memory and a connection for as long as
// its reader likes.
import type { ServerLimits } from '../limits.ts'
import type { Token } from '../tokens/token-store.ts'

/** A token bucket. Bounded, because callers can make up as many names as they like. */
export class RateLimit {
  readonly #rate: ServerLimits['rate']
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(rate: ServerLimits['rate']) {
    this.#rate = rate
  }

  /** Seconds until the caller may try again; 0: now. */
  take(caller: string, now: number): number {
    const { perSecond, burst } = this.#rate
    const known = this.#buckets.get(caller)
    const left = Math.min(burst, (known?.left ?? burst) + (known ? ((now - known.at) / 1000) * perSecond : 0))
    this.#buckets.delete(caller) // the newest are last
    this.#buckets.set(caller, { left: Math.max(0, left - 1), at: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > MOST_CALLERS && oldest !== undefined) this.#buckets.delete(oldest)
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}

const MOST_CALLERS = 10_000

export class OpenStreams {
  readonly #limits: ServerLimits
  readonly #open = new Set<{ token: string }>()

  constructor(limits: ServerLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#open.size
  }

  /** Null: the limit is reached. */
  open({ id: token }: Pick<Token, 'id'>): Disposable | null {
    const mine = [...this.#open].filter((stream) => stream.token === token)
    if (this.count >= this.#limits.streams || mine.length >= this.#limits.streamsOfToken) return null
    const stream = { token, [Symbol.dispose]: () => void this.#open.delete(stream) }
    this.#open.add(stream)
    return stream
  }
}
