// The statuses of epics and tasks: whether a task is `done`, `completed`, or a status in words.
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { listedStatus } from '../status/json-entries.ts'
import { KNOWN, STATUS } from './reader.ts'

const FIELDS = ['description', 'action', 'epic_id', 'dependency_type', 'file', 'files', ...WAIT_FIELDS]

export const epicsAndTasksStatus = listedStatus('epics-and-tasks', STATUS, {
  list: 'tasks',
  fields: FIELDS,
  known: KNOWN.task,
})
