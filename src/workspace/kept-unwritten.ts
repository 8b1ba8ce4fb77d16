// What of a run's status could not be written into its plan file, kept with the run: for `status`, the report, and for
// `resume`, which writes it later. Not part of the journal: it is about a file that belongs to people, and is out of date
// as soon as they put it right.
import { readFile, rm } from 'node:fs/promises'
import { writeAtomically } from '../files/write-atomically.ts'
import { type UnwrittenStatus, unwrittenLines } from '../unwritten-status.ts'
import { type StateFolder, unwrittenFile } from './folder.ts'

/** Never rejects: a run does not end for a note about it. */
export async function keepUnwritten(folder: StateFolder, run: string, unwritten: UnwrittenStatus): Promise<void> {
  const file = unwrittenFile(folder, run)
  try {
    if (unwrittenLines(unwritten).length === 0) return await rm(file, { force: true })
    await writeAtomically(file, `${JSON.stringify(unwritten)}\n`)
  } catch {
    // The end of the run tells it in any case.
  }
}

/** Null where the file says all of it. */
export async function keptUnwritten(folder: StateFolder, run: string): Promise<UnwrittenStatus | null> {
  const text = await readFile(unwrittenFile(folder, run), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const { files, conflicts } = JSON.parse(text) as Partial<UnwrittenStatus>
    return Array.isArray(files) && Array.isArray(conflicts) ? { files, conflicts } : null
  } catch {
    return null // not ours
  }
}
