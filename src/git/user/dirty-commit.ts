// The user's checkout as it is, uncommitted changes and new files included, as a commit on their HEAD. Their index, stash,
// branches and files stay as they are: only objects are added, and a run that starts from the commit keeps them.
import { ok, type Result, refuse } from '../../problem.ts'
import { gitText } from '../run/git.ts'
import { unmergedIn, worktreeTree } from './conflict-worktree.ts'
import type { UserRepository } from './repository.ts'

/** HEAD itself where nothing is uncommitted. Ignored files are left out. */
export async function dirtyCommit(user: UserRepository): Promise<Result<string>> {
  const { top, head, identity } = user
  if (user.bare) return refuse(`${top} has no checkout whose uncommitted changes could be taken`)
  if ((await unmergedIn(top)).size > 0)
    return refuse('your checkout is in the middle of a merge with conflicts: resolve them, or run without --dirty')
  const options = { cwd: top, config: 'user' } as const
  const [tree, committed] = await Promise.all([worktreeTree(top), gitText(['rev-parse', `${head}^{tree}`], options)])
  if (tree === committed) return ok(head)
  const env = {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  }
  return ok(await gitText(['commit-tree', '-p', head, '-m', 'uncommitted changes', tree], { ...options, env }))
}

/** The paths of all files of a commit in the user's repository. */
export async function filesOfCommit({ top }: UserRepository, commit: string): Promise<string[]> {
  const listed = await gitText(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], {
    cwd: top,
    config: 'user',
  })
  return listed.split('\0').filter((path) => path !== '')
}

export async function treeOfCommit({ top }: UserRepository, commit: string): Promise<string> {
  return gitText(['rev-parse', '-q', '--verify', `${commit}^{tree}`], { cwd: top, config: 'user' })
}
