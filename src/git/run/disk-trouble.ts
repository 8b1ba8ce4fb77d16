// Errors of a disk that is full, or that takes nothing for another reason. No task is to blame: none loses an attempt,
// and least of all its work, which is still in the worktree. Callers throw it on, and the run stops in order.
import { GitFailure } from './git.ts'

export function isDiskTrouble(error: unknown): boolean {
  if (error instanceof GitFailure) return SAID_BY_GIT.test(error.stderr)
  return error instanceof DiskTrouble || (error instanceof Error && CODES.has(codeOf(error)))
}

/** Disk trouble that is noticed otherwise than by a failing call. */
export class DiskTrouble extends Error {
  /** There is no folder to write to. */
  readonly isGone: boolean

  constructor(message: string, { isGone = false } = {}) {
    super(message)
    this.isGone = isGone
  }
}

/** The error, and what a person has to do. */
export function diskTroubleText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof DiskTrouble && error.isGone) return `${message}: that folder was removed while the run worked`
  const isReadOnly = codeOf(error) === 'EROFS' || /Read-only file system/.test(message)
  return `${message}: ${isReadOnly ? 'make that disk writable' : 'free some disk'}`
}

const CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

/**
 * Git does not always pass on the system's words. A file that may not be made sounds different ("unable to create").
 */
const SAID_BY_GIT =
  /^(error|fatal): (unable to write |failed to write |.*\bwrite error\b|.*couldn't write '|.*: (No space left on device|Disk quota exceeded|File too large|Read-only file system|Input\/output error)$)/m
