// The statuses of a work queue, in the field and in the words that its file has for them.
import { ok } from '../../../problem.ts'
import type { Item } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/waits-for.ts'
import type { Fields } from '../status/json-fields.ts'
import { idOf, itemsOf, readJsonRecords, rootOf, said } from '../status/json-records.ts'
import type { Phase, StatusFile } from '../status/status-file.ts'
import { KNOWN } from './reader.ts'
import { type FileWords, featureState, fileWords, statusField, USUAL_WORDS, usualStatus } from './status-field.ts'

/** Not `notes`: programs and agents write there what they do. */
const SAYING = [
  ...['title', 'name', 'description', 'file', 'files', 'tests', 'acceptance_criteria', 'completion_promise'],
  ...WAIT_FIELDS,
]

export const workQueueStatus: StatusFile = {
  format: 'work-queue',
  words: USUAL_WORDS,
  lock: 'file',
  read: (file) => {
    let words: FileWords = { field: 'status', words: USUAL_WORDS }
    return readJsonRecords(
      file,
      (root) => {
        const items = itemsOf(rootOf(root), 'features')
        words = fileWords(
          rootOf(root).value,
          items.map(({ value }) => value),
        )
        return ok(
          items.map((item) => ({
            item,
            source: idOf(item, root),
            status: usualStatus(item.value),
            state: featureState(item.value),
            says: () => said(item, SAYING, KNOWN.feature),
          })),
        )
      },
      (status, _, item) => fieldsOf(status, item, words),
    )
  },
}

/** `status`: one of the usual words. What says the same already stays as it is. */
function fieldsOf(status: string, { value }: Item, { field: usual, words }: FileWords): Fields {
  const field = statusField(value) ?? usual
  if (usualStatus(value) === status) return {}
  const phases = Object.keys(USUAL_WORDS) as Phase[]
  const phase = phases.find((one) => USUAL_WORDS[one] === status)
  if (phase === undefined) return { [field]: status }
  if (field !== 'passes') return { [field]: words[phase] }
  const passes = phase === 'done'
  return { passes: typeof value.passes === 'string' ? String(passes) : passes }
}
