// What another run of the same plan file has landed since a run began: an old run that goes on does not do it again.
import type { Views } from '../store/store.ts'
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import { keptOrigin } from './kept-origin.ts'
import type { StateFolder } from './state-folder.ts'

type Places = { store: Views; folder: StateFolder }

/** By task of this run: the run that landed it. `startedAt`: of this run. */
export async function doneSince(
  { store, folder }: Places,
  origin: PlanOrigin | null,
  { run, startedAt }: { run: string; startedAt: number },
): Promise<Map<string, string>> {
  const since = new Map<string, string>()
  const mine = new Map(namesIn(origin).map(({ key, task }) => [key, task]))
  if (mine.size === 0) return since
  const others = (await store.runs()).filter((one) => one.run !== run && one.counts.landed > 0).slice(0, RUNS_LOOKED_AT)
  for (const other of others) {
    const same = namesIn(await keptOrigin(folder, other.run)).filter(({ key }) => mine.has(key))
    if (same.length === 0) continue
    const landed = await store.tasks(other.run, 'landed')
    for (const { key, task } of same)
      if ((landed.get(task)?.finishedAt ?? 0) > startedAt) since.set(mine.get(key) ?? '', other.run)
  }
  return since
}

/** The newest first: each costs a look for a file. */
const RUNS_LOOKED_AT = 50

/** The same for a task of the same file in whatever run. */
function namesIn(origin: PlanOrigin | null): { key: string; task: string }[] {
  return (origin?.files ?? []).flatMap(({ path, entries }) =>
    entries.map(({ source, task }) => ({ key: JSON.stringify([path, source]), task })),
  )
}
