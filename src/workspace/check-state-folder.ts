// Checks of the place where the state of a repository is kept.
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { GitFailure } from '../git/run/git.ts'
import { isDiskTrouble, isMachineTrouble, machineTroubleText } from '../git/run/machine-trouble.ts'
import type { UserRepository } from '../git/user/repository.ts'
import { type Problem, problem, type Result, refuse } from '../problem.ts'
import { storeTrouble } from '../store/open.ts'
import type { StateFolder } from './state-folder.ts'

/** The engine's state has a place of its own: beside a checkout, never in it. */
export async function checkPlace(user: UserRepository, { root }: StateFolder): Promise<Problem[]> {
  if (user.bare) return [problem(`${user.top} is a bare repository: run espalier in a checkout of it`)]
  const real = await realFuture(root)
  for (const [what, folder] of [
    ['checkout', user.top],
    ['git directory', user.gitDir],
    ['git directory', user.commonDir],
  ] as const) {
    if (!isWithin(await realFuture(folder), real)) continue
    const message = `the state folder ${root} is inside the ${what} ${folder}: name a folder outside of it with --state-dir or \`stateDir:\``
    return [problem(message)]
  }
  return []
}

/** The real path of a file that need not exist yet: links of its existing folders are followed. */
async function realFuture(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null || dirname(path) === path) return real ?? path
  return join(await realFuture(dirname(path)), basename(path))
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}

/** The result of `work`, or a refusal if the state folder or the machine does not let it. Other errors are bugs. */
export async function unlessUnwritable<T>(folder: StateFolder, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const place = error instanceof GitFailure && isDiskTrouble(error) ? error.folder : null
    if (place !== null && !isWithin(folder.root, place))
      return refuse(`${place} cannot be written: ${machineTroubleText(error)}`)
    // The lock is a database too.
    const trouble = storeTrouble(folder.lock, error)
    if (!isDiskTrouble(error) && !CODES.has(String(code)) && trouble === null) {
      if (isMachineTrouble(error)) return refuse(machineTroubleText(error))
      throw error
    }
    if (trouble?.includes('ulimit')) return refuse(trouble)
    const isFull = (isDiskTrouble(error) && code !== 'EROFS') || trouble?.includes('free some disk')
    const advice = isFull ? 'free some disk' : 'make it writable'
    return refuse(
      `the state folder ${folder.root} cannot be written (${message.trimEnd()}): ${advice}, or name another with --state-dir or \`stateDir:\``,
    )
  }
}

const CODES = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP'])
