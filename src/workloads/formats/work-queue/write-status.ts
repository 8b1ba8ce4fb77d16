// The statuses of a work queue.
import { WAIT_FIELDS } from '../order/dependency-fields.ts'
import { USUAL_WORDS } from '../read-status/json-status-field.ts'
import { fileStatusRecords } from '../write-back/json-tasks.ts'
import type { StatusFile } from '../write-back/status-writer.ts'
import { KNOWN, STATUS } from './reader.ts'

/** Not `notes`: programs and agents write there what they do. */
const SAYING = [
  ...['title', 'name', 'description', 'file', 'files', 'tests', 'acceptance_criteria', 'completion_promise'],
  ...WAIT_FIELDS,
]

export const workQueueStatus: StatusFile = {
  format: 'work-queue',
  words: USUAL_WORDS,
  lock: 'file',
  read: (file) => fileStatusRecords(file, STATUS, { list: 'features', saying: SAYING, known: KNOWN.feature }),
}
