// The tasks of a run in other runs of the same plan file.
import type { TaskStatus, TaskView } from '../status.ts'
import type { Views } from '../store/store.ts'
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import { keptOrigin } from './kept-origin.ts'
import { withRenamed } from './renamed-files.ts'
import type { StateFolder } from './state-folder.ts'

export type Elsewhere = {
  /** As this run calls it. */
  task: string
  /** The other one. */
  run: string
  view: TaskView
}

/** Those that stand like that there; the newest run first. `origin`: of this run. */
export async function inOtherRuns(
  { store, folder }: { store: Views; folder: StateFolder },
  { run, origin }: { run: string; origin: PlanOrigin | null },
  status: TaskStatus,
): Promise<Elsewhere[]> {
  const mine = new Map((await namesIn(origin)).map(({ key, task }) => [key, task]))
  if (mine.size === 0) return []
  const found: Elsewhere[] = []
  const others = (await store.runs()).filter((one) => one.run !== run && one.counts[status] > 0)
  for (const other of others.slice(0, RUNS_LOOKED_AT)) {
    const same = (await namesIn(await keptOrigin(folder, other.run))).filter(({ key }) => mine.has(key))
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
