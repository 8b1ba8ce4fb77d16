// Removes a run that is over from the state folder: its logs, its refs in the engine's repository, the pin of its base,
// its journal. What it left in the user's repository, the branch and refs of work that did not land, is theirs.
//
// Properties
// - I10: it goes only if a ref of the user's holds all its work, and none of it is in a worktree that was set aside.
// - The journal goes last. Whoever is killed on the way leaves a run that is known, and is removed by the next one.
// Not tolerated: an engine at work. The caller holds the lock.
import { join } from 'node:path'
import type { EngineRepository } from '../git/engine-repository.ts'
import { GitFailure } from '../git/git.ts'
import { deleteRunRefs, type KeptRun } from '../git/inventory.ts'
import { inUser, lookAt, unpublish } from '../git/publish.ts'
import { unsafeCommits } from '../git/publish-work.ts'
import { basePin, runBranch } from '../git/refs.ts'
import { removeTree } from '../git/remove-tree.ts'
import type { Store } from '../store/store.ts'
import type { Leftover } from './leftovers.ts'
import { listSetAside } from './set-aside.ts'
import type { StateFolder } from './state-folder.ts'

export type RunStores = { store: Store; engine: EngineRepository; folder: StateFolder }

export type KeptPath = { path: string; why: string }

export async function removeRun({ store, engine, folder }: RunStores, run: string): Promise<void> {
  await removeTree(join(folder.runs, run))
  await deleteRunRefs(engine, run)
  await unpublish(engine, run, { branch: false })
  await store.deleteRun(run)
}

/** Why the run has to stay, and what of it; empty: it may go. `refs` is what the engine's repository has of it. */
export async function whyKept(
  { engine, folder }: RunStores,
  run: string,
  { refs, leftovers, force }: { refs: KeptRun | undefined; leftovers: readonly Leftover[]; force: boolean },
): Promise<KeptPath[]> {
  const path = join(folder.runs, run)
  if (leftovers.some((leftover) => leftover.run === run || leftover.run === '?'))
    return [{ path, why: `processes of run ${run} are still alive: \`espalier doctor --fix\` ends them` }]
  if (force) return []
  const unsafe = await whyUnsafe(engine, run, refs)
  if (unsafe !== null) return [{ path, why: unsafe }]
  const why = 'its work could not be kept in git: take what you need from it, then --force removes it'
  return (await listSetAside(folder, run)).map((worktree) => ({ path: worktree, why }))
}

async function whyUnsafe(engine: EngineRepository, run: string, refs: KeptRun | undefined): Promise<string | null> {
  try {
    const unsafe = await unsafeCommits(engine, commitsOf(refs))
    if (unsafe === 0) return null
    return `${unsafe} commits of run ${run} are in no branch or ref of your repository any more: --force removes them all the same`
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return `git could not say whether the work of run ${run} is safe: ${error.stderr.trim()}`
  }
}

/** What an engine that died while it opened a run left of it. Its branch holds nothing, unless it has been moved. */
export async function removeUnborn({ store, engine }: RunStores, run: string): Promise<void> {
  const user = inUser(engine)
  const branch = await lookAt(user, runBranch(run))
  const pin = await lookAt(user, basePin(run))
  await unpublish(engine, run, { branch: branch.commit !== null && branch.commit === pin.commit })
  await deleteRunRefs(engine, run)
  await store.deleteRun(run)
}

/** All refs of a run go at once: where there are none, the run was on its way out already, and had been found safe. */
function commitsOf(refs: KeptRun | undefined): string[] {
  return refs ? [...(refs.head === null ? [] : [refs.head]), ...refs.attempts.map(({ commit }) => commit)] : []
}
