// Writes the statuses of a run that is over into its plan file, where that could not be done when it ended.
import { ok, type Result, refuse } from '../../problem.ts'
import type { UnwrittenStatus } from '../../view.ts'
import { readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { keptOrigin } from '../plan-file/kept-tasks.ts'
import { PlanFileStatus } from '../plan-file/plan-file-status.ts'

/** What the file does not say even now: nothing, where all went well. Null where there was nothing to write. */
export async function writeMissingStatus(
  workspace: Workspace,
  options: { run: string },
): Promise<Result<UnwrittenStatus | null>> {
  const found = await readRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(`there is no run ${options.run}: \`espalier status --all\` lists those there are`)
  if (!view.unwritten?.files.length || view.resumable) return ok(null)
  const { run, tasks } = view
  const { engine } = workspace
  if (engine)
    return refuse(
      `the statuses of run ${run} are not written while an engine works in this repository (process ${engine.pid}): try again when it has ended`,
    )
  const ids = new Set(tasks.map(({ id }) => id))
  return workspace.write(async (store) => {
    const of = { store, run, isTask: (task: string) => ids.has(task) }
    await using status = await PlanFileStatus.open(of, await keptOrigin(store, run))
    status?.follow(tasks)
    await status?.settled()
    return ok(status?.unwritten ?? null)
  })
}
