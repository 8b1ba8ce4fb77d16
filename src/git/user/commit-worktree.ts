// A linked worktree of the user's own repository at a commit of a run, made because they asked for it. No branch is made or
// moved, and no hook runs.
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ok, type Result, refuse } from '../../problem.ts'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { transfer } from '../engine/transfer.ts'
import { GitFailure, type GitOptions, git } from '../run/git.ts'
import { removeConflictWorktree } from './conflict-worktree.ts'
import { inUser } from './publish.ts'

/** One that is there already stays as it is: somebody may have worked in it. */
export async function openCommitWorktree(
  engine: EngineRepository,
  { path, commit }: { path: string; commit: string },
): Promise<Result<void>> {
  if (existsSync(path)) return ok(undefined)
  try {
    const both = { from: inEngine(engine), to: inUser(engine) }
    await transfer({ ...both, want: [commit], have: [engine.user.head], strict: false })
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const theirs: GitOptions = { cwd: engine.user.top, config: 'user' }
    await git(['worktree', 'add', '-q', '--detach', path, commit], theirs)
    return ok(undefined)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return refuse(`the worktree ${path} could not be made: ${error.stderr.trim()}`)
  }
}

/** All that were opened in a folder. */
export async function removeCommitWorktrees(engine: EngineRepository, folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) await removeConflictWorktree(engine, join(folder, name))
}
