// What could not be written into a run's plan file, for `status`, the report and `resume`. Not part of the journal: it
// is about a file that belongs to people.
import type { NoteStore, Views } from '../store/store.ts'
import { type UnwrittenStatus, unwrittenLines } from '../unwritten-status.ts'

const NAME = 'unwritten'

/** Never rejects: a run does not end for a note about it. The end of the run tells it in any case. */
export async function keepUnwritten(store: NoteStore, run: string, unwritten: UnwrittenStatus): Promise<void> {
  await store.putNote(run, NAME, unwrittenLines(unwritten).length === 0 ? null : unwritten).catch(() => {})
}

export async function keptUnwritten(store: Pick<Views, 'note'>, run: string): Promise<UnwrittenStatus | null> {
  const { files, conflicts } = ((await store.note(run, NAME)) ?? {}) as Partial<UnwrittenStatus>
  return Array.isArray(files) && Array.isArray(conflicts) ? { files, conflicts } : null
}
