// What a new run of a plan would do a second time: what its file calls open although a run has landed it or, in a file
// without statuses, what the runs before it did.
import { isInterrupted, type NextStep, stepToWriteStatus } from '../../facts/next-steps.ts'
import { ok, type Result } from '../../problem.ts'
import type { ListedRun } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { Plan } from '../../task.ts'
import { keptUnwritten } from '../../unwritten-status.ts'
import type { PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { planFileName } from '../plan-file/kept-origin.ts'
import { landedBefore, nextStepOf } from './landed-tasks.ts'

export type DoneAgain = {
  run: string
  /** Of the last run of the file, and of one that could not write its statuses into it: null where nothing is left to do. */
  next: NextStep | null
  tasks: string[]
}

type Asked = {
  planFile: string | null
  plan: Plan
  origin?: PlanOrigin | null | undefined
}

/** The newest run first; each task once. Nothing while the last run works, or where a plan without statuses is done. */
export async function readDoneAgain(workspace: Workspace, options: Asked): Promise<Result<DoneAgain[]>> {
  if (!workspace.exists) return ok([])
  const top = workspace.repo
  return workspace.readViews([], async (views) => {
    const last = options.planFile === null ? null : await lastRunOf(views, options.planFile, top)
    if (last && workspace.engine?.pid === last.enginePid) return []
    return options.origin ? openAgain(views, options.origin, last, top) : landedIn(views, options.plan, last)
  })
}

async function landedIn(views: Views, plan: Plan, last: ListedRun | null): Promise<DoneAgain[]> {
  const next = last && (await nextStepOf(views, last))
  if (!next) return []
  const landed = await views.tasks(last.run, 'landed')
  const tasks = plan.tasks.flatMap(({ id }) => (landed.has(id) ? [id] : []))
  return tasks.length > 0 ? [{ run: last.run, next, tasks }] : []
}

async function openAgain(views: Views, origin: PlanOrigin, last: ListedRun | null, top: string): Promise<DoneAgain[]> {
  const landed = await landedBefore(views, origin, 'open', top)
  const newestFirst = landed.toSorted((a, b) => b.runAt - a.runAt)
  const found: DoneAgain[] = []
  for (const [run, mine] of Map.groupBy(newestFirst, (one) => one.run)) {
    const summary = await views.view(run)
    const isUnwritten = summary?.resumable === false && (await keptUnwritten(views, run))?.files.length
    const step = summary && run === last?.run ? await nextStepOf(views, summary) : null
    const next = isUnwritten ? stepToWriteStatus(run) : step
    found.push({ run, next, tasks: mine.map(({ now }) => now.task) })
  }
  return found
}

/** The last run of this plan file, where it was interrupted and no engine works on it; else null. */
export async function readInterrupted(workspace: Workspace, planFile: string): Promise<Result<ListedRun | null>> {
  if (!workspace.exists) return ok(null)
  const holder = workspace.engine
  return workspace.readViews(null, async (views) => {
    const last = await lastRunOf(views, planFile, workspace.repo)
    const engine = holder && last?.enginePid === holder.pid ? holder : null
    return last && isInterrupted({ ...last, engine }) ? last : null
  })
}

async function lastRunOf(views: Views, file: string, top: string): Promise<ListedRun | null> {
  const name = await planFileName(file, top)
  for (const run of await views.runs())
    if (run.planFile !== undefined && (await planFileName(run.planFile, run.repo)) === name) return run
  return null
}
