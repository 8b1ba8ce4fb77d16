// Shared by writers of statuses: edits of a text, and the text of a task to hash.
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

/** The text of a task to hash, independent of layout and ticked boxes. */
export function taskContent(parts: readonly unknown[]): string {
  return JSON.stringify(parts.map(plain))
}

/** Normalizes a value; empty values of any kind equal a missing field. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain)
  // `1` and `"1"` are the same id.
  if (typeof value !== 'object') return words(String(value))
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, plain(inner)])
}

/** Removes ticks from boxes: they show progress, which is not part of the task's text. */
function words(text: string): string {
  return text
    .replace(/^([ \t]*[-*+][ \t]+\[)[xX](?=\])/gm, '$1 ')
    .replace(/\s+/g, ' ')
    .trim()
}
