// Tasks of a run that its plan file calls done because the run wrote that there.
import type { RunView } from '../../status.ts'
import { readSettingsOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { phaseOf } from './status-of-task.ts'

/** None for a plan of Espalier's own, and none where nothing is written back. */
export async function readDoneInPlanFile(
  workspace: Workspace,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
): Promise<ReadonlySet<string>> {
  const named = new Set((await namesInPlanFile(workspace, { run })).map(({ task }) => task))
  if (named.size === 0) return named
  const settings = await readSettingsOf(workspace, { run })
  if (!settings.ok || !settings.value?.writeBack) return new Set()
  return new Set(tasks.filter((task) => named.has(task.id) && phaseOf(task) === 'done').map(({ id }) => id))
}

// What people call a task: by its id here, or as the plan file of the run calls it (`T005`, `1.2`).

/** The ids of the tasks that are called so. More than one only where several files of a plan use the same name. */
export async function tasksCalled(
  workspace: Workspace,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
  name: string,
): Promise<string[]> {
  const ids = new Set(tasks.map(({ id }) => id))
  if (ids.has(name)) return [name]
  const names = await namesInPlanFile(workspace, { run })
  const called = names.filter(({ source, task }) => source === name && ids.has(task))
  return [...new Set(called.map(({ task }) => task))]
}

// What the plan file of a run calls its tasks, where that is a file that carries a status.

type NameInPlanFile = { task: string; source: string }

export async function namesInPlanFile(workspace: Workspace, options: { run: string }): Promise<NameInPlanFile[]> {
  const found = await workspace.readViews([], (views) => views.planTasks({ run: options.run }))
  return found.ok ? found.value : []
}
