// Limits the requests of one caller, and the open streams (events, followed logs): each holds memory and a connection for as long as
// its reader likes.
import type { ServerLimits } from '../limits.ts'
import type { Token } from '../tokens/token-store.ts'

/** Counts a request. Returns the seconds until the caller may try again; 0: now. */
export type RateLimit = (caller: string, now: number) => number

/** A token bucket. Bounded, because callers can make up as many names as they like. */
export function rateLimit({ perSecond, burst }: ServerLimits['rate']): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>()
  return (caller, now) => {
    const known = buckets.get(caller)
    const left = Math.min(burst, (known?.left ?? burst) + (known ? ((now - known.at) / 1000) * perSecond : 0))
    buckets.delete(caller) // the newest are last
    buckets.set(caller, { left: Math.max(0, left - 1), at: now })
    const [oldest] = buckets.keys()
    if (buckets.size > MOST_CALLERS && oldest !== undefined) buckets.delete(oldest)
    return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}

const MOST_CALLERS = 10_000

export type OpenStreams = ReturnType<typeof openStreams>

export function openStreams(limits: ServerLimits) {
  const streams = new Set<{ token: string }>()
  return {
    get count(): number {
      return streams.size
    },

    /** Null: the limit is reached. */
    open({ id: token }: Pick<Token, 'id'>): Disposable | null {
      const mine = [...streams].filter((stream) => stream.token === token)
      if (streams.size >= limits.streams || mine.length >= limits.streamsOfToken) return null
      const stream = { token, [Symbol.dispose]: () => void streams.delete(stream) }
      streams.add(stream)
      return stream
    },
  }
}
