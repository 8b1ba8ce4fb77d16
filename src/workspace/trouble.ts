import { isDiskTrouble } from '../git/run/disk-trouble.ts'
import { type Result, refuse } from '../problem.ts'
import { storeTrouble } from '../store/open.ts'
import type { StateFolder } from './folder.ts'

/** What `work` gives, or a refusal where the state folder does not let it write. Other errors are bugs. */
export async function unlessUnwritable<T>(folder: StateFolder, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // The lock is a database too.
    const trouble = storeTrouble(folder.lock, error)
    if (!isDiskTrouble(error) && !CODES.has(String(code)) && trouble === null) throw error
    const isFull = (isDiskTrouble(error) && code !== 'EROFS') || trouble?.includes('free some disk')
    const advice = isFull ? 'free some disk' : 'make it writable'
    return refuse(
      `the state folder ${folder.root} cannot be written (${message.trimEnd()}): ${advice}, or name another with --state-dir or \`stateDir:\``,
    )
  }
}

const CODES = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'])
