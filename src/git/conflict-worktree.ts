// The worktree in which a person resolves a conflict. It is a linked worktree of their own repository, made because
// they asked for it, in the middle of a merge: their git, their editor and their tools work there as after any
// `git merge` that stopped. Nobody's hooks run, and no branch is made or moved.
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { type GitOptions, git, gitText } from './git.ts'
import { inUser } from './publish.ts'
import { transfer } from './transfer.ts'

export type OpenConflict = { path: string; commit: string; onto: string; work: string; message: string }

export async function openConflictWorktree(engine: EngineRepository, conflict: OpenConflict): Promise<void> {
  const { path, commit, onto, work, message } = conflict
  await transfer({
    from: inEngine(engine),
    to: inUser(engine),
    want: [commit],
    have: [engine.user.head],
    strict: false,
  })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await git(['worktree', 'add', '-q', '--detach', path, onto], theirs(engine.user.top))
  // As the engine merges: what it finds in conflict is what the person sees. See engine-repository.ts.
  const config = ['merge.renames=false', 'merge.directoryRenames=false'].flatMap((one) => ['-c', one])
  const merge = ['merge', '-q', '--no-commit', '--no-ff', '--no-verify-signatures', '-m', message, work]
  await git([...config, ...merge], { ...theirs(path), okCodes: [0, 1] })
}

/** The files as they are now, committed or not, as a tree. The person's index is left as it is. */
export async function worktreeTree(path: string): Promise<string> {
  const own = await gitText(['rev-parse', '--path-format=absolute', '--git-path', 'index'], theirs(path))
  const index = `${own}.espalier`
  try {
    await copyFile(own, index)
    await git(['add', '--all', '--', ':/'], { ...theirs(path), index })
    return await gitText(['write-tree'], { ...theirs(path), index })
  } finally {
    await rm(index, { force: true })
  }
}

/** The engine only borrows the person's objects, and their gc may take what no ref of theirs holds: these are copied. */
export async function copyIntoEngine(engine: EngineRepository, { commit, have }: { commit: string; have: string[] }) {
  const input = [commit, ...have.map((one) => `^${one}`)].map((line) => `${line}\n`).join('')
  await git(['pack-objects', '--revs', '-q', 'objects/pack/pack'], { ...inEngine(engine), input })
}

/** Also one that somebody has deleted by hand. What git does not remove is left for `espalier clean` to try again. */
export async function removeConflictWorktree(engine: EngineRepository, path: string): Promise<void> {
  const args = ['worktree', 'remove', '--force', '--force', path]
  await git(args, { ...theirs(engine.user.top), okCodes: [0, 128] })
}

function theirs(cwd: string): GitOptions {
  return { cwd, config: 'user' }
}
