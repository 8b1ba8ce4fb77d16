// The files of a run's plan without the statuses of the run: the remaining differences from its plan are made by people.
import { ok, type Result } from '../../problem.ts'
import { withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import type { PlanFile } from '../../workloads/plan/source.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { keptOrigin } from './kept-tasks.ts'
import { phaseOf } from './status-of-task.ts'

/** `format` and `part`: as the run has read them. Files have absolute paths. */
type PlanBefore = { files: PlanFile[]; format?: string; part?: string }

export async function readPlanBefore(
  workspace: Workspace,
  options: { run: string; files: readonly PlanFile[] },
): Promise<Result<PlanBefore>> {
  const { run, files } = options
  const kept = await workspace.readViews(null, async (store) => {
    const origin = await keptOrigin(store, run)
    return origin && { origin, tasks: await store.tasks(run) }
  })
  if (!kept.ok) return kept
  if (!kept.value) return ok({ files: [...files] })
  const { origin, tasks } = kept.value
  const taskAt = new Map(origin.open.map(({ path, source, task }) => [keyOf(path, source), task]))
  // An epic is done when its tasks are.
  const isDone = (id: string) => {
    const view = tasks.get(id)
    const parts = view ? [view] : [...tasks.values()].filter(({ epic }) => epic === id)
    return parts.length > 0 && parts.every((part) => phaseOf(part) === 'done')
  }
  const before = withTasksOpen(files, origin, ({ source }, path) => isDone(taskAt.get(keyOf(path, source)) ?? ''))
  return ok({ files: before, format: origin.format, ...(origin.part === null ? {} : { part: origin.part }) })
}

function keyOf(path: string, source: string): string {
  return JSON.stringify([path, source])
}
