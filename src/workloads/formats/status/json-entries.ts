// The tasks of a JSON file of another format, for writing their status.
import { ok, type Result } from '../../../problem.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Entry, SourceFile } from '../format.ts'
import { jsonOf } from '../json/json-reader.ts'
import { type Item, numberName } from '../json/values.ts'
import { type FileStatus, USUAL_WORDS } from '../read-status/json-status-field.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { otherFields } from '../task-prompt/other-fields.ts'
import { type Fields, JsonText, REMOVED } from './set-json-fields.ts'
import { type StatusEntry, type StatusFacts, type StatusFile, taskContent } from './status-file.ts'

export type JsonTask = {
  item: Item
  source: string
  parent?: string | undefined
  state: Entry['state']
  status: string
  says(): unknown[]
  /** By default the status only. */
  fields?: (status: string, facts: StatusFacts) => Fields
}

export function jsonEntries(file: SourceFile, tasksOf: (root: Document) => Result<JsonTask[]>): Result<StatusEntry[]> {
  const json = jsonOf(file)
  if (!json.ok) return json
  const tasks = tasksOf(json.value)
  const text = new JsonText(file.text)
  return tasks.ok ? ok(tasks.value.map((task) => jsonEntry(task, text))) : tasks
}

/** A format with a list of tasks, each with its status in the field and in the words of the file. */
export function listedStatus(
  format: string,
  status: FileStatus,
  { list, fields, known }: { list: string; fields: readonly string[]; known: ReadonlySet<string> },
): StatusFile {
  const tasksOf = (root: Document): Result<JsonTask[]> => {
    const top = rootOf(root)
    const items = itemsOf(top, list)
    const words = status.wordsOf(
      top.value,
      items.map(({ value }) => value),
    )
    return ok(
      items.map((item) => ({
        item,
        source: idOf(item, root),
        status: status.usualWord(item.value),
        state: status.stateOf(item.value),
        says: () => textOf(item, fields, known),
        fields: (word) => status.edits(word, item.value, words),
      })),
    )
  }
  return { format, words: USUAL_WORDS, read: (file) => jsonEntries(file, tasksOf) }
}

export function jsonEntry({ item, parent, says, fields, ...task }: JsonTask, text: JsonText): StatusEntry {
  return {
    ...task,
    parent: parent ?? null,
    says: () => taskContent(says()),
    edits: (status, facts) => {
      const wanted = fields?.(status, facts) ?? { status }
      return hasFields(item, wanted) ? [] : text.setFields(item.path, wanted, 'id')
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

export function timeOf(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString()
}
