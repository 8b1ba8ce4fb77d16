// Whether what a person has checked out contains a commit, and what they call it.
import { type GitOptions, git } from './git.ts'
import { isPartOf } from './trace-commit.ts'

/** The branch that is checked out, or `HEAD` where none is; null where the commit is not in it. Only reads. */
export async function headWith(cwd: string, commit: string): Promise<string | null> {
  const user: GitOptions = { cwd, config: 'user' }
  if (!(await isPartOf(user, commit, 'HEAD'))) return null
  const branch = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { ...user, okCodes: [0, 1, 128] })
  return branch.code === 0 ? branch.stdout.toString('utf8').trim() : 'HEAD'
}
