// A disk that is full, or takes nothing for another reason. That is nothing a task did: it must cost none an attempt,
// and least of all its work, which is still in the worktree. Whoever meets it throws it on, and the run stops in order.
import { GitFailure } from './git.ts'

export function isDiskTrouble(error: unknown): error is Error {
  if (error instanceof GitFailure) return SAID_BY_GIT.test(error.stderr)
  return error instanceof Error && CODES.has(String((error as NodeJS.ErrnoException).code))
}

const CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])

/** At the end of a line: what stands before it may be a path that an agent has named. */
const SAID_BY_GIT =
  /(: No space left on device|: Disk quota exceeded|: File too large|: Read-only file system|: Input\/output error|unable to write new index file)$/m
