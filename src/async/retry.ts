// Work that may succeed in a moment, tried again: the one loop for it. Who calls it says which errors pass, and how long to wait.
import { setTimeout as wait } from 'node:timers/promises'

/** The pause before the next try in ms; `last-start`: at once, and its error stands; null: the error stands. */
export type PauseAfter = (error: unknown, tries: number) => number | 'last-start' | null

/** `over`: nobody waits for it any more, so the error stands. */
export async function retry<T>(
  work: (tries: number, isLast: boolean) => Promise<T>,
  pauseAfter: PauseAfter,
  over?: AbortSignal,
): Promise<T> {
  for (let tries = 0, isLast = false; ; tries++) {
    try {
      return await work(tries, isLast)
    } catch (error) {
      const pause: ReturnType<PauseAfter> = isLast || over?.aborted ? null : pauseAfter(error, tries)
      if (pause === null) throw error
      isLast = pause === 'last-start'
      await wait(pause === 'last-start' ? 0 : pause, undefined, over && { signal: over }).catch(() => {
        throw error
      })
    }
  }
}

/** `first`, twice that, … up to `most`. */
export function doubled(tries: number, { first, most }: { first: number; most: number }): number {
  return Math.min(first * 2 ** tries, most)
}
