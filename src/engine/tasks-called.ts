// What people call a task: by its id here, or as the plan file of the run calls it (`T005`, `1.2`).
import type { RunView } from '../status.ts'
import { namesInPlanFile } from './names-in-plan-file.ts'
import type { Where } from './where.ts'

/** The ids of the tasks that are called so. More than one only where several files of a plan use the same name. */
export async function tasksCalled(
  where: Where,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
  name: string,
): Promise<string[]> {
  const ids = new Set(tasks.map(({ id }) => id))
  if (ids.has(name)) return [name]
  const names = await namesInPlanFile({ ...where, run })
  const called = names.filter(({ source, task }) => source === name && ids.has(task))
  return [...new Set(called.map(({ task }) => task))]
}
