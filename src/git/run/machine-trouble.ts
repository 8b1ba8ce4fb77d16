// Errors that keep the engine from its part although no work is at fault: a full disk, a folder without the right to
// write, no more open files. They cost no task a try. Callers throw them on; the engine has some patience, then the run
// stops in order and says what to do.
import { diskTroubleText, isDiskTrouble } from './disk-trouble.ts'
import { GitFailure } from './git.ts'

/** An error of the machine or of git. Anything else is a bug. */
export function isMachineTrouble(error: unknown): error is Error {
  return isDiskTrouble(error) || error instanceof GitFailure || (error instanceof Error && codeOf(error) !== null)
}

/** A shortage of the moment, which says nothing of the file at hand. */
export function isShortage(error: unknown): boolean {
  if (error instanceof GitFailure) return SAID_BY_GIT.test(error.stderr)
  return error instanceof Error && SHORTAGES.has(codeOf(error) ?? '')
}

/** The shortage that kept a process from starting; null: the program itself is to blame. */
export function shortageIn(message: string): Error | null {
  const [code] = /\b(EMFILE|ENFILE|ENOMEM|EAGAIN)\b/.exec(message) ?? []
  return code === undefined ? null : Object.assign(new Error(message), { code, syscall: 'spawn' })
}

/** The error, and what a person has to do. */
export function machineTroubleText(error: unknown): string {
  if (isDiskTrouble(error)) return diskTroubleText(error)
  const message = error instanceof Error ? error.message : String(error)
  const advice = adviceOf(error)
  return advice === null ? message : `${message}: ${advice}`
}

function adviceOf(error: unknown): string | null {
  const said = error instanceof GitFailure ? error.stderr : ''
  const code = error instanceof Error ? codeOf(error) : null
  if (code === 'EMFILE' || code === 'ENFILE' || /Too many open files|EMFILE|ENFILE/.test(said))
    return 'allow more open files (`ulimit -n`), or run fewer tasks at once with -j'
  if (isShortage(error)) return 'give it more memory and processes (`ulimit -u`), or run fewer tasks at once with -j'
  if (/cannot lock ref .*unable to create directory/.test(said)) return 'make that folder writable'
  if (/not a git repository/.test(said)) return 'it was removed while the run worked; it is made again when you resume'
  if (code === 'EACCES' || code === 'EPERM' || /Permission denied|insufficient permission/.test(said))
    return 'give your user the right to do that'
  return null
}

const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ENOBUFS'])
const SAID_BY_GIT =
  /Too many open files|Cannot allocate memory|Resource temporarily unavailable|unable to (fork|create thread)|Out of memory|\b(EMFILE|ENFILE|ENOMEM|EAGAIN)\b/

function codeOf(error: Error): string | null {
  const { code, errno, syscall } = error as NodeJS.ErrnoException
  return typeof code === 'string' && (errno !== undefined || syscall !== undefined) ? code : null
}
