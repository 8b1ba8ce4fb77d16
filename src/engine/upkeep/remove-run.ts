// Removes a run that is over from the state folder: its logs, its refs in the engine's repository, the pin of its base,
// its journal. Its branch and the refs of work that did not land stay in the user's repository.
//
// Properties
// - I10: it goes only if a ref of the user's holds all its work, and none of it is in a worktree that was set aside or
//   in which somebody resolves a conflict.
// - Tasks that its plan file calls done because of it stay known (store/ledger.ts), as long as its branch is there.
// - The journal goes last. A removal that is killed on the way leaves a known run, which the next one removes.
// Not tolerated: an engine at work. The caller holds the lock.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeTree } from '../../files/remove-tree.ts'
import { deleteRunRefs, type KeptRun } from '../../git/engine/inventory.ts'
import { basePin, runBranch } from '../../git/engine/refs.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { GitFailure } from '../../git/run/git.ts'
import { branchesOfRuns } from '../../git/trees/contained.ts'
import { removeCommitWorktrees, removeConflictWorktree } from '../../git/user/linked-worktree.ts'
import { inUser, lookAt, unpublish, unsafeCommits } from '../../git/user/publish.ts'
import type { Store } from '../../store/store.ts'
import type { RunSummary } from '../../view.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import { listNotes, type ResolvingNote, removeNote } from '../resolve/conflict-worktree-notes.ts'
import type { Leftover } from './leftover-processes.ts'
import { howToSave, removed, unkeptOf } from './set-aside-worktrees.ts'

export type RunStores = { store: Store; engine: EngineRepository; folder: StateFolder }

export type KeptPath = { path: string; why: string }

export async function removeRun(stores: RunStores, summary: RunSummary): Promise<void> {
  const { store, engine, folder } = stores
  const { run } = summary
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
  await unpublish(engine, run, { branch: false })
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
export async function whyKept(
  { store, engine, folder }: RunStores,
  run: string,
  { refs, leftovers, force }: { refs: KeptRun | undefined; leftovers: readonly Leftover[]; force: boolean },
): Promise<KeptPath[]> {
  const path = join(folder.runs, run)
  if (leftovers.some((leftover) => leftover.run === run || leftover.run === '?'))
    return [{ path, why: `processes of run ${run} are still alive: \`espalier doctor --fix\` ends them` }]
  if (force) return []
  // Candidates that were not promoted go with their search.
  const isSearch = (await store.view(run))?.kind === 'search'
  const commits = isSearch ? [refs?.head ?? []].flat() : commitsOf(refs, await landedAttempts(store, run))
  const unsafe = await whyUnsafe(engine, run, commits)
  if (unsafe !== null) return [{ path, why: unsafe }]
  const open = 'what was resolved in it was never handed back: take what you need from it, then --force removes it'
  const unanswered = (await notesOf(folder, run)).filter((note) => !note.answered && note.path && existsSync(note.path))
  return [
    ...unkeptOf(engine, run).map((worktree) => ({ path: worktree, why: howToSave({ run }) })),
    ...unanswered.map((note) => ({ path: note.path ?? '', why: open })),
  ]
}

async function notesOf(folder: StateFolder, run: string): Promise<ResolvingNote[]> {
  return (await listNotes(folder)).filter((note) => note.run === run)
}

/** Their work is in the run's result, even if its commits are not (`landing.merge`). */
async function landedAttempts(store: Store, run: string): Promise<Set<string>> {
  const landed = new Set<string>()
  for (const { id, status, attempts } of (await store.tasks(run)).values())
    if (status === 'landed') landed.add(`${id}/${attempts}`)
  return landed
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
export async function removeUnborn({ store, engine }: RunStores, run: string): Promise<void> {
  const user = inUser(engine)
  const branch = await lookAt(user, runBranch(run))
  const pin = await lookAt(user, basePin(run))
  await unpublish(engine, run, { branch: branch.commit !== null && branch.commit === pin.commit })
  await deleteRunRefs(engine, run)
  await store.deleteRun(run)
}

/** All refs of a run are deleted at once: without refs its removal had begun, and it had been found safe. */
function commitsOf(refs: KeptRun | undefined, landed: ReadonlySet<string>): string[] {
  if (!refs) return []
  const others = refs.attempts.filter(({ task, attempt }) => !landed.has(`${task}/${attempt}`))
  return [...(refs.head === null ? [] : [refs.head]), ...others.map(({ commit }) => commit)]
}
