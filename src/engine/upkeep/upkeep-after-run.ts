// Upkeep when a run is over and nobody waits any more: runs past their time go, the engine's
// repository is packed, the database gives back what it does not need.
//
// Properties
// - Nothing here fails a run or is waited for by it. Trouble is noted, and `espalier doctor` reports it.
// - Most times there is nothing to do, and that is found out in a few ms and without a git process.
// Not tolerated: an engine at work. The caller holds the lock, and no agent runs.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { type History, LIMITS } from '../../config.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { clutter, maintain } from '../../git/engine/maintenance.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import { findOld } from './find-removable.ts'
import type { RunStores } from './remove-run.ts'
import { CannotRemove } from './set-aside-worktrees.ts'

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
export async function tidyNow(stores: RunStores): Promise<void> {
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
