// Statuses that a plan file lacks, and the reasons. Kept as a note of the run for `status`, the report and `resume`. Not part
// of the journal: the file belongs to people.
import type { RunView, UnwrittenStatus } from './view.ts'

export function unwrittenText({ file, why }: UnwrittenStatus['files'][number]): string {
  return `the status of tasks could not be written into ${file}: ${why}`
}

/** A line for each. */
export function planFileTexts({ unwritten }: Pick<RunView, 'unwritten'>): string[] {
  return unwritten ? [...unwritten.files.map(unwrittenText), ...unwritten.conflicts.map(({ message }) => message)] : []
}

const NOTE = 'unwritten'

type Notes = {
  note(run: string, name: string): Promise<unknown>
  putNote(run: string, name: string, value: unknown): Promise<void>
}

/** Never rejects: a run does not end for a note about it. The end of the run tells it in any case. */
export async function saveUnwritten(store: Pick<Notes, 'putNote'>, run: string, left: UnwrittenStatus): Promise<void> {
  await store.putNote(run, NOTE, planFileTexts({ unwritten: left }).length === 0 ? null : left).catch(() => {})
}

export async function loadUnwritten(store: Pick<Notes, 'note'>, run: string): Promise<UnwrittenStatus | null> {
  const { files, conflicts } = ((await store.note(run, NOTE)) ?? {}) as Partial<UnwrittenStatus>
  return Array.isArray(files) && Array.isArray(conflicts) ? { files, conflicts } : null
}
