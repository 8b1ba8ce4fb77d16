// What a new run of a plan would do a second time. Some files say themselves what is done; of the others, such as a plan
// in Espalier's own format, only the runs before it know.
import { inspect } from '../git/user-repository.ts'
import { ok, type Result } from '../problem.ts'
import type { ListedRun } from '../status.ts'
import type { Plan } from '../task.ts'
import { FileNames } from './file-names.ts'
import { howItGoesOn, type WayOn } from './goes-on.ts'
import { engineAt, hadRuns, reading, type Where } from './read.ts'

export type DoneAgain = {
  /** The newest of this plan file. */
  run: string
  goesOn: WayOn
  /** Those of the plan that have landed there. */
  tasks: string[]
}

/** Null where the last run of the file has nothing left to do or landed nothing of this plan, or is at work. */
export async function readDoneAgain(
  where: Where & { planFile: string; plan: Plan },
): Promise<Result<DoneAgain | null>> {
  if (!(await hadRuns(where))) return ok(null)
  const user = await inspect(where.repo)
  if (!user.ok) return user
  return reading(where, null, async (store, folder) => {
    const last = await lastRunOf(where.planFile, user.value.top, await store.runs())
    const goesOn = last && howItGoesOn(last)
    if (!goesOn || engineAt(folder)?.pid === last.enginePid) return null
    const landed = await store.tasks(last.run, 'landed')
    const tasks = where.plan.tasks.flatMap(({ id }) => (landed.has(id) ? [id] : []))
    return tasks.length > 0 ? { run: last.run, goesOn, tasks } : null
  })
}

/** Runs whose plan file is looked at. */
const EARLIER_RUNS = 50

async function lastRunOf(file: string, top: string, runs: readonly ListedRun[]): Promise<ListedRun | null> {
  const names = new FileNames()
  const name = await names.nameOf(file, top)
  for (const run of runs.slice(0, EARLIER_RUNS))
    if (run.planFile !== undefined && (await names.nameOf(run.planFile, run.repo)) === name) return run
  return null
}
