// Epics and tasks know only whether a task is done: true and false, or 1 and 0 as a database prints them.
import { ok } from '../../../problem.ts'
import type { Item } from '../json-reader.ts'
import { idOf, itemsOf, type JsonTask, readJsonRecords, rootOf, said } from './json-records.ts'
import type { StatusFile } from './status-file.ts'

const SAYING = ['description', 'action', 'epic_id', 'depends_on', 'dependency_type']

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
        return { done: typeof value.done === 'number' ? Number(isDone) : isDone }
      },
    ),
}

function toTask(item: Item): JsonTask {
  const { done } = item.value
  const isDone = done === true || done === 1
  const status = done === undefined || done === null ? '' : isDone ? DONE : OPEN
  return { item, source: idOf(item), status, state: isDone ? 'done' : 'open', says: () => said(item, SAYING) }
}
