// The statuses of epics and tasks: whether a task is `done`, `completed`, or a status in words.
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { USUAL_WORDS } from '../read-status/json-status-field.ts'
import { listedEntries } from '../status/json-entries.ts'
import type { StatusFile } from '../status/status-file.ts'
import { KNOWN, STATUS } from './reader.ts'

const FIELDS = ['description', 'action', 'epic_id', 'dependency_type', 'file', 'files', ...WAIT_FIELDS]

export const epicsAndTasksStatus: StatusFile = {
  format: 'epics-and-tasks',
  words: USUAL_WORDS,
  read: (file) => listedEntries(file, STATUS, { list: 'tasks', fields: FIELDS, known: KNOWN.task }),
}
