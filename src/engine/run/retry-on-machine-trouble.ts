// Retries for errors of the environment that may pass quickly: a network disk that hangs, changing rights, too many open files.
// A run stops only after these.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PauseAfter } from '../../async/retry.ts'
import { LIMITS } from '../../config.ts'
import { isDiskTrouble, isMachineTrouble, isShortage } from '../../git/run/machine-trouble.ts'
import type { AttemptFolder, StateFolder } from '../../workspace/state-folder.ts'

/**
 * A full disk is not waited for: nobody makes room within seconds. `isOfAttempt`: whether the trouble is the attempt's own; a
 * last start then ends it.
 */
export function afterMachineTrouble(isOfAttempt: (error: Error) => boolean): PauseAfter {
  return (error, tries) => {
    if (!isMachineTrouble(error) || isDiskTrouble(error)) return null
    const isSpoilt = SPOILT.has(String((error as NodeJS.ErrnoException).code))
    const pause = isSpoilt ? undefined : LIMITS.attemptRetriesMs[tries]
    return pause ?? (isOfAttempt(error) ? 'last-start' : null)
  }
}

/** Something else stands in the place of the file: waiting does not help. */
const SPOILT = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'ENXIO'])

/**
 * Whether the state folder works otherwise, after the agent has begun: then the files of this one attempt are damaged, and a
 * run that stopped for it would stop again each time it is resumed.
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
