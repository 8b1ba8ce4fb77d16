// Writes the statuses of a finished run into its plan file, if that was not possible when it ended.

import { keepUnwritten } from '../../plan-file-note.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Store } from '../../store/store.ts'
import type { UnwrittenStatus } from '../../view.ts'
import { shown } from '../../workloads/document/field.ts'
import { readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { keptOrigin } from '../plan-file/kept-tasks.ts'
import { PlanFileStatus } from '../plan-file/plan-file-status.ts'
import { phaseOf } from '../plan-file/status-of-task.ts'

/** Lines about statuses that still could not be written; empty: all written. Null: there was nothing to write. */
export async function writeMissingStatus(
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
    const origin = await keptOrigin(store, run)
    const newer = await atWorkSince(store, startedAt)
    const { theirs = [], own = [] } = Object.groupBy(origin?.open ?? [], (one) =>
      newer.has(keyOf(one)) ? 'theirs' : 'own',
    )
    const of = { store, run, isTask: (task: string) => ids.has(task) }
    await using status = await PlanFileStatus.open(of, origin && { ...origin, open: own })
    status?.follow(tasks)
    await status?.settled()
    const left = status?.unwritten ?? { files: [], conflicts: [] }
    for (const one of theirs) {
      const message = `the status of ${shown(one.source)} is left to run ${newer.get(keyOf(one))}, which is at work on it`
      left.conflicts.push({ file: one.path, task: one.source, message })
    }
    await keepUnwritten(store, run, left)
    return ok(left)
  })
}

function keyOf({ path, source }: { path: string; source: string }): string {
  return JSON.stringify([path, source])
}

/** Tasks of plan files that newer unfinished runs work on, with the run, which writes their statuses. */
async function atWorkSince(store: Store, since: number): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { run, resumable, startedAt } of await store.runs()) {
    if (!resumable || startedAt <= since) continue
    const [origin, views] = [await keptOrigin(store, run), await store.tasks(run)]
    for (const one of origin?.open ?? []) {
      const view = views.get(one.task)
      if (view && phaseOf(view) === 'begun') found.set(keyOf(one), run)
    }
  }
  return found
}
