// Removing what is not needed any more, by `espalier clean` and when a run is over and nobody waits any more: runs past their time go,
// the engine's repository is packed, the database gives back what it does not need. Never work that exists only here: the branch of
// a run and failed work stay in the user's repository, unless a person discards the run.
//
// Properties
// - Upkeep after a run fails no run and is not waited for. Trouble is noted, and `espalier doctor` reports it.
// - Most times there is nothing to do, and that is found out in a few ms and without a git process.
// Not tolerated: an engine at work. The caller of `keepUp` holds the lock, and no agent runs.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { DEFAULT_SETTINGS, type History, LIMITS } from '../../config.ts'
import { diskUse } from '../../files/disk-use.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type EngineRepository, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { clutter, maintain } from '../../git/engine/maintenance.ts'
import { runBranch } from '../../git/engine/ref-names.ts'
import { GitFailure } from '../../git/run/git.ts'
import { isMachineTrouble } from '../../git/run/machine-trouble.ts'
import { branchesOfRuns, isContained } from '../../git/trees/contained-work.ts'
import { resolveCommit } from '../../git/user/repository.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import { withStore } from '../../store/open.ts'
import { unlessUnwritable } from '../../workspace/check-state-folder.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { findTasksToReopen, type ReopenedTasks } from '../history/reopen-discarded-tasks.ts'
import { CannotRemove, type DiscardedBranch, findOld, type RunStores, type Selection } from './what-may-be-removed.ts'

type Cleaned = {
  /**
   * `unlanded`: the branch with the run's work, if the checked-out commit does not contain it. `branch`: the branch that goes
   * with a discarded run.
   */
  removed: { path: string; bytes: number; unlanded: string | null; branch: DiscardedBranch | null }[]
  kept: { path: string; why: string }[]
  /** Tasks that a discarded run had landed, open again in their plan file. */
  reopened: ReopenedTasks[]
  /** Their statuses that are not put back, a line each. */
  notReopened: string[]
  recent: number
  bytes: number
}

function nothingYet(): Cleaned {
  return { removed: [], kept: [], reopened: [], notReopened: [], recent: 0, bytes: 0 }
}

export async function cleanState(
  workspace: Workspace,
  options: Partial<Selection> & { dryRun?: boolean } = {},
): Promise<Result<Cleaned>> {
  const user = await workspace.user()
  if (!user.ok) return user
  const { folder } = workspace
  if (!existsSync(folder.root)) return ok(nothingYet())
  return unlessUnwritable(folder, async () => {
    const locked = await acquireLock(folder.lock, 'clean')
    if (!locked.ok)
      return refuse('a run is active in this repository: clean when it is over, or cancel it first (`espalier cancel`)')
    await using _lock = locked.lock
    return await withStore(folder.database, 'write', async (store) => {
      const engine = await openEngineRepository(folder.root, user.value, workspace.engineRepository)
      return clean(options, { store, folder, engine })
    })
  })
}

async function clean(options: Partial<Selection> & { dryRun?: boolean }, stores: RunStores): Promise<Result<Cleaned>> {
  const history = options.history ?? DEFAULT_SETTINGS.history
  const old = await findOld(stores, { ...options, history }, Date.now())
  if (!old.ok) return old
  const { going, kept, recent } = old.value
  const done: Cleaned = { ...nothingYet(), kept, recent }
  const unlandedOf = unlandedBranches(stores.engine)
  for (const { path, run, discarded = null, branch = null, remove } of going) {
    const { bytes } = await diskUse(path)
    const unlanded = run === undefined || discarded ? null : await unlandedOf(run)
    const reopening = discarded && (await findTasksToReopen(stores, discarded))
    const trouble = options.dryRun ? null : await whyNot(remove)
    if (trouble !== null && discarded) return refuse(trouble)
    if (trouble !== null) {
      done.kept.push({ path, why: trouble })
      continue
    }
    done.removed.push({ path, bytes, unlanded, branch })
    done.bytes += bytes
    if (!reopening) continue
    const { reopened, left } = options.dryRun ? { reopened: reopening.tasks, left: [] } : await reopening.write()
    done.reopened.push(...reopened)
    done.notReopened.push(...left)
  }
  if (!options.dryRun) await tidyNow(stores)
  return ok(done)
}

