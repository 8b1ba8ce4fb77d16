// The user's checkout: its uncommitted changes, and the paths it has.
import { ok, type Result, refuse } from '../../problem.ts'
import { asPerson, GitFailure, gitLines, gitRecords, gitText, LITERAL, MAX_PATHSPECS } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'
import { unmergedIn, worktreeTree } from './linked-worktree.ts'
import type { UserRepository } from './repository.ts'

/**
 * The checkout with uncommitted changes and new files, as a commit on HEAD; HEAD itself if there are none. Ignored
 * files are left out. The user's index, stash, branches and files stay as they are: only objects are added, and a run
 * that starts from the commit keeps them.
 */
export async function dirtyCommit(user: UserRepository): Promise<Result<string>> {
  const { top, head, identity } = user
  if (user.bare) return refuse(`${top} has no checkout whose uncommitted changes could be taken`)
  if ((await unmergedIn(top)).size > 0)
    return refuse('your checkout is in the middle of a merge with conflicts: resolve them, or run without --dirty')
  const options = asPerson(top)
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

export async function filesOfCommit({ top }: Pick<UserRepository, 'top'>, commit: string): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]
  return (await gitRecords(args, asPerson(top))).map(readable)
}

/** Tracked files (of `among`) with changes, staged or not. None if git cannot tell: this is for a hint. */
export async function uncommittedPaths(top: string, among: readonly string[] | null = null): Promise<string[]> {
  if (among?.length === 0) return []
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all']
  // Git looks at every file of the checkout if none are named.
  const named = among && among.length <= MAX_PATHSPECS ? among : []
  try {
    const records = await gitRecords([...args, '--', ...named], { ...asPerson(top), env: LITERAL })
    const changed = records.map((record) => readable(record.slice(3)))
    return among ? among.filter((path) => changed.includes(path)) : changed
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return []
  }
}

/** Paths of HEAD and of runs that are not part of it yet, and their folders, which end with `/`. */
export async function filesOfCheckout(top: string): Promise<ReadonlySet<string>> {
  const which = ['--no-merged=HEAD', '--sort=-committerdate', `--count=${MOST_RUNS}`, 'refs/heads/espalier/']
  const runs = await gitLines(['for-each-ref', '--format=%(objectname)', ...which], asPerson(top))
  const paths = new Set<string>()
  for (const commit of ['HEAD', ...runs]) {
    for (const path of await filesOfCommit({ top }, commit)) addWithFolders(paths, path)
  }
  return paths
}

function addWithFolders(paths: Set<string>, path: string): void {
  paths.add(path)
  for (let position = path.lastIndexOf('/'); position > 0; position = path.lastIndexOf('/', position - 1)) {
    const folder = path.slice(0, position + 1)
    if (paths.has(folder)) return
    paths.add(folder)
  }
}

/** The newest: a repository may have had hundreds of runs that were never landed. */
const MOST_RUNS = 10
