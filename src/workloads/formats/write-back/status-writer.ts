// How a format says each status, and where in the text each task says its own. Reads no more than that needs.
import type { Result } from '../../../problem.ts'
import type { Entry, SourceFile } from '../format.ts'

export type StatusPhase = 'open' | 'begun' | 'done' | 'failed' | 'blocked'

export type StatusFile = {
  format: string
  /** How it says each of them. Where it has no word for one it says `open`. */
  words: Record<StatusPhase, string>
  /** What its own programs lock with, as `<file>.lock`: a file, or a folder as proper-lockfile makes one. */
  lock: 'file' | 'folder'
  /** Its own programs rename files: each holds one task, which is called as its file is. See renamed-files.ts. */
  renamesFiles?: true
  /** `file.text` has no byte order mark; neither do the positions in edits. */
  read(file: SourceFile, part: string | null): Result<StatusRecord[]>
}

export type StatusRecord = {
  source: string
  /** The task it is a part of, where that one is done when its parts are. */
  parent: string | null
  status: string
  state: Entry['state']
  /** What is to be done, see task-content.ts. Only asked for where something is to be written: a file may have many tasks. */
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
