// The tasks of a run that is over which another run of the same plan file has begun since: how these stand is for that one to say.
import type { Result } from '../problem.ts'
import type { RunView, TaskView } from '../status.ts'
import type { Views } from '../store/store.ts'
import type { StatusConflict } from '../unwritten-status.ts'
import { shown } from '../workloads/field.ts'
import type { OriginFile, PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import { keptOrigin } from './kept-origin.ts'
import { withRenamed } from './renamed-files.ts'
import type { StateFolder } from './state-folder.ts'
import { reading, type Where } from './where.ts'

type Entry = OriginFile['entries'][number]

/** By the id they have in this run. */
export async function begunLater(
  where: Where,
  origin: PlanOrigin,
  { run, tasks }: RunView,
): Promise<Result<Map<string, StatusConflict>>> {
  const mine = new Map((await entriesOf(origin)).map((one) => [keyOf(one), one.entry]))
  const began = new Map(tasks.map((task) => [task.id, begunAt(task)]))
  return reading(where, new Map(), async (store, folder) => {
    const later = new Map<string, StatusConflict>()
    const others = (await store.runs()).filter((one) => one.run !== run).slice(0, RUNS_LOOKED_AT)
    for (const other of others)
      for (const { path, entry, at } of await begunIn(other.run, new Set(mine.keys()), store, folder)) {
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
async function begunIn(
  run: string,
  wanted: ReadonlySet<string>,
  store: Views,
  folder: StateFolder,
): Promise<(Placed & { at: number })[]> {
  const same = (await entriesOf(await keptOrigin(folder, run))).filter((one) => wanted.has(keyOf(one)))
  if (same.length === 0) return []
  const views = await store.tasks(run)
  return same.map((one) => ({ ...one, at: begunAt(views.get(one.entry.task)) }))
}

/** Its last try; 0 where there was none. */
function begunAt(task: TaskView | undefined): number {
  return task?.history.at(-1)?.startedAt ?? 0
}
