// The statuses of epics and tasks: whether a task is `done`, `completed`, or a status in words.
import { WAIT_FIELDS } from '../order/waits-for.ts'
import { prose } from '../prompt/text.ts'
import { USUAL_WORDS } from '../state/file-status.ts'
import { fileStatusRecords, idOf, itemsOf, rootOf } from '../status/json-records.ts'
import type { StatusFile } from '../status/status-file.ts'
import { KNOWN, STATUS, stateInEpic } from './reader.ts'

const SAYING = ['description', 'action', 'epic_id', 'dependency_type', 'file', 'files', ...WAIT_FIELDS]

export const epicsAndTasksStatus: StatusFile = {
  format: 'epics-and-tasks',
  words: USUAL_WORDS,
  lock: 'file',
  read: (file) =>
    fileStatusRecords(file, STATUS, {
      list: 'tasks',
      saying: SAYING,
      known: KNOWN.task,
      // The epic of a task may be named by a text or a number.
      stateOf: (root) => {
        const epics = new Map(itemsOf(rootOf(root), 'epics').map((epic) => [idOf(epic, root), epic.value]))
        return (value) => stateInEpic(epics.get(prose(value.epic_id)), value)
      },
    }),
}
