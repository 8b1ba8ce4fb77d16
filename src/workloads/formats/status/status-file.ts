// How a format says the status of each task, and where in the text. Reads no more than that needs.
import type { Result } from '../../../problem.ts'
import type { Entry, SourceFile } from '../format.ts'

export type StatusPhase = 'open' | 'begun' | 'done' | 'failed' | 'blocked'

export type StatusFile = {
  /** The word for each phase; a format without a word for one says `open`. */
  words: Record<StatusPhase, string>
  /** `file.text` has no byte order mark; neither do the positions in edits. */
  read(file: SourceFile, part: string | null): Result<StatusEntry[]>
}

export type StatusEntry = {
  source: string
  /** The task it is a part of, where that one is done when its parts are. */
  parent: string | null
  status: string
  state: Entry['state']
  /** The task's own text, see `taskContent`. A function, because most looks at a file need none of them. */
  says(): string
  edits(status: string, facts: StatusFacts): TextEdit[]
}

export type StatusFacts = {
  phase: StatusPhase
  /** In ms since the epoch; null while it has not happened. */
  startedAt: number | null
  finishedAt: number | null
  session: string | null
  output: string | null
}

export const NO_FACTS = { startedAt: null, finishedAt: null, session: null, output: null }

export type TextEdit = { offset: number; length: number; text: string }

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
