// Whether what a person has checked out contains a commit, and what they call it.
import { type GitOptions, git } from '../run/git.ts'
import { isPartOf } from '../trees/trace-commit.ts'

/** The branch that is checked out, or `HEAD` where none is; null where the commit is not in it. Only reads. */
export async function headWith(cwd: string, commit: string): Promise<string | null> {
  const user: GitOptions = { cwd, config: 'user' }
  return (await isPartOf(user, commit, 'HEAD')) ? await headName(user) : null
}

/** The same of several commits: those that are in it. */
export async function headWithSome(
  cwd: string,
  commits: readonly string[],
): Promise<{ head: string; has: ReadonlySet<string> }> {
  const user: GitOptions = { cwd, config: 'user' }
  const has = new Set<string>()
  for (const commit of new Set(commits)) if (await isPartOf(user, commit, 'HEAD')) has.add(commit)
  return { head: await headName(user), has }
}

async function headName(user: GitOptions): Promise<string> {
  const branch = await git(['symbolic-ref', '-q', '--short', 'HEAD'], { ...user, okCodes: [0, 1, 128] })
  return branch.code === 0 ? branch.stdout.toString('utf8').trim() : 'HEAD'
}
