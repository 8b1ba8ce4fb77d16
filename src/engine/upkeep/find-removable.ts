// Removable parts of the state folder, and parts that have to stay although they were asked for. Nothing is removed until
// `remove` is called.
import { join } from 'node:path'
import { DEFAULT_SETTINGS, type History } from '../../config.ts'
import { listSlots, runsWithRefs } from '../../git/engine/inventory.ts'
import { removeSlot } from '../../git/slots/pool.ts'
import type { Slot } from '../../git/slots/slot.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunSummary } from '../../view.ts'
import { findLeftovers } from './leftover-processes.ts'
import { leftPlanning, removeLeftPlanning } from './planning-folder.ts'
import { type KeptPath, type RunStores, removeRun, removeUnborn, whyKept } from './remove-run.ts'
import { CannotRemove, foldersAside, howToRemove, howToSave } from './set-aside-worktrees.ts'

export type Selection = {
  history: History
  run?: string | undefined
  all?: boolean | undefined
  /** Also removes work that exists only here. */
  force?: boolean | undefined
  /** Every worktree of the pool, not only those idle for long. */
  worktrees?: boolean | undefined
}

type Old = {
  going: { path: string; run?: string; remove(): Promise<void> }[]
  kept: KeptPath[]
  recent: number
}

export async function findOld(stores: RunStores, selection: Selection, now: number): Promise<Result<Old>> {
  const runs = await stores.store.runs()
  if (selection.run !== undefined && !runs.some(({ run }) => run === selection.run))
    return refuse(`there is no run ${selection.run}`)
  const unborn = await unbornRuns(stores, runs, selection)
  const over = runs.filter((run) => !run.resumable)
  const chosen = choose(runs, selection, now)
  const found = await sifted(stores, chosen, selection)
  const open = runs.filter((run) => run.resumable && (selection.run ?? run.run) === run.run)
  const idle = await idleWorktrees(stores, runs, selection, now)
  const aside = selection.run === undefined ? foldersAside(stores.engine, runs, selection) : { going: [], kept: [] }
  return ok({
    going: [...unborn, ...found.going, ...idle.going, ...aside.going, ...plansHalfMade(stores, selection)],
    kept: [...open.map((run) => unfinished(stores, run)), ...found.kept, ...idle.kept, ...aside.kept],
    recent: selection.run === undefined ? over.length - chosen.length : 0,
  })
}

/** The folder of a killed `espalier plan new`, which cannot be continued. */
function plansHalfMade({ folder }: RunStores, { run }: Selection): Old['going'] {
  const left = run === undefined ? leftPlanning(folder) : null
  return left ? [{ path: left.path, remove: () => removeLeftPlanning(folder, DEFAULT_SETTINGS.graceMs) }] : []
}

function choose(runs: readonly RunSummary[], { run, all, history }: Selection, now: number): RunSummary[] {
  const over = runs.filter(({ resumable }) => !resumable)
  if (run !== undefined) return over.filter((one) => one.run === run)
  return all ? over : outdated(runs, history, now)
}

/** Runs without a first event: they cannot be resumed or even seen. */
async function unbornRuns(stores: RunStores, runs: readonly RunSummary[], { run }: Selection): Promise<Old['going']> {
  if (run !== undefined) return []
  const known = new Set(runs.map((one) => one.run))
  const unborn = (await stores.store.runIds()).filter((id) => !known.has(id))
  return unborn.map((id) => ({ path: join(stores.folder.runs, id), remove: () => removeUnborn(stores, id) }))
}

async function sifted(stores: RunStores, chosen: RunSummary[], { force }: Selection): Promise<Omit<Old, 'recent'>> {
  const found: Omit<Old, 'recent'> = { going: [], kept: [] }
  if (chosen.length === 0) return found
  const leftovers = findLeftovers(stores.folder)
  const refs = new Map((await runsWithRefs(stores.engine)).map((kept) => [kept.run, kept]))
  for (const summary of chosen) {
    const { run } = summary
    const kept = await whyKept(stores, run, { refs: refs.get(run), leftovers, force: force ?? false })
    found.kept.push(...kept)
    if (kept.length === 0)
      found.going.push({ path: join(stores.folder.runs, run), run, remove: () => removeRun(stores, summary) })
  }
  return found
}

/** A resume may need the work in a worktree: if any run is unfinished, all stay. */
async function idleWorktrees(
  { engine, folder }: RunStores,
  runs: readonly RunSummary[],
  { run, worktrees, history }: Selection,
  now: number,
): Promise<Omit<Old, 'recent'>> {
  if (run !== undefined && !worktrees) return { going: [], kept: [] }
  const slots = (await listSlots(engine)).filter(({ usedAt }) => worktrees || isIdle(usedAt, history, now))
  const keep = (why: string) => ({ going: [], kept: slots.map(({ slot: { path } }) => ({ path, why })) })
  if (runs.some(({ resumable }) => resumable)) return keep('an unfinished run may need it')
  if (slots.length > 0 && findLeftovers(folder).length > 0)
    return keep('a process of a task may be at work in it: `espalier doctor --fix` ends those')
  return { going: slots.map(({ slot }) => ({ path: slot.path, remove: () => removed(slot) })), kept: [] }
}

async function removed(slot: Slot): Promise<void> {
  const left = await removeSlot(slot)
  if (left) throw new CannotRemove(left.work ? howToSave(left.work) : `is ${left.path} now: ${howToRemove(left.path)}`)
}

function unfinished({ folder }: RunStores, { run }: RunSummary): KeptPath {
  return { path: join(folder.runs, run), why: `run ${run} is not finished: resume or cancel it first` }
}

const DAY_MS = 24 * 3_600_000

/** Finished runs that are too many or too old, by their end. Never the newest: `status` and `land` use it. */
export function outdated(runs: readonly RunSummary[], { runs: most, days }: History, now: number): RunSummary[] {
  const since = days === null ? Number.NEGATIVE_INFINITY : now - days * DAY_MS
  return runs
    .filter((run) => !run.resumable)
    .sort((a, b) => endOf(b) - endOf(a))
    .filter((run, place) => run !== runs[0] && (endOf(run) < since || (most !== null && place >= most)))
}

function endOf({ finishedAt, startedAt }: RunSummary): number {
  return finishedAt ?? startedAt
}

function isIdle(usedAt: number, { days }: History, now: number): boolean {
  return days !== null && usedAt < now - days * DAY_MS
}

/** `the newest 20 are kept, for at most 30 days` */
export function historyText({ runs, days }: History): string {
  const most = runs === null ? 'all are kept' : runs === 1 ? 'the newest is kept' : `the newest ${runs} are kept`
  return days === null ? most : `${most}, for at most ${days} ${days === 1 ? 'day' : 'days'}`
}
