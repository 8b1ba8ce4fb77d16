// Priorities as words, `P0` to `P4`, or numbers of which the smallest goes first: all one scale, `1` is `P1` is high.
import { kindOf } from '../../document/field.ts'
import type { JsonReader } from './json-reader.ts'
import { type Item, numberIn } from './values.ts'

/** Level 0 goes first, and 2 is what has no priority. */
export function priorityOfLevel(level: number): number {
  return 20 - 10 * level
}

const LEVELS = [['critical', 'urgent', 'highest'], ['high'], ['medium', 'normal'], ['low'], ['lowest']]

export function priorityOf(reader: JsonReader, item: Item): number | undefined {
  const value = numberIn(item.value.priority)
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return priorityOfLevel(value)
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  const level = Number(/^p(\d{1,3})$/.exec(word)?.[1] ?? LEVELS.findIndex((words) => words.includes(word)))
  if (level >= 0) return priorityOfLevel(level)
  reader.ignore([...item.path, 'priority'], `the priority is ${kindOf(value)}, which is not known here`)
  return undefined
}
