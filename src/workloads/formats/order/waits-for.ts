// What a task of a JSON file waits for. Each format has a field for it, but whoever writes a file by hand, or has it written,
// takes one of the other names as well: an order that is meant must not be lost.

import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/reader.ts'
import { type Item, isNothing, type Named } from '../json/values.ts'

export const WAIT_FIELDS: readonly string[] = [
  ...['depends_on', 'dependsOn', 'blocked_by', 'blockedBy'],
  ...['dependencies', 'needs'],
]

/** What it says stands at the other task: see waits-for.ts. */
export const BLOCKS = 'blocks'

export const ORDER_FIELDS: readonly string[] = [...WAIT_FIELDS, BLOCKS]

export type WaitOptions = {
  /** The fields that the format itself has for it. */
  own: readonly string[]
  /** Fields that the format has for something else. */
  not?: readonly string[]
  isKnown(name: Named): boolean
}

/**
 * Each name once. One that is not known is the caller's to report where it stands in a field of the format and may be a name. Elsewhere
 * something else may be meant, `"dependencies": ["express"]`, `"blocked_by": "waiting for legal"`: it is a warning.
 */
export function waitsOf(reader: JsonReader, item: Item, { own, not = [], isKnown }: WaitOptions): Named[] {
  const found = new Map<string, Named>()
  for (const field of [...own, ...WAIT_FIELDS.filter((name) => !own.includes(name) && !not.includes(name))]) {
    const isOwn = own.includes(field)
    for (const name of isOwn ? reader.names(item, field) : namesOfField(reader, item, field)) {
      if (found.has(name.text) || (saysNone(name) && !isKnown(name))) continue
      if ((isOwn && mayBeName(name.text)) || isKnown(name)) found.set(name.text, name)
      else reader.warn(name.path, noTaskWords(field, name.text))
    }
  }
  return [...found.values()]
}

/** Of a field that is none of the format's own, where anything may stand. */
export function namesOfField(reader: JsonReader, item: Item, field: string): Named[] {
  const value = item.value[field]
  if (isNothing(value)) return []
  if (isListOfNames(value)) return reader.names(item, field)
  reader.warn([...item.path, field], `\`${field}\` is no list of names: nothing waits for it`)
  return []
}

export function noTaskWords(field: string, name: string): string {
  return `\`${field}\` names ${shown(name)}, which is no task here: nothing waits for it`
}

export function saysNone({ text }: Named): boolean {
  return /^(?:none|n\/a|nothing|-)$/i.test(text)
}

/** One word, or `Task 3`: not `waiting for legal`. */
export function mayBeName(text: string): boolean {
  return /^(?:(?:task|subtask|issue|feature|story|epic|phase|plan)\s{1,9})?\S+$/i.test(text)
}

function isListOfNames(value: unknown): boolean {
  return [value].flat().every((one) => typeof one === 'string' || typeof one === 'number')
}

// `blocks` of a task says the other way round what `blocked_by` says: the tasks it names wait for this one.

type Blocking = { item: Item; state: Entry['state'] }

/** For every task that is named so: by whom, and where that is said. What is done holds nothing up. */
export function blockersOf<T extends Blocking>(
  reader: JsonReader,
  tasks: readonly T[],
  named: (name: Named, by: T) => T | undefined,
): Map<T, Map<T, Path>> {
  const found = new Map<T, Map<T, Path>>()
  for (const by of tasks.filter(({ state }) => state !== 'done')) {
    for (const name of namesOfField(reader, by.item, BLOCKS)) {
      const task = named(name, by)
      if (task) found.set(task, (found.get(task) ?? new Map<T, Path>()).set(by, name.path))
      else if (!saysNone(name)) reader.warn(name.path, noTaskWords(BLOCKS, name.text))
    }
  }
  return found
}

// Tasks in an order in which each comes behind what it needs.

/** What needs something comes behind it; otherwise as they come. Null where some of them need each other. */
export function inOrder<T>(tasks: readonly T[], needs: (task: T) => readonly T[]): T[] | null {
  const waiting = new Map(tasks.map((task) => [task, new Set(needs(task)).size]))
  const dependents = new Map<T, T[]>(tasks.map((task) => [task, []]))
  for (const task of tasks) for (const needed of new Set(needs(task))) dependents.get(needed)?.push(task)
  const index = new Map(tasks.map((task, i) => [task, i]))
  let ready = tasks.filter((task) => waiting.get(task) === 0)
  const order: T[] = []
  // Round by round: all that can come now, in the order of the files.
  while (ready.length > 0) {
    const next: T[] = []
    for (const task of ready) {
      order.push(task)
      for (const dependent of dependents.get(task) ?? []) {
        const left = (waiting.get(dependent) ?? 0) - 1
        waiting.set(dependent, left)
        if (left === 0) next.push(dependent)
      }
    }
    ready = next.sort((a, b) => (index.get(a) ?? 0) - (index.get(b) ?? 0))
  }
  return order.length === tasks.length ? order : null
}

// What stands in brackets behind the name of another task may say that it only orders: `Task 1.2 (optional)`, `002 [soft: nicer with it]`.

/** `behind`: from the end of the name on. The word has to stand for itself: `(optional fields only)` explains. */
export function saysSoft(behind: string): boolean {
  return SOFT.test(behind)
}

const SOFT =
  /^[\s*_`]{0,9}[([]\s{0,9}(?:soft|optional|nice[- ]to[- ]have|preferred|recommended|weak)(?: (?:dep|dependency|order))?\s{0,9}(?:[)\]:;,–—]|-\s)/i
