// The statuses of a work queue.
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { listedStatus } from '../status/json-entries.ts'
import { KNOWN, STATUS } from './reader.ts'

/** Not `notes`: programs and agents write there what they do. */
const FIELDS = [
  ...['title', 'name', 'description', 'file', 'files', 'tests', 'acceptance_criteria', 'completion_promise'],
  ...WAIT_FIELDS,
]

export const workQueueStatus = listedStatus('work-queue', STATUS, {
  list: 'features',
  fields: FIELDS,
  known: KNOWN.feature,
})
