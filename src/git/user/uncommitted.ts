// Changes of the user's that are in no commit: a run starts from a commit and does not see them.
import { GitFailure, git } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'

/** Paths of tracked files, staged or not. None where git cannot tell: it is asked for a hint. */
export async function uncommittedPaths(top: string): Promise<string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all']
  try {
    const { stdout } = await git(args, { cwd: top, config: 'user' })
    return records(stdout).map((record) => readable(record.slice(3)))
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return []
  }
}
