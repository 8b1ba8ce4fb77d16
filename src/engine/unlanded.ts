// Work that is done by the plan file but not in the commit a run would start from: an earlier run of the same file did
// it, wrote so into the file, and its branch was never landed. Tasks that build on it would not find it.

import type { WayOn } from '../facts/next-steps.ts'
import { branchesOfRuns, hasChangesOf, hasContentOf, missingIn, tasksCopiedTo } from '../git/contained.ts'
import { type EngineRepository, openEngineRepository } from '../git/engine-repository.ts'
import { GitFailure } from '../git/git.ts'
import { inspect, resolveCommit } from '../git/user-repository.ts'
import { ok, type Result } from '../problem.ts'
import type { Views } from '../store/store.ts'
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import type { LandedBefore } from './landed-before.ts'
import { landedByRuns } from './landed-by-runs.ts'
import { type PastRun, pastRuns } from './past-run.ts'
import type { StateFolder } from './state-folder.ts'
import { wayOn } from './way-on.ts'
import { hadRuns, reading, type Where } from './where.ts'

export type UnlandedWork = {
  run: string
  branch: string
  /** Nothing is known of the run any more but what it has landed. */
  isRemoved: boolean
  goesOn: WayOn | null
  /** As the plan file calls them. */
  tasks: string[]
}

/** From any process; see `unlandedWork`. `base`: the commit that a run would start from, by default HEAD. */
export async function readUnlanded(
  where: Where & { origin: PlanOrigin | null; base?: string | undefined },
): Promise<Result<UnlandedWork[]>> {
  const { origin } = where
  if (!origin?.done?.length || !(await hadRuns(where))) return ok([])
  const user = await inspect(where.repo)
  if (!user.ok) return user
  const base = await resolveCommit(user.value, where.base ?? 'HEAD')
  if (!base.ok) return base
  return reading(where, [], async (store, folder) => {
    const engine = await openEngineRepository(folder.root, user.value)
    return unlandedWork({ store, folder, engine }, origin, base.value)
  })
}

export type Places = { store: Views; folder: StateFolder; engine: EngineRepository }

/** The oldest run first; each task once, and as few branches as hold them all. */
export async function unlandedWork(at: Places, origin: PlanOrigin, base: string): Promise<UnlandedWork[]> {
  if (!origin.done?.length) return []
  const runs = (await pastRuns(at)).slice(0, EARLIER_RUNS)
  const { format, part, done } = origin
  const landed = await landedByRuns({ format, part, tasks: done, sameWords: false }, runs, at.engine.user.top)
  try {
    const missing = await missingIn(
      at.engine,
      base,
      landed.map(({ commit }) => commit),
    )
    const left = landed.filter(({ commit }) => missing.has(commit))
    return left.length === 0 ? [] : await onBranches(at, runs, left, base)
  } catch (error) {
    // It is a look at what was before: where git cannot tell, the run begins as it always did.
    if (!(error instanceof GitFailure)) throw error
    return []
  }
}

/** Runs that are asked for what they have landed, and branches that are compared with the base. */
const EARLIER_RUNS = 50
const BRANCHES = 10

/** Where the work is to be found. Of a branch that is gone nothing is said: somebody has decided about it. */
async function onBranches(
  at: Places,
  runs: readonly PastRun[],
  landed: readonly LandedBefore[],
  base: string,
): Promise<UnlandedWork[]> {
  const { engine } = at
  const tips = await branchesOfRuns(engine)
  const works: UnlandedWork[] = []
  let left = [...landed]
  let looks = 0
  // From the newest on: a run that was started from the branch of another has the work of both.
  for (const { run, branch, summary } of runs) {
    const tip = tips.get(branch)
    if (tip === undefined || !left.some((one) => one.run === run) || looks === BRANCHES) continue
    looks++
    const elsewhere = await missingIn(
      engine,
      tip,
      left.map(({ commit }) => commit),
    )
    const isHere = (one: LandedBefore) => one.run === run || !elsewhere.has(one.commit)
    const here = left.filter(isHere)
    left = left.filter((one) => !isHere(one))
    const tasks = (await lacking(engine, here, tip, base)).map(({ source }) => source)
    if (tasks.length > 0)
      works.unshift({ run, branch, tasks, isRemoved: !summary, goesOn: summary && (await wayOn(at, summary)) })
  }
  return works
}

/** Of the tasks on a branch, those whose work did not come into the base in another way: squashed, rebased, picked. */
async function lacking(
  engine: EngineRepository,
  tasks: LandedBefore[],
  branch: string,
  base: string,
): Promise<LandedBefore[]> {
  if ((await hasContentOf(engine, base, branch)) || (await hasChangesOf(engine, base, branch))) return []
  const copied = new Set((await tasksCopiedTo(engine, base, branch)).map(({ run, task }) => `${run}/${task}`))
  return tasks.filter(({ run, task }) => !copied.has(`${run}/${task}`))
}
