// `espalier clean`: never while an engine works here, and never work that exists only here: the branch of a run and failed work
// stay in the user's repository.
import { existsSync } from 'node:fs'
import { DEFAULT_SETTINGS } from '../../config.ts'
import { diskUse } from '../../files/disk-use.ts'
import { runBranch } from '../../git/engine/refs.ts'
import { type EngineRepository, openEngineRepository } from '../../git/engine/repository.ts'
import { GitFailure } from '../../git/run/git.ts'
import { isMachineTrouble } from '../../git/run/machine-trouble.ts'
import { branchesOfRuns, isContained } from '../../git/trees/contained.ts'
import { resolveCommit, type UserRepository } from '../../git/user/repository.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import { withStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { unlessUnwritable } from '../../workspace/check-state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { findOld, type Selection } from './find-removable.ts'
import { CannotRemove } from './set-aside-worktrees.ts'
import { tidyNow } from './upkeep-after-run.ts'

type Cleaned = {
  /** `unlanded`: the branch with the run's work, if the checked-out commit does not contain it. */
  removed: { path: string; bytes: number; unlanded: string | null }[]
  kept: { path: string; why: string }[]
  /** Finished runs that are still within `history`. */
  recent: number
  bytes: number
}

export async function cleanState(
  workspace: Workspace,
  options: Partial<Selection> & { dryRun?: boolean } = {},
): Promise<Result<Cleaned>> {
  const user = await workspace.user()
  if (!user.ok) return user
  const { folder } = workspace
  if (!existsSync(folder.root)) return ok({ removed: [], kept: [], recent: 0, bytes: 0 })
  return unlessUnwritable(folder, async () => {
    const locked = await acquireLock(folder.lock, 'clean')
    if (!locked.ok)
      return refuse('a run is active in this repository: clean when it is over, or cancel it first (`espalier cancel`)')
    await using _lock = locked.lock
    return await withStore(folder.database, 'write', (store) => clean(options, user.value, workspace, store))
  })
}

async function clean(
  options: Partial<Selection> & { dryRun?: boolean },
  user: UserRepository,
  { folder, engineRepository }: Workspace,
  store: Store,
): Promise<Result<Cleaned>> {
  const stores = { store, folder, engine: await openEngineRepository(folder.root, user, engineRepository) }
  const history = options.history ?? DEFAULT_SETTINGS.history
  const old = await findOld(stores, { ...options, history }, Date.now())
  if (!old.ok) return old
  const { going, kept, recent } = old.value
  const done: Cleaned = { removed: [], kept, recent, bytes: 0 }
  const hasRuns = going.some(({ run }) => run !== undefined)
  const now = hasRuns ? await ifGitCanTell(branchesNow(stores.engine)) : null
  for (const { path, run, remove } of going) {
    const { bytes } = await diskUse(path)
    const unlanded = run && now ? await ifGitCanTell(unlandedBranch(stores.engine, now, run)) : null
    const trouble = options.dryRun ? null : await whyNot(remove)
    if (trouble !== null) {
      done.kept.push({ path, why: trouble })
      continue
    }
    done.removed.push({ path, bytes, unlanded })
    done.bytes += bytes
  }
  if (!options.dryRun) await tidyNow(stores)
  return ok(done)
}

async function branchesNow(
  engine: EngineRepository,
): Promise<{ head: string; tips: ReadonlyMap<string, string> } | null> {
  const head = await resolveCommit(engine.user, 'HEAD')
  return head.ok ? { head: head.value, tips: await branchesOfRuns(engine) } : null
}

async function unlandedBranch(
  engine: EngineRepository,
  now: { head: string; tips: ReadonlyMap<string, string> },
  run: string,
): Promise<string | null> {
  const branch = runBranch(run).replace('refs/heads/', '')
  const tip = now.tips.get(branch)
  return tip === undefined || (await isContained(engine, now.head, tip)) ? null : branch
}

async function ifGitCanTell<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (!(error instanceof GitFailure)) throw error
    return null
  })
}

/** Why removing failed, such as another git's lock in the user's repository: the next clean removes the rest. */
async function whyNot(remove: () => Promise<void>): Promise<string | null> {
  try {
    await remove()
    return null
  } catch (error) {
    if (!isMachineTrouble(error) && !(error instanceof CannotRemove)) throw error
    return error.message
  }
}
