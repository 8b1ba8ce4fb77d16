// Removable parts of the state folder, and parts that have to stay although they were asked for; nothing is removed until `remove` is
// called. A run that is over goes with its logs, its refs in the engine's repository, the pin of its base and its journal. Its branch
// and the refs of work that did not land stay in the user's repository, unless it is discarded.
//
// Properties
// - I10: a run goes only if a ref of the user's holds all its work, and none of it is in a worktree that was set aside or
//   in which somebody resolves a conflict. A discarded run goes with that work, but its branch only as the run left it.
// - Tasks that its plan file calls done because of it stay known (store/plan-tasks.ts), as long as its branch is there.
// - The journal goes last. A removal that is killed on the way leaves a known run, which the next one removes.
// Tolerated: a branch that is checked out in the moment in which it is discarded.
// Not tolerated: an engine at work. The caller holds the lock.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_SETTINGS, type History } from '../../config.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { EngineRepository } from '../../git/engine/engine-repository.ts'
import { deleteRunRefs, type KeptRun, listSlots, runsWithRefs, submoduleCommits } from '../../git/engine/inventory.ts'
import { basePin, runBranch } from '../../git/engine/ref-names.ts'
import { GitFailure } from '../../git/run/git.ts'
import {
  listAside,
  listUnkept,
  removeAside,
  removeWorkNote,
  type UnkeptWork,
} from '../../git/slots/folders-set-aside.ts'
import { removeSlot } from '../../git/slots/prepare-slot.ts'
import { branchesOfRuns } from '../../git/trees/contained-work.ts'
import { removeCommitWorktrees, removeConflictWorktree } from '../../git/user/checkout-and-worktrees.ts'
import { inUser, lookAt, type Place, unpin, unpublish, unsafeCommits } from '../../git/user/publish.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Store } from '../../store/store.ts'
import { count } from '../../text/figures.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunSummary } from '../../view.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import { listNotes, type ResolvingNote, removeNote } from '../resolve/resolve-conflict-by-hand.ts'
import { findLeftovers, type Leftover, leftPlanning, removeLeftPlanning } from './leftovers-of-killed-engine.ts'

export type RunStores = Pick<LockedWorkspace, 'store' | 'engine' | 'folder'>

export type Selection = {
  history: History
  run?: string | undefined
  all?: boolean | undefined
  /** Also removes work that exists only here. */
  force?: boolean | undefined
  /** Only this run, with its branch and all its work. Refused if the run may not go. */
  discard?: string | undefined
  /** Every worktree of the pool, not only those idle for long. */
  worktrees?: boolean | undefined
}

/** `discarded`: a run that goes with its work. `branch`: its branch, if it has one. */
type Found = {
  going: {
    path: string
    run?: string
    discarded?: RunSummary | null
    branch?: DiscardedBranch | null
    remove(): Promise<void>
  }[]
  kept: { path: string; why: string }[]
}

export type DiscardedBranch = { name: string; commit: string }

/** `recent`: finished runs that are still within `history`. */
export async function findOld(
  stores: RunStores,
  selection: Selection,
  now: number,
): Promise<Result<Found & { recent: number }>> {
  const { discard, all, history } = selection
  const only = discard ?? selection.run
  const runs = await stores.store.runs()
  if (only !== undefined && !runs.some(({ run }) => run === only)) return refuse(`there is no run ${only}`)
  const over = runs.filter(({ resumable }) => !resumable)
  const past = all ? over : outdated(runs, history, now)
  const chosen = only === undefined ? past : over.filter(({ run }) => run === only)
  const unfinished = runs.filter(({ run, resumable }) => resumable && (only ?? run) === run)
  const kept = unfinished.map(({ run }) => {
    return { path: join(stores.folder.runs, run), why: `run ${run} is not finished: resume or cancel it first` }
  })
  const ofRuns = await sifted(stores, chosen, selection)
  const why = discard === undefined ? [] : [...kept, ...ofRuns.kept].map((one) => one.why)
  if (why.length > 0) return refuse(...why)
  const found = [
    ...(only === undefined ? [await unbornRuns(stores, runs)] : []),
    { going: [], kept },
    ofRuns,
    await idleWorktrees(stores, runs, selection, now),
    ...(only === undefined ? [foldersAside(stores.engine, runs, selection), planHalfMade(stores)] : []),
  ]
  return ok({
    going: found.flatMap(({ going }) => going),
    kept: found.flatMap((one) => one.kept),
    recent: only === undefined ? over.length - chosen.length : 0,
  })
}

/** The folder of a killed `espalier plan new`, which cannot be continued. */
function planHalfMade({ folder }: RunStores): Found {
  const left = leftPlanning(folder)
  const remove = () => removeLeftPlanning(folder, DEFAULT_SETTINGS.graceMs)
  return { going: left ? [{ path: left.path, remove }] : [], kept: [] }
}

