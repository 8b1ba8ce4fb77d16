// Writes the statuses of a finished run into its plan file, if that was not possible when it ended.

import { ok, type Result, refuse } from '../../problem.ts'
import { saveUnwritten } from '../../unwritten-statuses.ts'
import type { UnwrittenStatus } from '../../view.ts'
import { readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { PlanFileStatus } from '../plan-file/plan-file-status.ts'
import { loadOrigin } from '../plan-file/saved-tasks.ts'

/** Statuses that still could not be written. Null: there was nothing to write, or the run can be resumed, which writes them. */
export async function writeMissingStatuses(
  workspace: Workspace,
  options: { run: string },
): Promise<Result<UnwrittenStatus | null>> {
  const found = await readRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(`there is no run ${options.run}: \`espalier status --all\` lists those there are`)
  if (!view.unwritten?.files.length || view.resumable) return ok(null)
  const { run, startedAt, tasks } = view
  const { engine } = workspace
  if (engine)
    return refuse(
      `the statuses of run ${run} are not written while an engine works in this repository (process ${engine.pid}): try again when it has ended`,
    )
  const ids = new Set(tasks.map(({ id }) => id))
  return workspace.write(async (store) => {
    const origin = await loadOrigin(store, run)
    const paths = new Set(origin?.open.map(({ path }) => path))
    for (const newer of await store.runs()) {
      if (!newer.resumable || newer.startedAt <= startedAt) continue
      const theirs = await loadOrigin(store, newer.run)
      if (theirs?.open.some(({ path }) => paths.has(path)))
        return refuse(`run ${newer.run} of the same plan file is newer and not finished: resume that first`)
    }
    const of = { store, run, isTask: (task: string) => ids.has(task) }
    await using status = await PlanFileStatus.open(of, origin)
    status?.follow(tasks)
    await status?.settled()
    const left = status?.unwritten ?? { files: [], conflicts: [] }
    await saveUnwritten(store, run, left)
    return ok(left)
  })
}
