// How other runs of the same plan file have ended with tasks of a run since that began. What they wrote into the file of one
// that did not succeed is Espalier's word, not a person's: a run that goes on with the task may change it. That a task is done
// stays said.
import type { Views } from '../store/store.ts'
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import type { Phase } from '../workloads/formats/write-back/status-file.ts'
import { inOtherRuns } from './in-other-runs.ts'
import type { StateFolder } from './state-folder.ts'
import { phaseOf } from './written-status.ts'

/** By task of this run. `startedAt`: of this run. */
export async function endedByOthers(
  at: { store: Views; folder: StateFolder },
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
