// Which of some files in the user's checkout have changes that are in no commit. Untracked ones have none that anybody follows.
import { GitFailure, git } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'
import type { UserRepository } from './repository.ts'

/** None where git cannot tell: it is asked for a hint, after something has been done that must not look as if it had failed. */
export async function uncommittedAmong({ top }: UserRepository, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all']
  try {
    // Git looks at every file of the checkout where none are named. A path is a path, whatever characters it has.
    const named = paths.length <= MAX_PATHSPECS ? paths : []
    const options = { cwd: top, config: 'user', env: { GIT_LITERAL_PATHSPECS: '1' } } as const
    const { stdout } = await git([...args, '--', ...named], options)
    const changed = new Set(records(stdout).map((record) => readable(record.slice(3))))
    return paths.filter((path) => changed.has(path))
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return []
  }
}

/** A command line has a limit. */
const MAX_PATHSPECS = 500
