// The user's checkout: its uncommitted changes, and the paths it has.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ok, type Result, refuse } from '../../problem.ts'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { transfer } from '../engine/pack.ts'
import { readConflict } from '../landing/conflict-commit.ts'
import { asPerson, GitFailure, git, gitLines, gitRecords, gitText, LITERAL, MAX_PATHSPECS } from '../run/git.ts'
import { readable, revisions } from '../run/path-bytes.ts'
import { treeEntries } from '../trees/tree-of.ts'
import { inUser } from './publish.ts'
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

// Linked worktrees of the person's own repository: one in the middle of a merge, in which they resolve a conflict with
// their own tools, or one at a commit of a run. No hook runs, and no branch is made or moved.

type OpenConflict = { path: string; commit: string; onto: string; work: string; message: string }

/** A worktree at `at`, in a repository that has the engine's `commit`. */
async function addWorktree(engine: EngineRepository, path: string, commit: string, at: string): Promise<void> {
  await transfer({ from: inEngine(engine), to: inUser(engine), want: [commit], have: [engine.user.head] })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await git(['worktree', 'add', '-q', '--detach', path, at], asPerson(engine.user.top))
}

/**
 * Leaves the merge as `git merge` does, but with the engine's result: attributes in the tree may name another way to
 * merge.
 */
export async function openConflictWorktree(
  engine: EngineRepository,
  { path, commit, onto, work, message }: OpenConflict,
): Promise<void> {
  await addWorktree(engine, path, commit, onto)
  await git(['read-tree', '-u', '--reset', commit], asPerson(path))
  const { paths } = await readConflict(engine, commit)
  const base = await gitText(['merge-base', onto, work], inEngine(engine))
  const stages = await Promise.all([base, onto, work].map((side) => treeEntries(engine, side)))
  const inConflict = new Set(paths)
  const gone = paths.map((name) => `0 ${'0'.repeat(onto.length)}\t${name}\0`)
  const staged = stages.flatMap((entries, n) =>
    entries.flatMap(({ mode, id, path }) => (inConflict.has(path) ? [`${mode} ${id} ${n + 1}\t${path}\0`] : [])),
  )
  const input = Buffer.from([...gone, ...staged].join(''), 'latin1')
  await git(['update-index', '-z', '--index-info'], { ...asPerson(path), input })
  const gitDir = await gitText(['rev-parse', '--absolute-git-dir'], asPerson(path))
  const files = { MERGE_HEAD: `${work}\n`, MERGE_MSG: `${message}\n`, MERGE_MODE: 'no-ff' }
  for (const [name, content] of Object.entries(files)) await writeFile(join(gitDir, name), content)
}

export async function unmergedIn(path: string): Promise<Set<string>> {
  const records = await gitRecords(['ls-files', '--unmerged', '-z'], asPerson(path))
  return new Set(records.map((record) => record.slice(record.indexOf('\t') + 1)))
}

/** The files as they are now, committed or not, as a tree. Leaves the person's index alone. */
export async function worktreeTree(path: string): Promise<string> {
  const own = await gitText(['rev-parse', '--path-format=absolute', '--git-path', 'index'], asPerson(path))
  const index = `${own}.espalier`
  try {
    await copyFile(own, index)
    await git(['add', '--all', '--', ':/'], { ...asPerson(path), index })
    return await gitText(['write-tree'], { ...asPerson(path), index })
  } finally {
    await rm(index, { force: true })
  }
}

/** Copies objects: the engine only borrows the person's, and their gc may take what no ref of theirs holds. */
export async function copyIntoEngine(engine: EngineRepository, { commit, have }: { commit: string; have: string[] }) {
  const options = { ...inEngine(engine), input: revisions([commit], have) }
  await git(['pack-objects', '--revs', '-q', 'objects/pack/pack'], options)
}

/** Also after the folder was deleted by hand. If git fails, `espalier clean` tries again. */
export async function removeConflictWorktree(engine: EngineRepository, path: string): Promise<void> {
  const args = ['worktree', 'remove', '--force', '--force', path]
  await git(args, { ...asPerson(engine.user.top), okCodes: [0, 128] })
}

/** A worktree that exists stays as it is: somebody may have worked in it. */
export async function openCommitWorktree(
  engine: EngineRepository,
  { path, commit }: { path: string; commit: string },
): Promise<Result<void>> {
  if (existsSync(path)) return ok(undefined)
  try {
    await addWorktree(engine, path, commit, commit)
    return ok(undefined)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return refuse(`the worktree ${path} could not be made: ${error.stderr.trim()}`)
  }
}

export async function removeCommitWorktrees(engine: EngineRepository, folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) await removeConflictWorktree(engine, join(folder, name))
}
