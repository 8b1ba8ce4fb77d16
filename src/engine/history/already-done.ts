// Tasks that a new run of a plan would do again: open in its file although a run has landed them or, in a file without
// statuses, done by earlier runs.
import { isInterrupted, type NextStep, stepToWriteStatus } from '../../facts/next-steps.ts'
import { keptUnwritten } from '../../plan-file-note.ts'
import type { Result } from '../../problem.ts'
import type { Views } from '../../store/store.ts'
import type { Plan } from '../../task.ts'
import type { ListedRun } from '../../view.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { planFileName } from '../plan-file/kept-tasks.ts'
import { landedBefore, nextStepOf } from './landed-tasks.ts'

export type DoneAgain = {
  run: string
  /** What to do instead, for the last run of the file and for a run with unwritten statuses; null: nothing is left to do. */
  next: NextStep | null
  tasks: string[]
}

type Asked = {
  planFile: string | null
  plan: Plan
  origin?: PlanFileTasks | null | undefined
}

/** `interrupted`: the last run of the plan file, if it was interrupted and no engine works on it. */
type EarlierRuns = { interrupted: ListedRun | null; doneAgain: DoneAgain[] }

/** The newest run first; each task once. Empty while the last run works, or if a plan without statuses is done. */
export async function readEarlierRuns(workspace: Workspace, options: Asked): Promise<Result<EarlierRuns>> {
  const { planFile, plan, origin } = options
  const { repo: top, engine } = workspace
  return workspace.readViews<EarlierRuns>({ interrupted: null, doneAgain: [] }, async (views) => {
    const last = planFile === null ? null : await lastRunOf(views, planFile, top)
    if (last && engine?.pid === last.enginePid) return { interrupted: null, doneAgain: [] }
    const doneAgain = origin ? await openAgain(views, origin, last, top) : await landedIn(views, plan, last)
    return { interrupted: last && isInterrupted({ ...last, engine: null }) ? last : null, doneAgain }
  })
}

async function landedIn(views: Views, plan: Plan, last: ListedRun | null): Promise<DoneAgain[]> {
  const next = last && (await nextStepOf(views, last))
  if (!next) return []
  const landed = await views.tasks(last.run, 'landed')
  const tasks = plan.tasks.flatMap(({ id }) => (landed.has(id) ? [id] : []))
  return tasks.length > 0 ? [{ run: last.run, next, tasks }] : []
}

async function openAgain(
  views: Views,
  origin: PlanFileTasks,
  last: ListedRun | null,
  top: string,
): Promise<DoneAgain[]> {
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

async function lastRunOf(views: Views, file: string, top: string): Promise<ListedRun | null> {
  const name = await planFileName(file, top)
  for (const run of await views.runs())
    if (run.planFile !== undefined && (await planFileName(run.planFile, run.repo)) === name) return run
  return null
}
