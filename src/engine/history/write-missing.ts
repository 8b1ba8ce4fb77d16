// Writes how the tasks of a run that is over stand into its plan file, where that could not be done when it ended.
import { LIMITS } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { UnwrittenStatus } from '../../unwritten-status.ts'
import { keepUnwritten, keptUnwritten } from '../../workspace/kept-unwritten.ts'
import { engineAt, folderOf, reading, type Where } from '../../workspace/read.ts'
import { readRun } from '../../workspace/runs.ts'
import { keptOrigin } from '../plan-file/origin.ts'
import { WriteBack } from '../plan-file/write-back.ts'
import { begunLater } from './other-runs.ts'

/** What the files do not say even now: nothing, where all went well. Null where there was nothing to write. */
export async function writeMissingStatus(where: Where & { run: string }): Promise<Result<UnwrittenStatus | null>> {
  const [folder, found] = [await folderOf(where), await readRun(where)]
  if (!folder.ok) return folder
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(`there is no run ${where.run}: \`espalier status --all\` lists those there are`)
  if (!view.unwritten?.files.length || view.resumable) return ok(null)
  const tasks = new Set(view.tasks.map(({ id }) => id))
  const origin = await keptOrigin(folder.value, view.run)
  const made = WriteBack.of(origin, (task) => tasks.has(task))
  if (!origin || !made) return ok(null)
  await using writeBack = made
  const engine = engineAt(folder.value)
  if (engine) return refuse(busyText(view.run, engine.pid))
  const later = await begunLater(where, origin, view)
  if (!later.ok) return later
  writeBack.follow(view.tasks.filter(({ id }) => !later.value.has(id)))
  await writeBack.settled()
  const { files, conflicts } = writeBack.unwritten
  const left = { files, conflicts: [...conflicts, ...later.value.values()].slice(0, LIMITS.problems) }
  await keepUnwritten(folder.value, view.run, left)
  return ok(left)
}

/** It may be doing the same tasks, and writes how they stand itself. */
function busyText(run: string, pid: number): string {
  return `how the tasks of run ${run} stand is not written while an engine works in this repository (process ${pid}): try again when it has ended`
}

/** Runs that are over and looked at, the newest first: each costs a look for a file. */
const RUNS_LOOKED_AT = 50

/** The runs that could not write into one of these files when they ended: what they did would be done again. */
export async function readMissingStatus(where: Where & { files: readonly string[] }): Promise<Result<string[]>> {
  const files = new Set(where.files)
  return reading(where, [], async (store, folder) => {
    const over = (await store.runs()).filter(({ resumable }) => !resumable).slice(0, RUNS_LOOKED_AT)
    const notes = await Promise.all(over.map(async ({ run }) => ({ run, left: await keptUnwritten(folder, run) })))
    return notes.flatMap(({ run, left }) => (left?.files.some(({ file }) => files.has(file)) ? [run] : []))
  })
}
