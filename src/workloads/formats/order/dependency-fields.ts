// What a task of a JSON file waits for: in the field of the format, or under one of the other names people take for it.
import { shown } from '../../document/field.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item, Named } from '../json/values.ts'
import { type GroupNeed, type GroupOrder, needsThrough } from './group-dependencies.ts'

export const WAIT_FIELDS: readonly string[] = [
  ...['depends_on', 'dependsOn', 'blocked_by', 'blockedBy', 'dependencies', 'needs'],
]

/** `own`: the fields that the format itself has for it; `not`: those it has for something else. */
type WaitOptions = { own: readonly string[]; not?: readonly string[]; isKnown(name: Named): boolean }

/** Each name once. An unknown one is for the caller to report in a field of the format; elsewhere it is only a warning. */
export function waitsOf(reader: JsonReader, item: Item, { own, not = [], isKnown }: WaitOptions): Named[] {
  const found = new Map<string, Named>()
  for (const field of [...own, ...WAIT_FIELDS.filter((name) => !own.includes(name) && !not.includes(name))]) {
    const isOwn = own.includes(field)
    if (
      !isOwn &&
      ![item.value[field] ?? []].flat().every((one) => typeof one === 'string' || typeof one === 'number')
    ) {
      reader.warn([...item.path, field], `\`${field}\` is no list of names: nothing waits for it`)
      continue
    }
    for (const name of reader.names(item, field)) {
      const isNone = /^(?:none|n\/a|nothing|-)$/i.test(name.text) && !isKnown(name)
      if (found.has(name.text) || isNone) continue
      if ((isOwn && mayBeName(name.text)) || isKnown(name)) found.set(name.text, name)
      else reader.warn(name.path, noTaskWords(field, name.text))
    }
  }
  return [...found.values()]
}

export function groupWaits<T extends { item: Item }>(
  reader: JsonReader,
  what: string,
  find: (name: string) => T | undefined,
  is: Pick<GroupOrder<T>, 'isOpen' | 'isEmpty'>,
): (group: T) => GroupNeed<T>[] {
  const isKnown = ({ text }: Named): boolean => find(text) !== undefined
  const named = ({ item }: T): GroupNeed<T>[] =>
    waitsOf(reader, item, { own: ['depends_on'], isKnown }).flatMap(({ text, path }) => {
      const group = find(text)
      if (!group) reader.error(path, `there is no ${what} ${shown(text)} to depend on`)
      return group ? [{ group, path }] : []
    })
  return needsThrough({ named, ...is, mayGoOn: (path) => reader.takeEdges(1, path) })
}

export function noTaskWords(field: string, name: string): string {
  return `\`${field}\` names ${shown(name)}, which is no task here: nothing waits for it`
}

/** One word, or `Task 3`: not `waiting for legal`. */
export function mayBeName(text: string): boolean {
  return /^(?:(?:task|subtask|issue|feature|story|epic|phase|plan)\s{1,9})?\S+$/i.test(text)
}
