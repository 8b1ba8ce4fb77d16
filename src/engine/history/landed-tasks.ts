// Tasks that runs of the same plan file have landed, and those a new run of it would do again. Quick to load: `status` uses it.

import { isInterrupted, type NextStep, nextSteps, stepToContinue, stepToWriteStatus } from '../../facts/next-steps.ts'
import type { Result } from '../../problem.ts'
import { isDone } from '../../status.ts'
import type { FileTask, LandedTask } from '../../store/plan-tasks.ts'
import type { Views } from '../../store/views.ts'
import type { Plan } from '../../task.ts'
import { loadUnwritten } from '../../unwritten-statuses.ts'
import type { ListedRun, RunSummary, RunView } from '../../view.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { isSameText } from '../../workloads/formats/status/write-status.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { fileTasks, loadOrigin, planFileName } from '../plan-file/saved-tasks.ts'

export type Landed = LandedTask & { now: FileTask & { task: string } }

/**
 * Landings of these tasks of a plan file, the newest run first. A task is identified by its name in the file, and by its text
 * if several parts use that name.
 */
async function landedOf(views: Views, tasks: readonly Landed['now'][], since: number): Promise<Landed[]> {
  const files = [...new Set(tasks.map(({ file }) => file))]
  const rows = files.length === 0 ? [] : await views.landedTasks(files, since)
  const nameOf = ({ format, file, source }: FileTask) => JSON.stringify([format, file, source])
  const byName = new Map(tasks.map((task) => [nameOf(task), task]))
  return rows.flatMap((row) => {
    const now = byName.get(nameOf(row))
    return now && (now.part === row.part || isSameText(row.says, now.says)) ? [{ ...row, now }] : []
  })
}

/** Landed tasks among those that the file calls open or done, each with the newest such run; in the file's order. */
export async function landedBefore(
  views: Views,
  origin: PlanFileTasks,
  state: 'open' | 'done',
  top: string,
): Promise<Landed[]> {
  const tasks = await fileTasks(origin, origin[state] ?? [], top)
  const landed = await landedOf(views, tasks, 0)
  // An open task with another text is a new task.
  const same = landed.filter(({ says, now }) => state === 'done' || isSameText(says, now.says))
  const newest = new Map(same.toReversed().map((one) => [one.now, one]))
  return tasks.flatMap((task) => newest.get(task) ?? [])
}

/** Tasks of this run that other runs have landed since it began, with the run: resuming an old run does not repeat them. */
export async function doneSince(
  views: Views,
  { run, startedAt, top }: { run: string; startedAt: number; top: string },
): Promise<Map<string, string>> {
  const origin = await loadOrigin(views, run)
  const landed = origin ? await landedOf(views, await fileTasks(origin, origin.open, top), startedAt) : []
  const others = landed.filter((one) => one.run !== run)
  return new Map(others.toReversed().map((one) => [one.now.task, one.run]))
}

/** `doneSince`, for the tasks that did not succeed. Empty if the store cannot be read. */
export async function readDoneSince(
  workspace: Workspace,
  { run, startedAt, tasks }: Pick<RunView, 'run' | 'startedAt' | 'tasks'>,
): Promise<ReadonlyMap<string, string>> {
  const open = new Set(tasks.flatMap(({ id, status }) => (isDone(status) ? [] : [id])))
  if (open.size === 0) return new Map()
  const found = await workspace.readViews(new Map<string, string>(), (views) =>
    doneSince(views, { run, startedAt, top: workspace.repo }),
  )
  return new Map([...(found.ok ? found.value : [])].filter(([task]) => open.has(task)))
}

/** The step that continues a run; null: nothing is left of it, or other runs have landed the rest. */
export async function nextStepOf(views: Views, summary: RunSummary): Promise<NextStep | null> {
  const { run, resumable, status, startedAt, repo } = summary
  if (!resumable && status === 'completed') return null
  const tasks = [...(await views.tasks(run)).values()]
  const landedSince = resumable ? new Map<string, string>() : await doneSince(views, { run, startedAt, top: repo })
  return stepToContinue(nextSteps({ ...summary, engine: null, tasks }, { landedSince }))
}

export type DoneAgain = {
  run: string
  /** The step to take instead, for the last run of the file and for a run with unwritten statuses; null: nothing is left to do. */
  next: NextStep | null
  tasks: string[]
}

/** `interrupted`: the last run of the plan file, if it was interrupted and no engine works on it. */
type EarlierRuns = { interrupted: ListedRun | null; doneAgain: DoneAgain[] }

/**
 * Tasks that a new run of a plan would do again: open in its file although a run has landed them or, in a file without statuses,
 * done by earlier runs. The newest run first; each task once. Empty while the last run works, or if a plan without statuses is done.
 */
export async function readEarlierRuns(
  workspace: Workspace,
  options: { planFile: string | null; plan: Plan; origin?: PlanFileTasks | null | undefined },
): Promise<Result<EarlierRuns>> {
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
    const isUnwritten = summary?.resumable === false && (await loadUnwritten(views, run))?.files.length
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
