// Work that is done and cannot be kept, because the disk is full, is nowhere else. So it waits for room: as long as it took to do,
// and no longer than a person would wait before it is done again on another machine.
import { setTimeout as wait } from 'node:timers/promises'
import { isDiskTrouble } from '../../git/run/disk-trouble.ts'

type Options = {
  /** Whether there is something to be kept. */
  isWorth(): boolean
  /** Nobody waits for it any more. */
  over: AbortSignal
  waits(error: unknown): void
}

export async function untilThereIsRoom<T>(work: () => Promise<T>, { isWorth, over, waits }: Options): Promise<T> {
  const startedAt = performance.now()
  for (let until: number | null = null; ; ) {
    try {
      return await work()
    } catch (error) {
      const now = performance.now()
      until ??= now + Math.min(now - startedAt, MOST_MS)
      if (!isDiskTrouble(error) || over.aborted || now >= until || !isWorth()) throw error
      waits(error)
      await wait(Math.min(LOOK_MS, until - now), undefined, { signal: over }).catch(() => {})
    }
  }
}

const MOST_MS = 15 * 60_000
const LOOK_MS = 2_000
