// Epics and tasks know only whether a task is done: true and false, or 1 and 0 as a database prints them, also as texts. Some
// files say it with a status: then in the words that they have for it.
import { ok } from '../../../problem.ts'
import type { Document } from '../../document/place.ts'
import { type Item, isNothing, numberIn, truthOf } from '../json/values.ts'
import { WAIT_FIELDS } from '../order/waits-for.ts'
import { prose } from '../prompt/text.ts'
import { stateOf } from '../state/status-words.ts'
import type { Fields } from '../status/json-fields.ts'
import { idOf, itemsOf, type JsonTask, readJsonRecords, rootOf, said } from '../status/json-records.ts'
import type { StatusFile } from '../status/status-file.ts'
import { doneState, isFresh, isToBeDone, STATES, stateInEpic, statusText, truthSaid } from './done-fields.ts'
import { KNOWN } from './reader.ts'

const SAYING = ['description', 'action', 'epic_id', 'dependency_type', 'file', 'files', ...WAIT_FIELDS]

const [DONE, OPEN] = ['true', 'false']

export const epicsAndTasksStatus: StatusFile = {
  format: 'epics-and-tasks',
  words: { open: OPEN, begun: OPEN, done: DONE, failed: OPEN, blocked: OPEN },
  lock: 'file',
  read: (file) => {
    let words: Words = { done: 'done', open: 'pending' }
    return readJsonRecords(
      file,
      (root) => {
        const items = itemsOf(rootOf(root), 'tasks')
        words = wordsOf(items, words)
        const epics = new Map(itemsOf(rootOf(root), 'epics').map((epic) => [idOf(epic, root), epic.value]))
        return ok(items.map((item) => toTask(item, root, epics)))
      },
      (status, _, { value }) => (status === DONE || status === OPEN ? fieldsOf(value, status === DONE, words) : {}),
    )
  },
}

/** The epic of a task may be named by a text or a number. */
function toTask(item: Item, root: Document, epics: ReadonlyMap<string, Item['value']>): JsonTask {
  const { value } = item
  const epic = epics.get(prose(value.epic_id))
  return {
    item,
    source: idOf(item, root),
    status: saidOf(value),
    state: epic ? stateInEpic(epic, value) : doneState(value),
    says: () => said(item, SAYING, KNOWN.task),
  }
}

/** As true or false; what is neither was written by somebody since the file was read as a plan, or before. */
function saidOf(value: Record<string, unknown>): string {
  if (!isNothing(value.done) && truthOf(value.done) === null) return prose(value.done)
  const [truth, status] = [truthSaid(value), statusText(value)]
  if (doneState(value) === 'done') return DONE
  const isOther = status !== '' && !isToBeDone(status) && stateOf(status, STATES) !== 'done'
  if (isOther) return status
  return truth === null && status === '' ? '' : OPEN
}

type Words = { done: string; open: string }

/** As the file says it of other tasks, where it does. */
function wordsOf(items: readonly Item[], usual: Words): Words {
  const all = items.map(({ value }) => statusText(value))
  const done = all.find((status) => stateOf(status, STATES) === 'done')
  return { done: done ?? usual.done, open: all.find(isFresh) ?? usual.open }
}

/** All that a task has for it, so that they do not contradict each other. */
function fieldsOf(value: Record<string, unknown>, isDone: boolean, words: Words): Fields {
  const truths = ['done', 'completed'].filter((name) => truthOf(value[name]) !== null)
  const status = statusText(value)
  const fields: Fields = {}
  for (const name of truths) if (truthOf(value[name]) !== isDone) fields[name] = likeBefore(value[name], isDone)
  if (status !== '' && (stateOf(status, STATES) === 'done') !== isDone) fields.status = isDone ? words.done : words.open
  if (truths.length === 0 && status === '') fields.done = likeBefore(value.done, isDone)
  return fields
}

/** A number stays a number, a text a text: its own program may know nothing else. */
function likeBefore(before: unknown, isDone: boolean): string | number | boolean {
  const written = typeof numberIn(before) === 'number' ? Number(isDone) : isDone
  return typeof before === 'string' && before !== '' ? String(written) : written
}
