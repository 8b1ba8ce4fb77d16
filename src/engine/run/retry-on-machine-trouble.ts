// What the machine does not let the engine do may be over in a moment: a network disk that hangs, rights that somebody is
// changing, too many open files. So it is tried again for a while, before a run stops for it.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PauseAfter } from '../../async/retry.ts'
import { LIMITS } from '../../config.ts'
import { isDiskTrouble } from '../../git/run/disk-trouble.ts'
import { isMachineTrouble, isShortage } from '../../git/run/machine-trouble.ts'
import type { AttemptFolder, StateFolder } from '../../workspace/state-folder.ts'

/**
 * A full disk is not waited for: nobody makes room within seconds. `isOfAttempt`: whether the trouble is the attempt's own;
 * then a last try is to end it.
 */
export function afterMachineTrouble(isOfAttempt: (error: Error) => boolean): PauseAfter {
  return (error, tries) => {
    if (!isMachineTrouble(error) || isDiskTrouble(error)) return null
    const pause = isSpoilt(error) ? undefined : LIMITS.attemptRetriesMs[tries]
    return pause ?? (isOfAttempt(error) ? 'last-try' : null)
  }
}

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
