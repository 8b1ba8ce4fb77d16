// Limits the requests of one caller: a token bucket. Bounded, because callers can make up as many names as they like.

type Rate = { perSecond: number; burst: number }

export class RateLimit {
  readonly #rate: Rate
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(rate: Rate) {
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
