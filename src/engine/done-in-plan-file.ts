// Tasks of a run that its plan file calls done, because the run writes that there: who reads the file again does not find
// them among what is to do.
import type { RunView } from '../status.ts'
import { namesInPlanFile } from './names-in-plan-file.ts'
import { readSettingsOf } from './runs.ts'
import type { Where } from './where.ts'
import { phaseOf } from './written-status.ts'

/** None for a plan of Espalier's own, and none where nothing is written back. */
export async function readDoneInPlanFile(
  where: Where,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
): Promise<ReadonlySet<string>> {
  const named = new Set((await namesInPlanFile({ ...where, run })).map(({ task }) => task))
  if (named.size === 0) return named
  const settings = await readSettingsOf({ ...where, run })
  if (!settings.ok || !settings.value?.writeBack) return new Set()
  return new Set(tasks.filter((task) => named.has(task.id) && phaseOf(task) === 'done').map(({ id }) => id))
}
