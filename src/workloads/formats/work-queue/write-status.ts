// The statuses of a work queue.
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { USUAL_WORDS } from '../read-status/json-status-field.ts'
import { listedEntries } from '../status/json-entries.ts'
import type { StatusFile } from '../status/status-file.ts'
import { KNOWN, STATUS } from './reader.ts'

/** Not `notes`: programs and agents write there what they do. */
const FIELDS = [
  ...['title', 'name', 'description', 'file', 'files', 'tests', 'acceptance_criteria', 'completion_promise'],
  ...WAIT_FIELDS,
]

export const workQueueStatus: StatusFile = {
  format: 'work-queue',
  words: USUAL_WORDS,
  read: (file) => listedEntries(file, STATUS, { list: 'features', fields: FIELDS, known: KNOWN.feature }),
}
