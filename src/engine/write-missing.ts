// Writes how the tasks of a run that is over stand into its plan file, where that could not be done when it ended.
import { ok, type Result, refuse } from '../problem.ts'
import type { UnwrittenStatus } from '../unwritten-status.ts'
import { keptOrigin } from './kept-origin.ts'
import { keepUnwritten, keptUnwritten } from './kept-unwritten.ts'
import { folderOf, reading, readRun, type Where } from './read.ts'
import { WriteBack } from './write-back.ts'

/** What the files do not say even now: nothing, where all went well. Null where there was nothing to write. */
export async function writeMissingStatus(where: Where & { run: string }): Promise<Result<UnwrittenStatus | null>> {
  const [folder, found] = [await folderOf(where), await readRun(where)]
  if (!folder.ok) return folder
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(`there is no run ${where.run}: \`espalier status --all\` lists those there are`)
  if (!view.unwritten?.files.length || view.resumable || view.engine) return ok(null)
  const tasks = new Set(view.tasks.map(({ id }) => id))
  const made = WriteBack.of(await keptOrigin(folder.value, view.run), (task) => tasks.has(task))
  if (!made) return ok(null)
  await using writeBack = made
  writeBack.keep = (unwritten) => keepUnwritten(folder.value, view.run, unwritten)
  writeBack.follow(view.tasks)
  await writeBack.settled()
  return ok(writeBack.unwritten)
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
