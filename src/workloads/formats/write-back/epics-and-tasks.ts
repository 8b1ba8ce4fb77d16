// Epics and tasks know only whether a task is done: true and false, or 1 and 0 as a database prints them, also as texts.
import { ok } from '../../../problem.ts'
import { KNOWN } from '../epics-and-tasks.ts'
import { type Item, isNothing, numberIn, truthOf } from '../json-reader.ts'
import { prose } from '../prompt-text.ts'
import { idOf, itemsOf, type JsonTask, readJsonRecords, rootOf, said } from './json-records.ts'
import type { StatusFile } from './status-file.ts'

const SAYING = ['description', 'action', 'epic_id', 'depends_on', 'dependency_type', 'file', 'files']

const [DONE, OPEN] = ['true', 'false']

export const epicsAndTasksStatus: StatusFile = {
  format: 'epics-and-tasks',
  words: { open: OPEN, begun: OPEN, done: DONE, failed: OPEN, blocked: OPEN },
  lock: 'file',
  read: (file) =>
    readJsonRecords(
      file,
      (root) => ok(itemsOf(rootOf(root), 'tasks').map(toTask)),
      (status, _, { value }) => {
        const isDone = status === DONE
        return { done: truthOf(value.done) === isDone ? undefined : likeBefore(value.done, isDone) }
      },
    ),
}

function toTask(item: Item): JsonTask {
  const { done } = item.value
  const isDone = truthOf(done)
  // What is neither was written by somebody since the file was read as a plan.
  const status = isNothing(done) ? '' : isDone === null ? prose(done) : isDone ? DONE : OPEN
  return {
    item,
    source: idOf(item),
    status,
    state: isDone ? 'done' : 'open',
    says: () => said(item, SAYING, KNOWN.task),
  }
}

/** A number stays a number, a text a text: its own program may know nothing else. */
function likeBefore(before: unknown, isDone: boolean): string | number | boolean {
  const written = typeof numberIn(before) === 'number' ? Number(isDone) : isDone
  return typeof before === 'string' && before !== '' ? String(written) : written
}
