// What writers of statuses share: edits of a text, and the text of a task that is hashed.
import type { TextEdit } from '../format.ts'

export const NO_FACTS = { startedAt: null, finishedAt: null, session: null, output: null }

export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let position = 0
  for (const { offset, length, text: inserted } of edits.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(position, offset) + inserted
    position = offset + length
  }
  return result + text.slice(position)
}

/** The text of a task that is hashed: the same however the file writes it and whatever is ticked off. */
export function taskContent(parts: readonly unknown[]): string {
  return JSON.stringify(parts.map(plain))
}

/** Nothing, in whatever way, is the same as no field at all. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain)
  // `1` and `"1"` are the same id.
  if (typeof value !== 'object') return words(String(value))
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, plain(inner)])
}

/** Agents and people tick boxes as they work: that is how far it is, not what it is. */
function words(text: string): string {
  return text
    .replace(/^([ \t]*[-*+][ \t]+\[)[xX](?=\])/gm, '$1 ')
    .replace(/\s+/g, ' ')
    .trim()
}
