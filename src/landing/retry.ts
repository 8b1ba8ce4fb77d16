// Landing with patience: a disk that is full, a git that hangs or a lock that stays is tried again a few times. The
// journal says that the landing is under way, so whoever gives up loses nothing: the next engine takes it up.
import { setTimeout as wait } from 'node:timers/promises'
import type { Fact } from '../event.ts'
import { diskTroubleText, isDiskTrouble } from '../git/run/disk-trouble.ts'
import { GitFailure } from '../git/run/git.ts'

export type Landing = { ok: true; facts: Fact[] } | { ok: false; message: string }

export async function landAgain(land: () => Promise<Fact[]>, waitsMs: readonly number[] = WAITS_MS): Promise<Landing> {
  for (let tries = 0; ; tries++) {
    try {
      return { ok: true, facts: await land() }
    } catch (error) {
      if (!isTrouble(error)) throw error
      const pause = waitsMs[tries]
      if (pause === undefined)
        return { ok: false, message: isDiskTrouble(error) ? diskTroubleText(error) : error.message }
      await wait(pause)
    }
  }
}

const WAITS_MS = [250, 1_000, 3_000]

/** Of the machine or of git. Anything else is a bug. */
function isTrouble(error: unknown): error is Error {
  return error instanceof GitFailure || (error instanceof Error && 'code' in error && 'errno' in error)
}
