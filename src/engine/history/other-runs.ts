// What other runs of the same plan file have made of the tasks of a run. Quick to load: `status` asks it.
import type { RunView } from '../../status.ts'
import type { PlanTask, PlanTaskQuery } from '../../store/ledger.ts'
import type { Views } from '../../store/store.ts'
import type { Phase } from '../../workloads/formats/status/status-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { isThereIn } from '../plan-file/file-name.ts'
import { phaseOf } from '../plan-file/status-of-task.ts'
import { sameTasks } from './same-task.ts'

/** `startedAt`: what others did before that does not count. `top`: of the checkout. */
export type WhichRun = { run: string; startedAt: number; top: string }

/** By task of this run: the run that has landed it since this one began. An old run that goes on does not do it again. */
export async function doneSince(views: Views, of: WhichRun): Promise<Map<string, string>> {
  const landed = await inOtherRuns(views, of, { statuses: ['landed'], endedAfter: of.startedAt })
  return new Map(landed.map(({ mine, other }) => [mine.task, other.run]))
}

/**
 * By task of this run: how others have ended with it since this one began, where they did not succeed. What they wrote into
 * the file of it is Espalier's word, not a person's: a run that goes on with the task may change it.
 */
export async function endedByOthers(views: Views, of: WhichRun): Promise<Map<string, Phase[]>> {
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
