// Priorities as other formats write them: words, `P0` to `P4`, or numbers of which the smallest goes first.
import { kindOf } from '../field.ts'
import { type Item, type JsonReader, numberIn } from './json-reader.ts'

export const P_LEVELS = [20, 10, 0, -10, -20] as const

const WORDS: Record<string, number> = {
  critical: 20,
  urgent: 20,
  highest: 20,
  high: 10,
  medium: 0,
  normal: 0,
  low: -10,
  lowest: -20,
}

/** undefined where there is none, or none that is understood: then that is noted. */
export function priorityOf(reader: JsonReader, item: Item): number | undefined {
  const value = numberIn(item.value.priority)
  if (value === undefined || value === null || value === '') return undefined
  // Not -0, which would be printed as such.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : -value
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  const level = /^p([0-4])$/.exec(word)?.[1]
  const known = level === undefined ? (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined) : P_LEVELS[Number(level)]
  if (known === undefined)
    reader.ignore([...item.path, 'priority'], `the priority is ${kindOf(value)}, which is not known here`)
  return known
}
