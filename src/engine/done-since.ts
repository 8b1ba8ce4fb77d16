// What another run of the same plan file has landed since a run began: an old run that goes on does not do it again.
import type { Views } from '../store/store.ts'
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import { inOtherRuns } from './in-other-runs.ts'
import type { StateFolder } from './state-folder.ts'

/** By task of this run: the run that landed it. `startedAt`: of this run. */
export async function doneSince(
  at: { store: Views; folder: StateFolder },
  origin: PlanOrigin | null,
  { run, startedAt }: { run: string; startedAt: number },
): Promise<Map<string, string>> {
  const landed = await inOtherRuns(at, { run, origin }, 'landed')
  const since = landed.filter(({ view }) => (view.finishedAt ?? 0) > startedAt)
  return new Map(since.map((one) => [one.task, one.run]))
}
