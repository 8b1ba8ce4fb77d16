// What a new run of a plan would do a second time. Of a file that carries statuses that is what it calls open although a
// run has landed it: the file was put back to what it was, or nothing was written into it. Of the others, such as a plan
// in Espalier's own format, only the runs before it know.

import type { NextStep } from '../../facts/next-steps.ts'
import { ok, type Result } from '../../problem.ts'
import type { ListedRun } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { Plan } from '../../task.ts'
import type { PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import type { StateFolder } from '../../workspace/folder.ts'
import { keptUnwritten } from '../../workspace/kept-unwritten.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { FileNames, landedByRuns } from './landed.ts'
import { nextStepOf } from './next-step.ts'
import { pastRuns } from './runs.ts'

export type DoneAgain = {
  run: string
  /** Only of the last run of the file: null where that has nothing left to do, too. */
  next: NextStep | null
  /** Those of the plan that have landed there. */
  tasks: string[]
}

type Asked = {
  /** Null where the plan is made of several files. */
  planFile: string | null
  plan: Plan
  /** What the file says, where it carries statuses. */
  origin?: PlanOrigin | null | undefined
}

type Places = { store: Views; folder: StateFolder; top: string }

/**
 * The newest run first; each task once. A plan without statuses whose last run has nothing left is meant to be run as a
 * whole: nothing is said of it, nor while the last run is at work.
 */
export async function readDoneAgain(workspace: Workspace, options: Asked): Promise<Result<DoneAgain[]>> {
  if (!workspace.exists) return ok([])
  const user = await workspace.user()
  if (!user.ok) return user
  const { top } = user.value
  return workspace.readViews([], async (store) => {
    const runs = (await store.runs()).slice(0, EARLIER_RUNS)
    const last = options.planFile === null ? null : await lastRunOf(options.planFile, top, runs)
    if (last && workspace.engine?.pid === last.enginePid) return []
    const at = { store, folder: workspace.folder, top }
    return options.origin ? openAgain(at, options.origin, last) : landedIn(at, options, last)
  })
}

/** Runs whose plan file is looked at. */
const EARLIER_RUNS = 50

async function landedIn(at: Places, { plan }: Asked, last: ListedRun | null): Promise<DoneAgain[]> {
  const next = last && (await nextStepOf(at, last))
  if (!next) return []
  const landed = await at.store.tasks(last.run, 'landed')
  const tasks = plan.tasks.flatMap(({ id }) => (landed.has(id) ? [id] : []))
  return tasks.length > 0 ? [{ run: last.run, next, tasks }] : []
}

async function openAgain(at: Places, origin: PlanOrigin, last: ListedRun | null): Promise<DoneAgain[]> {
  const open = origin.files.flatMap(({ path, entries }) => entries.map((entry) => ({ ...entry, path })))
  const { format, part } = origin
  const runs = (await pastRuns(at)).slice(0, EARLIER_RUNS)
  const sought = { format, part, tasks: open, sameWords: true }
  const landed = Map.groupBy(await landedByRuns(sought, runs, at.top), ({ run }) => run)
  const found: DoneAgain[] = []
  for (const { run, summary } of runs) {
    const sources = new Set(landed.get(run)?.map(({ source }) => source))
    // What one that is over could not write it can still write, and that is said elsewhere: see write-missing.ts.
    const isSaid = summary?.resumable === false && (await keptUnwritten(at.store, run))?.files.length
    if (sources.size === 0 || isSaid) continue
    const tasks = open.flatMap(({ source, task }) => (sources.has(source) ? [task] : []))
    found.push({ run, next: summary && run === last?.run ? await nextStepOf(at, summary) : null, tasks })
  }
  return found
}

async function lastRunOf(file: string, top: string, runs: readonly ListedRun[]): Promise<ListedRun | null> {
  const names = new FileNames()
  const name = await names.nameOf(file, top)
  for (const run of runs)
    if (run.planFile !== undefined && (await names.nameOf(run.planFile, run.repo)) === name) return run
  return null
}
