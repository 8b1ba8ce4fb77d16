// Tests wait for a condition, never for a time.
import { setTimeout as wait } from 'node:timers/promises'

/** Resolves with the first truthy answer; rejects, naming what was awaited, when it does not come in time. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const answer = await condition()
    if (answer) return answer as Exclude<T, false | null | undefined | 0 | ''>
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await wait(POLL_MS)
  }
}

const POLL_MS = 10
