// What other runs of the same plan file have made of the tasks of a run. Quick to load: `status` asks it.

import { dirname } from 'node:path'
import { type NextStep, nextSteps, stepToContinue } from '../../facts/next-steps.ts'
import type { RunSummary, RunView } from '../../status.ts'
import type { FileTask, PlanTask, PlanTaskQuery } from '../../store/ledger.ts'
import type { Views } from '../../store/store.ts'
import type { PlanOrigin } from '../../workloads/formats/write-back/plan-file-at-start.ts'
import type { StatusPhase } from '../../workloads/formats/write-back/status-writer.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { fileTasks, isThereIn } from '../plan-file/plan-file-name-in-ledger.ts'
import { phaseOf } from '../plan-file/status-of-task.ts'

/** `startedAt`: what others did before that does not count. `top`: of the checkout. */
export type WhichRun = { run: string; startedAt: number; top: string }

/** By task of this run: the run that has landed it since this one began. An old run that goes on does not do it again. */
export async function doneSince(views: Views, of: WhichRun): Promise<Map<string, string>> {
  const landed = await inOtherRuns(views, of, { statuses: ['landed'], endedAfter: of.startedAt })
  return new Map(landed.map(({ mine, other }) => [mine.task, other.run]))
}

/** By task: how others ended with it since, without success. What they wrote into the file is no person's word. */
export async function endedByOthers(views: Views, of: WhichRun): Promise<Map<string, StatusPhase[]>> {
  const bad = await inOtherRuns(views, of, { statuses: ['failed', 'blocked'], endedAfter: of.startedAt })
  const byTask = Map.groupBy(bad, ({ mine }) => mine.task)
  return new Map([...byTask].map(([task, ends]) => [task, ends.map(({ other }) => phaseOf(other))]))
}

/** By task of this run: the run that has begun it later than this one did. How it stands is for that one to say. */
export async function begunLater(
  views: Views,
  of: Omit<WhichRun, 'startedAt'>,
): Promise<Map<string, { mine: PlanTask; other: PlanTask }>> {
  const begun = await inOtherRuns(views, of, { begunAfter: 0 })
  const later = begun.filter(({ mine, other }) => (other.begunAt ?? 0) > (mine.begunAt ?? 0))
  return new Map(later.map((one) => [one.mine.task, one]))
}

/** For whoever looks at a run: `doneSince`, of those that did not succeed. None where that cannot be found out. */
export async function readDoneSince(
  workspace: Workspace,
  { run, startedAt, tasks }: Pick<RunView, 'run' | 'startedAt' | 'tasks'>,
): Promise<ReadonlyMap<string, string>> {
  const open = new Set(tasks.flatMap(({ id, status }) => (status === 'landed' || status === 'passed' ? [] : [id])))
  if (open.size === 0) return new Map()
  const found = await workspace.readViews(new Map<string, string>(), (views) =>
    doneSince(views, { run, startedAt, top: workspace.repo }),
  )
  return new Map([...(found.ok ? found.value : [])].filter(([task]) => open.has(task)))
}

/** The newest run last, which is the one that counts. */
async function inOtherRuns(
  views: Views,
  { run, top }: Omit<WhichRun, 'startedAt'>,
  query: PlanTaskQuery,
): Promise<{ mine: PlanTask; other: PlanTask }[]> {
  const others = await views.planTasks({ ...query, besides: run })
  const mine = others.length === 0 ? [] : await views.planTasks({ run })
  const same = sameTasks(mine, others, isThereIn(top))
  return [...same].map(([other, own]) => ({ mine: own, other })).toReversed()
}

/** Null where nothing is left of it, or other runs have landed the rest. */
export async function nextStepOf(views: Views, summary: RunSummary): Promise<NextStep | null> {
  const { run, resumable, status, startedAt, repo } = summary
  if (!resumable && status === 'completed') return null
  const tasks = [...(await views.tasks(run)).values()]
  const landedSince = resumable ? new Map<string, string>() : await doneSince(views, { run, startedAt, top: repo })
  return stepToContinue(nextSteps({ ...summary, engine: null, tasks }, { landedSince }))
}