/** Answers with the branch of a run that the checked-out commit does not contain; null: it does, or git cannot tell. */
function unlandedBranches(engine: EngineRepository): (run: string) => Promise<string | null> {
  const look = () => Promise.all([resolveCommit(engine.user, 'HEAD'), branchesOfRuns(engine)])
  let found: ReturnType<typeof look> | null = null
  return async (run) => {
    const branch = runBranch(run).replace('refs/heads/', '')
    try {
      found ??= look()
      const [head, tips] = await found
      const tip = tips.get(branch)
      return !head.ok || tip === undefined || (await isContained(engine, head.value, tip)) ? null : branch
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      return null
    }
  }
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

/** `tidiedAt`: when the engine's repository was last tidied up; at first: when it was first looked at. */
const noteSchema = z.object({
  tidiedAt: z.number(),
  tidyTrouble: z.string().nullable(),
  removalTrouble: z.string().nullable(),
})
type UpkeepNote = z.infer<typeof noteSchema>

/** Upkeep at the end of a run. Never throws. */
export async function keepUp(stores: RunStores, history: History, now = Date.now()): Promise<void> {
  const before = (await readUpkeep(stores.folder)) ?? { tidiedAt: now, tidyTrouble: null, removalTrouble: null }
  const removalTrouble = await attempted(async () => {
    await removeOld(stores, history, now)
    await stores.store.compact()
  })
  const tidied = isDue(stores.engine, before, now) ? await tidyRepository(stores, LIMITS.maintenanceMs, now) : null
  await writeUpkeepNote(stores.folder, { ...before, ...tidied, removalTrouble })
}

/** Upkeep for `espalier clean`: at once, and without a time limit. */
async function tidyNow(stores: RunStores): Promise<void> {
  await stores.store.compact()
  const tidied = await tidyRepository(stores, BY_HAND_MS, Date.now())
  if (tidied !== null) await writeUpkeepNote(stores.folder, { ...tidied, removalTrouble: null })
}

const BY_HAND_MS = 3_600_000

/** Null: agents may be using the repository, so it was left alone. */
async function tidyRepository(
  { store, engine }: RunStores,
  timeoutMs: number,
  now: number,
): Promise<Pick<UpkeepNote, 'tidiedAt' | 'tidyTrouble'> | null> {
  if ((await store.runs()).some((run) => run.resumable && run.counts.running > 0)) return null
  return { tidiedAt: now, tidyTrouble: await attempted(() => maintain(engine, { timeoutMs, now })) }
}

export async function readUpkeep({ upkeep }: StateFolder): Promise<UpkeepNote | null> {
  if (!existsSync(upkeep)) return null
  try {
    return noteSchema.parse(JSON.parse(await readFile(upkeep, 'utf8')))
  } catch {
    return null // it is made again
  }
}

async function removeOld(stores: RunStores, history: History, now: number): Promise<void> {
  const old = await findOld(stores, { history }, now)
  const failed: unknown[] = []
  for (const { path, remove } of old.ok ? old.value.going : [])
    await remove().catch((error: unknown) => {
      // `doctor` finds those by itself.
      if (!(error instanceof CannotRemove)) failed.push(new Error(`${path} could not be removed: ${text(error)}`))
    })
  if (failed.length > 0) throw failed[0]
}

function isDue(engine: EngineRepository, { tidiedAt, tidyTrouble }: UpkeepNote, now: number): boolean {
  const age = now - tidiedAt
  if (tidyTrouble !== null && age < AGAIN_MS) return false
  const { loose, packs } = clutter(engine)
  return loose > LIMITS.looseObjects || packs > LIMITS.packs || age > LIMITS.maintenanceEveryMs
}

/** Pause after a failure, which will mostly repeat. */
const AGAIN_MS = 24 * 3_600_000

/** Errors are ignored: with a full disk they cannot be noted anyway. */
async function writeUpkeepNote({ upkeep }: StateFolder, note: UpkeepNote): Promise<void> {
  await writeAtomically(upkeep, JSON.stringify(note)).catch(() => {})
}

async function attempted(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return text(error)
  }
}

function text(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, LIMITS.messageChars)
}
