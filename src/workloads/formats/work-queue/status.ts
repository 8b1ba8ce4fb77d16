// The statuses of a work queue.
import { WAIT_FIELDS } from '../order/waits-for.ts'
import { USUAL_WORDS } from '../state/file-status.ts'
import { fileStatusRecords } from '../status/json-records.ts'
import type { StatusFile } from '../status/status-file.ts'
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
