// Errors that keep the engine from its part although no work is at fault: a full disk, a folder without the right to
// write, no more open files. They cost no task a try, unless only the files of one
// attempt are damaged. Work stays in its worktree. Callers throw them on; the engine has some patience, then the run stops in
// order and says what to do.
import { GitFailure } from './git.ts'

/** An error of the machine or of git. Anything else is a bug. */
export function isMachineTrouble(error: unknown): error is Error {
  return isDiskTrouble(error) || error instanceof GitFailure || (error instanceof Error && systemCode(error) !== null)
}

/** Machine trouble that may be about the files at hand: neither a full disk nor a shortage of the moment. */
export function isLocalTrouble(error: unknown): error is Error {
  return isMachineTrouble(error) && !isDiskTrouble(error) && !isShortage(error)
}

/** A disk that is full, or that takes nothing for another reason. */
export function isDiskTrouble(error: unknown): boolean {
  if (error instanceof GitFailure) return DISK_IN_GIT.test(error.stderr)
  return error instanceof DiskTrouble || DISK_CODES.has(codeOf(error))
}

/** Disk trouble that is noticed otherwise than by a failing call. */
export class DiskTrouble extends Error {
  readonly advice: string

  constructor(message: string, advice = 'free some disk') {
    super(message)
    this.advice = advice
  }
}

/** A shortage of the moment, which says nothing of the file at hand. */
export function isShortage(error: unknown): boolean {
  if (error instanceof GitFailure) return SHORTAGE_IN_GIT.test(error.stderr)
  return error instanceof Error && SHORTAGES.has(systemCode(error) ?? '')
}

/** The shortage that kept a process from starting; null: the program itself is to blame. */
export function shortageIn(message: string): Error | null {
  const [code] = /\b(EMFILE|ENFILE|ENOMEM|EAGAIN)\b/.exec(message) ?? []
  return code === undefined ? null : Object.assign(new Error(message), { code, syscall: 'spawn' })
}

/** The error, and what a person has to do. */
export function machineTroubleText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const advice = adviceFor(error, message)
  return advice === null ? message : `${message}: ${advice}`
}

function adviceFor(error: unknown, message: string): string | null {
  const code = codeOf(error)
  const stderr = error instanceof GitFailure ? error.stderr : ''
  if (error instanceof DiskTrouble) return error.advice
  if (isDiskTrouble(error))
    return code === 'EROFS' || /Read-only file system/.test(message) ? 'make that disk writable' : 'free some disk'
  if (code === 'EMFILE' || code === 'ENFILE' || /Too many open files|EMFILE|ENFILE/.test(stderr))
    return 'allow more open files (`ulimit -n`), or run fewer tasks at once with -j'
  if (isShortage(error)) return 'give it more memory and processes (`ulimit -u`), or run fewer tasks at once with -j'
  if (/cannot lock ref .*unable to create directory/.test(stderr)) return 'make that folder writable'
  if (/not a git repository/.test(stderr))
    return 'it was removed while the run worked; it is made again when you resume'
  if (code === 'EACCES' || code === 'EPERM' || /Permission denied|insufficient permission/.test(stderr))
    return 'give your user the right to do that'
  return null
}

const DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'])
/**
 * Git does not always pass on the system's words. A file that may not be made sounds different ("unable to create").
 */
const DISK_IN_GIT =
  /^(error|fatal): (unable to write |failed to write |.*\bwrite error\b|.*couldn't write '|.*: (No space left on device|Disk quota exceeded|File too large|Read-only file system|Input\/output error)$)/m
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ENOBUFS'])
const SHORTAGE_IN_GIT =
  /Too many open files|Cannot allocate memory|Resource temporarily unavailable|unable to (fork|create thread)|Out of memory|\b(EMFILE|ENFILE|ENOMEM|EAGAIN)\b/

function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as NodeJS.ErrnoException).code) : ''
}

/** The code of an error of the operating system; null: another error. */
function systemCode(error: Error): string | null {
  const { code, errno, syscall } = error as NodeJS.ErrnoException
  return typeof code === 'string' && (errno !== undefined || syscall !== undefined) ? code : null
}
