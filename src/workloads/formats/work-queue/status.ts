// The statuses of a work queue.
import { ok } from '../../../problem.ts'
import { WAIT_FIELDS } from '../order/waits-for.ts'
import { stateOf } from '../state/status-words.ts'
import { idOf, itemsOf, readJsonRecords, rootOf, said, statusOf } from '../status/json-records.ts'
import type { StatusFile } from '../status/status-file.ts'
import { KNOWN, passes, STATES } from './reader.ts'

/** Not `notes`: programs and agents write there what they do. */
const SAYING = [
  ...['title', 'name', 'description', 'file', 'files', 'tests', 'acceptance_criteria', 'completion_promise'],
  ...WAIT_FIELDS,
]

export const workQueueStatus: StatusFile = {
  format: 'work-queue',
  words: { open: 'pending', begun: 'in_progress', done: 'complete', failed: 'failed', blocked: 'blocked' },
  lock: 'file',
  read: (file) =>
    readJsonRecords(
      file,
      (root) =>
        ok(
          itemsOf(rootOf(root), 'features').map((item) => {
            const status = statusOf(item)
            const state = passes(item.value) ? 'done' : stateOf(status, STATES)
            return { item, source: idOf(item, root), status, state, says: () => said(item, SAYING, KNOWN.feature) }
          }),
        ),
      (status) => ({ status }),
    ),
}
