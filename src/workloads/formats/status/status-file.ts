// What is needed of a format to write the status of its tasks back into its file: how it says each status, and where
// in the text each task says its own. Only as much is read as that needs, so that a file somebody is in the middle of
// changing can be written to as well.
import type { Result } from '../../../problem.ts'
import type { Entry, SourceFile } from '../format.ts'

/** How far a task is, as far as any of these files can tell. */
export type Phase = 'open' | 'begun' | 'done' | 'failed' | 'blocked'

export type StatusFile = {
  format: string
  /** How it says each of them. Where it has no word for one it says `open`. */
  words: Record<Phase, string>
  /**
   * What its own programs lock with, under the name `<file>.lock`: a file that only one can create, or a folder, as
   * proper-lockfile makes one.
   */
  lock: 'file' | 'folder'
  /** Its own programs rename files: each holds one task, which is called as its file is. See renamed.ts. */
  renamesFiles?: true
  /** `file.text` has no byte order mark; neither do the positions in edits. */
  read(file: SourceFile, part: string | null): Result<StatusRecord[]>
}

export type StatusRecord = {
  /** The id the task has in the file; the same as its reader says. */
  source: string
  /** The task it is a part of, where that one is done when its parts are. */
  parent: string | null
  /** As it is written; '' where nothing is. */
  status: string
  state: Entry['state']
  /** What is to be done, see fingerprint.ts. Only asked for where something is to be written: a file may have many tasks. */
  says(): string
  /** The changes of the text that say this. `facts` are for formats that have fields for them. */
  edits(status: string, facts: StatusFacts): TextEdit[]
}

export type StatusFacts = {
  phase: Phase
  /** In ms since the epoch; null while it has not happened. */
  startedAt: number | null
  finishedAt: number | null
  session: string | null
  output: string | null
}

/** `length` characters from `offset` on become `text`. */
export type TextEdit = { offset: number; length: number; text: string }

export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let result = ''
  let at = 0
  for (const { offset, length, text: inserted } of edits.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(at, offset) + inserted
    at = offset + length
  }
  return result + text.slice(at)
}
