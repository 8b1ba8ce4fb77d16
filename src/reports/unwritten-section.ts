// The part of a report that says what the plan file does not say about the run.
import type { RunView } from '../status.ts'
import type { TableSection } from './table-section.ts'

const MAX_ROWS = 50

export function unwrittenSection({ unwritten, run }: Pick<RunView, 'unwritten' | 'run'>): TableSection | null {
  if (!unwritten) return null
  const { files, conflicts } = unwritten
  const rows = [
    ...files.map(({ file, why }) => [file, '', `could not be written: ${why}`]),
    ...conflicts.map(({ file, task, message }) => [file, task, message]),
  ]
  const words = [
    ...(files.length > 0 ? [`Once the file can be written, espalier resume ${run} writes how the tasks stand.`] : []),
    ...(conflicts.length > 0 ? ['What people changed for a task while the run went on is left as they have it.'] : []),
  ]
  const head = ['File', 'Task', 'Why']
  return { title: 'Not in the plan file', words, head, rows: rows.slice(0, MAX_ROWS), leftOut: rows.length - MAX_ROWS }
}