/** Runs without a first event: they cannot be resumed or even seen. */
async function unbornRuns(stores: RunStores, runs: readonly RunSummary[]): Promise<Found> {
  const known = new Set(runs.map(({ run }) => run))
  const unborn = (await stores.store.runIds()).filter((id) => !known.has(id))
  const going = unborn.map((id) => ({ path: join(stores.folder.runs, id), remove: () => removeUnborn(stores, id) }))
  return { going, kept: [] }
}

async function sifted(stores: RunStores, chosen: RunSummary[], selection: Selection): Promise<Found> {
  const { force = false, discard } = selection
  const found: Found = { going: [], kept: [] }
  if (chosen.length === 0) return found
  const leftovers = findLeftovers(stores.folder)
  const refs = new Map((await runsWithRefs(stores.engine)).map((kept) => [kept.run, kept]))
  for (const summary of chosen) {
    const { run } = summary
    const discarded = discard === undefined ? null : await lookAt(inUser(stores.engine), runBranch(run))
    const kept = await whyKept(stores, summary, { refs: refs.get(run), leftovers, force, discarded })
    found.kept.push(...kept)
    if (kept.length > 0) continue
    const { commit } = discarded ?? { commit: null }
    const branch = commit === null ? null : { name: `espalier/${run}`, commit }
    const remove = () => removeRun(stores, run, discarded)
    found.going.push({ path: join(stores.folder.runs, run), run, discarded: discarded && summary, branch, remove })
  }
  return found
}

