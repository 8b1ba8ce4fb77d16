// Decisions of the plan with their tasks; and task statuses that are not in the plan file.

import type { RunView } from '../../status.ts'
import type { PurposeFacts } from '../facts/run.ts'
import { listed, type ReportSection } from './section.ts'

const MAX_ENTRIES = 50
const MAX_TASKS = 20

export function decisionSection({ decisions }: PurposeFacts): ReportSection {
  const list = decisions.slice(0, MAX_ENTRIES).map(({ decision, epics, tasks }) => {
    const behind = [...epics.map((epic) => `epic ${epic}`), ...(tasks.length > 0 ? [{ tasks, most: MAX_TASKS }] : [])]
    return [decision, ': ', ...listed(behind)]
  })
  return { title: 'Decisions', list, leftOut: decisions.length - list.length }
}

export function planFileSection({ unwritten, run }: Pick<RunView, 'unwritten' | 'run'>): ReportSection | null {
  if (!unwritten) return null
  const { files, conflicts } = unwritten
  const rows = [
    ...files.map(({ file, why }) => [file, '', `could not be written: ${why}`]),
    ...conflicts.map(({ file, task, message }) => [file, task, message]),
  ]
  const words = [
    ...(files.length > 0 ? [`Once the file is writable, espalier resume ${run} writes the task statuses.`] : []),
    ...(conflicts.length > 0 ? ['What people changed for a task during the run is left as they have it.'] : []),
  ]
  const head = ['File', 'Task', 'Why']
  return {
    title: 'Not in the plan file',
    words,
    head,
    rows: rows.slice(0, MAX_ENTRIES),
    leftOut: rows.length - MAX_ENTRIES,
  }
}
