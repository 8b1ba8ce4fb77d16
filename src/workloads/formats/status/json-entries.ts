// The tasks of a JSON file of another format, for writing their status.
import { ok, type Result } from '../../../problem.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Entry, SourceFile } from '../format.ts'
import { jsonOf } from '../json/json-reader.ts'
import { type Item, numberName } from '../json/values.ts'
import type { FileStatus } from '../read-status/json-status-field.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { otherFields } from '../task-prompt/other-fields.ts'
import { type Fields, JsonText, REMOVED } from './set-json-fields.ts'
import { type StatusEntry, type StatusFacts, taskContent } from './status-file.ts'

export type JsonTask = {
  item: Item
  source: string
  parent?: string | undefined
  state: Entry['state']
  status: string
  says(): unknown[]
}

type FieldsOf = (status: string, facts: StatusFacts, item: Item) => Fields

export function jsonEntries(
  file: SourceFile,
  tasksOf: (root: Document) => Result<JsonTask[]>,
  fieldsOf: FieldsOf,
): Result<StatusEntry[]> {
  const json = jsonOf(file)
  if (!json.ok) return json
  const tasks = tasksOf(json.value)
  if (!tasks.ok) return tasks
  const text = new JsonText(file.text)
  return ok(tasks.value.map((task) => jsonEntry(task, text, fieldsOf)))
}

/** The tasks of a file with a list of them, each with its status in the field and in the words of the file. */
export function listedEntries(
  file: SourceFile,
  status: FileStatus,
  { list, fields, known }: { list: string; fields: readonly string[]; known: ReadonlySet<string> },
): Result<StatusEntry[]> {
  const json = jsonOf(file)
  if (!json.ok) return json
  const root = rootOf(json.value)
  const items = itemsOf(root, list)
  const words = status.wordsOf(
    root.value,
    items.map(({ value }) => value),
  )
  const text = new JsonText(file.text)
  const fieldsOf: FieldsOf = (word, _, { value }) => status.edits(word, value, words)
  return ok(
    items.map((item) => {
      const [source, says] = [idOf(item, json.value), () => textOf(item, fields, known)]
      const stands = { status: status.usualWord(item.value), state: status.stateOf(item.value) }
      return jsonEntry({ item, source, ...stands, says }, text, fieldsOf)
    }),
  )
}

export function jsonEntry({ item, parent, says, ...task }: JsonTask, text: JsonText, fieldsOf: FieldsOf): StatusEntry {
  return {
    ...task,
    parent: parent ?? null,
    says: () => taskContent(says()),
    edits: (status, facts) => {
      const fields = fieldsOf(status, facts, item)
      return hasFields(item, fields) ? [] : text.setFields(item.path, fields, 'id')
    },
  }
}

/** Known without a close look at the text, which takes much longer. */
function hasFields({ value }: Item, fields: Fields): boolean {
  return Object.entries(fields).every(([name, wanted]) => {
    if (wanted === REMOVED) return !(name in value)
    return wanted === undefined || (wanted === null ? (value[name] ?? null) === null : value[name] === wanted)
  })
}

export function itemsOf({ value, path }: Item, name: string): Item[] {
  const list = value[name]
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown, i) => (isMapping(one) ? [{ value: one, path: [...path, name, i] as Path }] : []))
}

export function rootOf({ value }: Document): Item {
  return { value: isMapping(value) ? value : {}, path: [] }
}

/** As its reader has it: a text or a number. `root`: not for beads, whose ids are texts. */
export function idOf({ value, path }: Item, root: Pick<Document, 'numeral'> = {}): string {
  const { id } = value
  if (typeof id === 'number') return numberName(id, [...path, 'id'], root)
  return typeof id === 'string' ? id.trim() : ''
}

/** The values of these fields, and of those that reach the agent without a meaning of their own. */
export function textOf({ value }: Item, names: readonly string[], known: ReadonlySet<string>): unknown[] {
  return [...names.map((name) => value[name]), ...otherFields(value, known).map(({ name, text }) => [name, text])]
}

export function statusOf({ value }: Item): string {
  return prose(value.status)
}
