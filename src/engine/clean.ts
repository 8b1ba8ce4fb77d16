// `espalier clean`: removes what finished runs left behind. Never while an engine works on the repository, and never
// what is not safe somewhere else: the branch of a run stays in the user's repository, and so does failed work.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineRepository, openEngineRepository } from '../git/engine-repository.ts'
import { deleteRunRefs, diskUse, listRuns, listSlots } from '../git/inventory.ts'
import { removeSlot } from '../git/pool.ts'
import { inUser, lookAt, unpublish } from '../git/publish.ts'
import { unsafeCommits } from '../git/publish-work.ts'
import { basePin, runBranch } from '../git/refs.ts'
import { inspect, type UserRepository } from '../git/user-repository.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { acquireLock } from '../process/lock.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import type { Where } from './read.ts'
import { listSetAside } from './set-aside.ts'
import { type StateFolder, stateFolder } from './state-folder.ts'
import { unlessUnwritable } from './unless-unwritable.ts'

export type CleanOptions = Where & {
  /** One run; by default all that are over. */
  run?: string | undefined
  dryRun?: boolean | undefined
  /** Also work that is nowhere else. */
  force?: boolean | undefined
  /** Also the worktrees of the pool: they are made again when needed. */
  worktrees?: boolean | undefined
}

export type Cleaned = { removed: string[]; kept: { path: string; why: string }[]; bytes: number }

export async function cleanState(options: CleanOptions): Promise<Result<Cleaned>> {
  const user = await inspect(options.repo)
  if (!user.ok) return user
  const folder = stateFolder(user.value.top, options.stateDir ?? null)
  const present = await readdir(folder.root).catch(() => null)
  if (present === null) return ok({ removed: [], kept: [], bytes: 0 })
  return unlessUnwritable(folder, async () => {
    const locked = await acquireLock(folder.lock, 'clean')
    if (!locked.ok)
      return refuse('an espalier is working on this repository: clean when it is done, or cancel it first')
    await using _lock = locked.lock
    return await unlessDamaged(folder.database, () => clean(options, user.value, folder))
  })
}

async function clean(options: CleanOptions, user: UserRepository, folder: StateFolder): Promise<Result<Cleaned>> {
  const done: Cleaned = { removed: [], kept: [], bytes: 0 }
  const opened = openSqliteStore(folder.database)
  if (!opened.ok) return opened
  await using store = opened.value
  const engine = await openEngineRepository(folder.root, user)
  const remove = async (path: string, act: () => Promise<unknown>) => {
    done.bytes += await diskUse(path)
    done.removed.push(path)
    if (!options.dryRun) await act()
  }
  const runs = await store.runs()
  // Those that never got as far as their first event: nobody can resume or even see them.
  for (const id of await store.runIds())
    if (!runs.some((run) => run.run === id)) await remove(join(folder.runs, id), () => removeUnborn(store, engine, id))
  if (options.run !== undefined && !runs.some((run) => run.run === options.run))
    return refuse(`there is no run ${options.run}`)
  let unfinished = false
  for (const run of runs) {
    if (options.run !== undefined && run.run !== options.run) continue
    const path = join(folder.runs, run.run)
    if (run.resumable) {
      unfinished = true
      done.kept.push({ path, why: `run ${run.run} is not over: resume or cancel it first` })
      continue
    }
    const kept = (await listRuns(engine)).find((one) => one.run === run.run)
    const commits = [run.head, ...(kept?.attempts.map((attempt) => attempt.commit) ?? [])]
    const unsafe = options.force ? 0 : await unsafeCommits(engine, commits)
    if (unsafe > 0) {
      const why = `${unsafe} commits of run ${run.run} are in no branch or ref of your repository any more: --force removes them all the same`
      done.kept.push({ path, why })
      continue
    }
    const aside = options.force ? [] : await listSetAside(folder, run.run)
    if (aside.length > 0) {
      const why = 'its work could not be kept in git: take what you need from it, then --force removes it'
      done.kept.push(...aside.map((worktree) => ({ path: worktree, why })))
      continue
    }
    await remove(path, async () => {
      await store.deleteRun(run.run)
      await deleteRunRefs(engine, run.run)
      await unpublish(engine, run.run, { branch: false })
      await rm(path, { recursive: true, force: true })
    })
  }
  if (options.worktrees) {
    for (const slot of await listSlots(engine)) {
      const path = join(folder.root, 'slots', String(slot.number))
      // The work in it may belong to an attempt that a resume would take up.
      if (unfinished || runs.some((run) => run.resumable))
        done.kept.push({ path, why: 'a run that is not over may need it' })
      else await remove(path, () => removeSlot(engine, slot.number))
    }
  }
  return ok(done)
}

/** What an engine that died while it opened a run left of it. Its branch holds nothing, unless it has been moved. */
async function removeUnborn(store: Store, engine: EngineRepository, run: string): Promise<void> {
  const user = inUser(engine)
  const branch = await lookAt(user, runBranch(run))
  const pin = await lookAt(user, basePin(run))
  await unpublish(engine, run, { branch: branch.commit !== null && branch.commit === pin.commit })
  await deleteRunRefs(engine, run)
  await store.deleteRun(run)
}