/** A resume may need the work in a worktree: if any run is unfinished, all stay. */
async function idleWorktrees(
  { engine, folder }: RunStores,
  runs: readonly RunSummary[],
  { run, discard, worktrees, history: { days } }: Selection,
  now: number,
): Promise<Found> {
  if ((run ?? discard) !== undefined && !worktrees) return { going: [], kept: [] }
  const isIdle = (usedAt: number) => days !== null && usedAt < now - days * DAY_MS
  const slots = (await listSlots(engine)).filter(({ usedAt }) => worktrees || isIdle(usedAt))
  const keep = (why: string) => ({ going: [], kept: slots.map(({ slot: { path } }) => ({ path, why })) })
  if (runs.some(({ resumable }) => resumable)) return keep('an unfinished run may need it')
  if (slots.length > 0 && findLeftovers(folder).length > 0)
    return keep('a process of a task may be at work in it: `espalier doctor --fix` ends those')
  const going = slots.map(({ slot }) => {
    const remove = async () => {
      const left = await removeSlot(slot)
      if (!left) return
      throw new CannotRemove(left.work ? howToSave(left.work) : `is ${left.path} now: ${howToRemove(left.path)}`)
    }
    return { path: slot.path, remove }
  })
  return { going, kept: [] }
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

/** `the newest 20 are kept, for at most 30 days` */
export function historyText({ runs, days }: History): string {
  const most = runs === null ? 'all are kept' : runs === 1 ? 'the newest is kept' : `the newest ${runs} are kept`
  return days === null ? most : `${most}, for at most ${count(days, 'day')}`
}

/** `discarded`: its branch, if it goes as well. Git refuses if that has moved since, so it goes first. */
async function removeRun(stores: RunStores, run: string, discarded: Place | null): Promise<void> {
  const { store, engine, folder } = stores
  if (discarded) await unpublish(engine, run, discarded.commit)
  for (const note of await notesOf(folder, run)) {
    if (note.path) await removeConflictWorktree(engine, note.path)
    await removeNote(folder, note)
  }
  // A worktree that cannot be removed is reported by `doctor`; the run goes all the same.
  for (const path of unkeptOf(engine, run)) await removed(path).catch(() => {})
  await removeTree(join(folder.resolving, run))
  await removeCommitWorktrees(engine, join(folder.opened, run))
  await removeTree(join(folder.opened, run))
  await removeTree(join(folder.runs, run))
  await deleteRunRefs(engine, run)
  await unpin(engine, run)
  await store.deleteRun(run)
  await forgetOld(stores)
}

/** Forgets plan tasks of removed runs whose branch is gone, and of all but the newest removed ones. */
async function forgetOld({ store, engine }: RunStores): Promise<void> {
  const removed = await store.removedRuns()
  if (removed.length === 0) return
  const branches = await branchesOfRuns(engine)
  const old = removed.filter(({ branch }, place) => place >= REMOVED_RUNS || !branches.has(branch))
  await store.forgetPlanTasks(old.map(({ run }) => run))
}

const REMOVED_RUNS = 50

/** Why parts of the run have to stay; empty: it may go. `refs`: its refs in the engine's repository. */
async function whyKept(
  { store, engine, folder }: RunStores,
  summary: RunSummary,
  {
    refs,
    leftovers,
    force,
    discarded,
  }: { refs: KeptRun | undefined; leftovers: readonly Leftover[]; force: boolean; discarded: Place | null },
): Promise<Found['kept']> {
  const { run } = summary
  const path = join(folder.runs, run)
  if (leftovers.some((leftover) => leftover.run === run || leftover.run === '?'))
    return [{ path, why: `processes of run ${run} are still alive: \`espalier doctor --fix\` ends them` }]
  const wanted = discarded && whyBranchKept(summary, discarded, force)
  if (wanted) return [{ path, why: wanted }]
  if (force || discarded) return []
  const commits = refs ? [...(await commitsOf(store, refs)), ...(await submoduleCommits(engine, run))] : []
  const unsafe = await whyUnsafe(engine, run, commits)
  if (unsafe !== null) return [{ path, why: unsafe }]
  const open = 'what was resolved in it was never handed back: take what you need from it, then --force removes it'
  const unanswered = (await notesOf(folder, run)).filter((note) => !note.answered && note.path && existsSync(note.path))
  return [
    ...unkeptOf(engine, run).map((worktree) => ({ path: worktree, why: howToSave({ run }) })),
    ...unanswered.map((note) => ({ path: note.path ?? '', why: open })),
  ]
}

/** Why the branch of a run cannot be discarded; null: it can, or there is none. */
function whyBranchKept({ run, head }: RunSummary, { commit, checkout }: Place, force: boolean): string | null {
  const branch = `espalier/${run}`
  if (checkout !== null) return `${branch} is checked out in ${checkout}: switch to another branch there first`
  if (commit === null || commit === head || force) return null
  return `${branch} is at ${commit.slice(0, 12)}, but the run left it at ${head.slice(0, 12)}: somebody has moved it. Take what you need from it, then --force discards it all the same`
}

async function notesOf(folder: StateFolder, run: string): Promise<ResolvingNote[]> {
  return (await listNotes(folder)).filter((note) => note.run === run)
}

/** Commits that have to be safe. All refs of a run are deleted at once: without refs its removal had begun, and it had been found safe. */
async function commitsOf(store: Store, { run, head, attempts }: KeptRun): Promise<string[]> {
  const result = head === null ? [] : [head]
  // Candidates that were not promoted go with their search.
  if ((await store.view(run))?.kind === 'search') return result
  // Landed work is in the run's result, even if its commits are not (`landing.merge`).
  const landed = await store.tasks(run, 'landed')
  const others = attempts.filter(({ task, attempt }) => landed.get(task)?.attempts !== attempt)
  return [...result, ...others.map(({ commit }) => commit)]
}

async function whyUnsafe(engine: EngineRepository, run: string, commits: string[]): Promise<string | null> {
  try {
    const unsafe = await unsafeCommits(engine, commits)
    if (unsafe === 0) return null
    return `${unsafe} commits of run ${run} are in no branch or ref of your repository any more: --force removes them all the same`
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return `git could not say whether the work of run ${run} is safe: ${error.stderr.trim()}`
  }
}

/** Removes the remains of an engine that died while it opened a run. Its branch is empty, unless it has been moved. */
async function removeUnborn({ store, engine }: RunStores, run: string): Promise<void> {
  const user = inUser(engine)
  const branch = await lookAt(user, runBranch(run))
  const pin = await lookAt(user, basePin(run))
  const isEmpty = branch.commit !== null && branch.commit === pin.commit && branch.checkout === null
  await (isEmpty ? unpublish(engine, run, branch.commit) : unpin(engine, run))
  await deleteRunRefs(engine, run)
  await store.deleteRun(run)
}

/** The message is for a person, and says what to type. */
export class CannotRemove extends Error {}

/** Removes those without needed work. Work of a known run goes with that run. */
function foldersAside(engine: EngineRepository, runs: readonly RunSummary[], { force }: Selection): Found {
  const known = new Set(runs.map(({ run }) => run))
  const found: Found = { going: [], kept: [] }
  for (const { path, work } of listAside(engine)) {
    if (work === null || (force && !known.has(work.run))) found.going.push({ path, remove: () => removed(path) })
    else if (!known.has(work.run)) found.kept.push({ path, why: howToSave(work) })
  }
  return found
}

/** Folders with work of a run that is in no ref. */
function unkeptOf(engine: EngineRepository, run: string): string[] {
  return listUnkept(engine).flatMap(({ path, work }) => (work.run === run ? [path] : []))
}

/** Removes a worktree with its contents, after the user has agreed. */
async function removed(path: string): Promise<void> {
  removeWorkNote(path)
  if (!(await removeAside({ path, work: null }))) throw new CannotRemove(howToRemove(path))
}

export function howToRemove(path: string): string {
  const word = shellWord(path)
  return `your user may not remove all that is in it: \`sudo rm -rf ${word}\`, and before that \`sudo chattr -R -i ${word}\` if files in it are immutable, and \`sudo umount\` if something is mounted in it`
}

export function howToSave({ run }: Pick<UnkeptWork, 'run'>): string {
  return `its work could not be kept in git: take what you need from it, then \`espalier clean --run ${run} --force\` removes it`
}
