// Whether what a person has checked out contains a commit, and what they call it.
import { type GitOptions, git } from '../run/git.ts'
import { isPartOf } from '../trees/trace-commit.ts'

/** The branch that is checked out, or `HEAD` where none is; and which of the commits are in it. Only reads. */
export async function headWith(
  cwd: string,
  commits: readonly string[],
): Promise<{ head: string; has: ReadonlySet<string> }> {
  const user: GitOptions = { cwd, config: 'user' }
  const has = new Set<string>()
  for (const commit of new Set(commits)) if (await isPartOf(user, commit, 'HEAD')) has.add(commit)
  const branch = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { ...user, okCodes: [0, 1, 128] })
  return { head: branch.code === 0 ? branch.stdout.toString('utf8').trim() : 'HEAD', has }
}