export type LandedBefore = { now: FileTask & { task: string }; row: PlanTask & { commit: string } }

/** Of the tasks the file calls open or done, those a run has landed, with the newest such run; in the file's order. */
export async function landedBefore(
  views: Views,
  origin: PlanOrigin,
  state: 'open' | 'done',
  top: string,
): Promise<LandedBefore[]> {
  const tasks = await fileTasks(origin, top)
  const wanted = new Set(tasks[state])
  if (wanted.size === 0) return []
  const rows = await views.planTasks({ statuses: ['landed'], format: origin.format })
  const found = new Map<FileTask, LandedBefore>()
  for (const [row, now] of sameTasks([...tasks.open, ...tasks.done], rows, isThereIn(top))) {
    const { commit } = row
    if (commit === null || found.has(now) || !wanted.has(now)) continue
    // One that is open and has other words by now is another task: somebody wants it so.
    if (state === 'open' && !hasSameWords(now, row)) continue
    found.set(now, { now, row: { ...row, commit } })
  }
  return tasks[state].flatMap((task) => found.get(task) ?? [])
}

// Which tasks of plan files in different runs are the same one: by file and name there, and by their words where a name
// is used in several parts, or files are renamed (ccpm). Pure.

/** By row of the ledger: the one of `mine` that it is about. `isThere`: whether there is a file of that name now. */
export function sameTasks<T extends FileTask>(
  mine: readonly T[],
  rows: readonly PlanTask[],
  isThere: (file: string) => boolean,
): Map<PlanTask, T> {
  const byName = new Map(mine.map((one) => [nameOf(one), one]))
  const found = new Map<PlanTask, T>()
  for (const ofRun of Map.groupBy(rows, ({ run }) => run).values()) {
    const renamed = findRenamed(mine, byName, ofRun, isThere)
    for (const row of ofRun) {
      const one = byName.get(nameOf(row)) ?? renamed.get(row)
      if (one && (one.part === row.part || hasSameWords(one, row))) found.set(row, one)
    }
  }
  return found
}

/** One that was renamed was found by its words. */
export function hasSameWords(one: FileTask, other: FileTask): boolean {
  return one.says === other.says || nameOf(one) !== nameOf(other)
}

function nameOf({ format, file, source }: FileTask): string {
  return JSON.stringify([format, file, source])
}

/** Rows of a run whose task has another name in `mine`, because one of the files is not there any more. */
function findRenamed<T extends FileTask>(
  mine: readonly T[],
  byName: ReadonlyMap<string, T>,
  rows: readonly PlanTask[],
  isThere: (file: string) => boolean,
): Map<PlanTask, T> {
  const found = new Map<PlanTask, T>()
  let old = rows.filter((row) => row.numberless !== null && !byName.has(nameOf(row)))
  if (old.length === 0) return found
  const known = new Set(rows.map(nameOf))
  let now = mine.filter((one) => one.numberless !== null && !known.has(nameOf(one)))
  for (const words of ['says', 'numberless'] as const) {
    const keyOf = (task: FileTask) => JSON.stringify([task.format, dirname(task.file), task[words]])
    const byKey = Map.groupBy(now, keyOf)
    for (const [key, [row, ...alike]] of Map.groupBy(old, keyOf)) {
      const [one, ...more] = byKey.get(key) ?? []
      // Where several could be meant none is.
      if (!row || !one || alike.length + more.length > 0) continue
      if (!isThere(row.file) || !isThere(one.file)) found.set(row, one)
    }
    const taken = new Set(found.values())
    old = old.filter((row) => !found.has(row))
    now = now.filter((one) => !taken.has(one))
  }
  return found
}
