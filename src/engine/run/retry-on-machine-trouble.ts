// What the machine does not let the engine do may be over in a moment: a network disk that hangs, rights that somebody is
// changing, too many open files. So it is tried again for a while, before a run stops for it.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDiskTrouble } from '../../git/run/disk-trouble.ts'
import { isMachineTrouble, isShortage } from '../../git/run/machine-trouble.ts'
import type { AttemptFolder, StateFolder } from '../../workspace/state-folder.ts'

export type Patience = {
  /** Nobody waits for it any more. */
  leaving: AbortSignal
  /** Whether the trouble is the attempt's own: then the last try is to end it. */
  isOfAttempt(error: Error): boolean
}

/** `isLast`: whatever goes wrong now, it will not be tried again. A full disk is not waited for: nobody makes room within seconds. */
export async function withPatience<T>(
  work: (tries: number, isLast: boolean) => Promise<T>,
  { leaving, isOfAttempt }: Patience,
): Promise<T> {
  for (let tries = 0, isLast = false; ; tries++) {
    try {
      return await work(tries, isLast)
    } catch (error) {
      if (isLast || leaving.aborted || !isMachineTrouble(error) || isDiskTrouble(error)) throw error
      const ms = isSpoilt(error) ? undefined : WAITS_MS[tries]
      if (ms === undefined && !isOfAttempt(error)) throw error
      if (ms === undefined) isLast = true
      else
        await wait(ms, undefined, { signal: leaving }).catch(() => {
          throw error
        })
    }
  }
}

const WAITS_MS: readonly number[] = [200, 500, 1_000, 2_000, 4_000, 8_000]

/** Something else stands where the file should be: no time changes that. */
function isSpoilt(error: Error): boolean {
  return SPOILT.has(String((error as NodeJS.ErrnoException).code))
}

const SPOILT = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'ENXIO'])

/**
 * Whether the state folder can be used all the same, after the agent has begun: then somebody has spoilt the files of this
 * one attempt, and a run that stopped for it would stop again each time it is resumed.
 */
export function isOfOneAttempt({ root, runs }: StateFolder, attempt: AttemptFolder, error: Error): boolean {
  if (isDiskTrouble(error) || isShortage(error)) return false
  try {
    if (!existsSync(attempt.iteration(1).prepared)) return false
    for (const folder of [root, runs, join(root, 'slots'), join(root, 'engine.git')]) tryOut(folder)
    return true
  } catch {
    return false
  }
}

function tryOut(folder: string): void {
  const probe = join(folder, `.probe-${randomBytes(4).toString('hex')}`)
  mkdirSync(probe)
  try {
    writeFileSync(join(probe, 'a'), 'a')
    renameSync(join(probe, 'a'), join(probe, 'b'))
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}
