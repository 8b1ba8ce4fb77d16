// The statuses of epics and tasks: whether a task is `done`, `completed`, or a status in words.
import { WAIT_FIELDS } from '../order/waits-for.ts'
import { USUAL_WORDS } from '../state/file-status.ts'
import { fileStatusRecords } from '../status/json-records.ts'
import type { StatusFile } from '../status/status-file.ts'
import { KNOWN, STATUS } from './reader.ts'

const SAYING = ['description', 'action', 'epic_id', 'dependency_type', 'file', 'files', ...WAIT_FIELDS]

export const epicsAndTasksStatus: StatusFile = {
  format: 'epics-and-tasks',
  words: USUAL_WORDS,
  lock: 'file',
  read: (file) => fileStatusRecords(file, STATUS, { list: 'tasks', saying: SAYING, known: KNOWN.task }),
}
