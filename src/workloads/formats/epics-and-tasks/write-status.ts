// The statuses of epics and tasks: whether a task is `done`, `completed`, or a status in words.
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { USUAL_WORDS } from '../read-status/json-status-field.ts'
import { fileStatusRecords } from '../write-back/json-tasks.ts'
import type { StatusFile } from '../write-back/status-writer.ts'
import { KNOWN, STATUS } from './reader.ts'

const SAYING = ['description', 'action', 'epic_id', 'dependency_type', 'file', 'files', ...WAIT_FIELDS]

export const epicsAndTasksStatus: StatusFile = {
  format: 'epics-and-tasks',
  words: USUAL_WORDS,
  lock: 'file',
  read: (file) => fileStatusRecords(file, STATUS, { list: 'tasks', saying: SAYING, known: KNOWN.task }),
}
