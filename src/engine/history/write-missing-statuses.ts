// Writes how the tasks of a run that is over stand into its plan file, where that could not be done when it ended.
import { LIMITS } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView } from '../../status.ts'
import type { Views } from '../../store/store.ts'
import type { StatusConflict, UnwrittenStatus } from '../../unwritten-status.ts'
import { shown } from '../../workloads/document/field.ts'
import { readRun } from '../../workspace/read-runs.ts'
import { keepUnwritten, keptUnwritten } from '../../workspace/unwritten-statuses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readOrigin } from '../plan-file/keep-plan-file-at-start.ts'
import { planFilePath } from '../plan-file/plan-file-name-in-ledger.ts'
import { WriteBack } from '../plan-file/write-back.ts'
import { begunLater } from './other-runs-of-plan.ts'

/** What the files do not say even now: nothing, where all went well. Null where there was nothing to write. */
export async function writeMissingStatus(
  workspace: Workspace,
  options: { run: string },
): Promise<Result<UnwrittenStatus | null>> {
  const { engine } = workspace
  const found = await readRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(`there is no run ${options.run}: \`espalier status --all\` lists those there are`)
  if (!view.unwritten?.files.length || view.resumable) return ok(null)
  const tasks = new Set(view.tasks.map(({ id }) => id))
  const origin = await readOrigin(workspace, view.run)
  if (!origin.ok) return origin
  const made = WriteBack.of(origin.value, (task) => tasks.has(task))
  if (!origin.value || !made) return ok(null)
  await using writeBack = made
  if (engine) return refuse(busyText(view.run, engine.pid))
  const later = await workspace.readViews(new Map<string, StatusConflict>(), (views) => leftToOthers(views, view))
  if (!later.ok) return later
  writeBack.follow(view.tasks.filter(({ id }) => !later.value.has(id)))
  await writeBack.settled()
  const { files, conflicts } = writeBack.unwritten
  const left = { files, conflicts: [...conflicts, ...later.value.values()].slice(0, LIMITS.problems) }
  return workspace.write(async (store) => {
    await keepUnwritten(store, view.run, left)
    return ok(left)
  })
}

function busyText(run: string, pid: number): string {
  return `how the tasks of run ${run} stand is not written while an engine works in this repository (process ${pid}): try again when it has ended`
}

async function leftToOthers(views: Views, { run, repo }: RunView): Promise<Map<string, StatusConflict>> {
  const later = await begunLater(views, { run, top: repo })
  const conflicts = [...later].map(([task, { mine, other }]): [string, StatusConflict] => {
    const file = planFilePath(mine.file, repo)
    const message = `the status of ${shown(mine.source)} stays as it is in ${file}: run ${other.run} has begun it since`
    return [task, { file, task: mine.source, message }]
  })
  return new Map(conflicts)
}

/** The runs that could not write into one of these files when they ended: what they did would be done again. */
export async function readMissingStatus(
  workspace: Workspace,
  options: { files: readonly string[] },
): Promise<Result<string[]>> {
  const files = new Set(options.files)
  return workspace.readViews([], async (views) => {
    const over = (await views.runs()).filter(({ resumable }) => !resumable)
    const notes = await Promise.all(over.map(async ({ run }) => ({ run, left: await keptUnwritten(views, run) })))
    return notes.flatMap(({ run, left }) => (left?.files.some(({ file }) => files.has(file)) ? [run] : []))
  })
}
