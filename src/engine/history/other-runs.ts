// The tasks of a run that is over which another run of the same plan file has begun since: how these stand is for that one to say.

import type { Result } from '../../problem.ts'
import type { RunView, TaskStatus, TaskView } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { StatusConflict } from '../../unwritten-status.ts'
import { shown } from '../../workloads/document/field.ts'
import type { OriginFile, PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import type { Phase } from '../../workloads/formats/status/status-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { keptOrigin } from '../plan-file/origin.ts'
import { withRenamed } from '../plan-file/renamed.ts'
import { phaseOf } from '../plan-file/status-of-task.ts'

type Entry = OriginFile['entries'][number]

/** By the id they have in this run. */
export async function begunLater(
  workspace: Workspace,
  origin: PlanOrigin,
  { run, tasks }: RunView,
): Promise<Result<Map<string, StatusConflict>>> {
  const mine = new Map((await entriesOf(origin)).map((one) => [keyOf(one), one.entry]))
  const began = new Map(tasks.map((task) => [task.id, begunAt(task)]))
  return workspace.readViews(new Map(), async (store) => {
    const later = new Map<string, StatusConflict>()
    const others = (await store.runs()).filter((one) => one.run !== run).slice(0, RUNS_LOOKED_AT)
    for (const other of others)
      for (const { path, entry, at } of await begunIn(other.run, new Set(mine.keys()), store)) {
        const own = mine.get(keyOf({ path, entry }))
        if (!own || at <= (began.get(own.task) ?? 0)) continue
        const what = `the status of ${shown(own.source)} stays as it is in ${path}`
        const message = `${what}: run ${other.run} has begun it since`
        later.set(own.task, { file: path, task: own.source, message })
      }
    return later
  })
}

/** The newest first: each costs a look for a file. */

type Placed = { path: string; entry: Entry }

async function entriesOf(origin: PlanOrigin | null): Promise<Placed[]> {
  const files = origin ? (await withRenamed(origin)).files : []
  return files.flatMap(({ path, entries }) => entries.map((entry) => ({ path, entry })))
}

/** The same for a task of the same file in whatever run. */
function keyOf({ path, entry }: Placed): string {
  return JSON.stringify([path, entry.source])
}

/** Those of `wanted` that this run has begun, and when. */
async function begunIn(run: string, wanted: ReadonlySet<string>, store: Views): Promise<(Placed & { at: number })[]> {
  const same = (await entriesOf(await keptOrigin(store, run))).filter((one) => wanted.has(keyOf(one)))
  if (same.length === 0) return []
  const views = await store.tasks(run)
  return same.map((one) => ({ ...one, at: begunAt(views.get(one.entry.task)) }))
}

/** Its last try; 0 where there was none. */
function begunAt(task: TaskView | undefined): number {
  return task?.history.at(-1)?.startedAt ?? 0
}

// The tasks of a run in other runs of the same plan file.

export type Elsewhere = {
  /** As this run calls it. */
  task: string
  /** The other one. */
  run: string
  view: TaskView
}

/** Those that stand like that there; the newest run first. `origin`: of this run. */
export async function inOtherRuns(
  { store }: { store: Views },
  { run, origin }: { run: string; origin: PlanOrigin | null },
  status: TaskStatus,
): Promise<Elsewhere[]> {
  const mine = new Map((await namesIn(origin)).map(({ key, task }) => [key, task]))
  if (mine.size === 0) return []
  const found: Elsewhere[] = []
  const others = (await store.runs()).filter((one) => one.run !== run && one.counts[status] > 0)
  for (const other of others.slice(0, RUNS_LOOKED_AT)) {
    const same = (await namesIn(await keptOrigin(store, other.run))).filter(({ key }) => mine.has(key))
    if (same.length === 0) continue
    const views = await store.tasks(other.run, status)
    for (const { key, task } of same) {
      const [view, own] = [views.get(task), mine.get(key)]
      if (view && own !== undefined) found.push({ task: own, run: other.run, view })
    }
  }
  return found
}

/** The newest: each costs a look for a file. */
const RUNS_LOOKED_AT = 50

/** The same for a task of the same file in whatever run. */
async function namesIn(origin: PlanOrigin | null): Promise<{ key: string; task: string }[]> {
  const files = origin ? (await withRenamed(origin)).files : []
  return files.flatMap(({ path, entries }) =>
    entries.map(({ source, task }) => ({ key: JSON.stringify([path, source]), task })),
  )
}

// How other runs of the same plan file have ended with tasks of a run since that began. What they wrote into the file of one
// that did not succeed is Espalier's word, not a person's: a run that goes on with the task may change it. That a task is done
// stays said.

/** By task of this run. `startedAt`: of this run. */
export async function endedByOthers(
  at: { store: Views },
  origin: PlanOrigin | null,
  { run, startedAt }: { run: string; startedAt: number },
): Promise<Map<string, Phase[]>> {
  const bad = [
    ...(await inOtherRuns(at, { run, origin }, 'failed')),
    ...(await inOtherRuns(at, { run, origin }, 'blocked')),
  ]
  const since = bad.filter(({ view }) => (view.finishedAt ?? 0) > startedAt)
  const byTask = Map.groupBy(since, ({ task }) => task)
  return new Map([...byTask].map(([task, ends]) => [task, ends.map(({ view }) => phaseOf(view))]))
}

// What another run of the same plan file has landed since a run began: an old run that goes on does not do it again.

/** By task of this run: the run that landed it. `startedAt`: of this run. */
export async function doneSince(
  at: { store: Views },
  origin: PlanOrigin | null,
  { run, startedAt }: { run: string; startedAt: number },
): Promise<Map<string, string>> {
  const landed = await inOtherRuns(at, { run, origin }, 'landed')
  const since = landed.filter(({ view }) => (view.finishedAt ?? 0) > startedAt)
  return new Map(since.map((one) => [one.task, one.run]))
}
