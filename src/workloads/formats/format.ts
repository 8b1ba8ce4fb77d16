// A reader of somebody else's format translates its text into Espalier's own plan, with the way back to its lines. It checks
// nothing: schema, references and cycles are the one reader there is (plan/read.ts).
import type { Result } from '../../problem.ts'
import type { Document, Place } from '../document/place.ts'
import type { AcceptedChecks } from './checks/commands-in.ts'

export type Format = {
  name: string
  title: string
  /** What such a file has, in a few words: for the message about a file that nobody recognises. */
  sign: string
  kind: 'json' | 'markdown'
  /** True: one file per task (or group of tasks), and a folder of them makes one plan. */
  manyFiles?: true
  /** What it calls its tasks, and what becomes an epic here; without it they are tasks and epics. */
  words?: { task: string; epic: string }
  /** What `--part` can name, such as `a tag`; without it the format has no parts. */
  parts?: string
  /** By what is in the file. A name may only decide where two formats look the same. */
  recognises(file: SourceFile): boolean
  /** Probably one of these, although its sign is missing: read as one where nobody recognises it, for a message in its words. */
  resembles?(file: SourceFile): boolean
  /** With `manyFiles`: files of the folder that tell about the plan without being one, such as what is done already. */
  alsoReads?(file: SourceFile): boolean
  /** One file, or with `manyFiles` at least one, in the order of their names. */
  translate(files: readonly SourceFile[], options: TranslateOptions): Result<Translation>
  /** How its statuses are read and written; without it the format has no place for them. */
  status?: StatusFormat
}

export type SourceFile = {
  file: string
  /** Without a byte order mark; not empty, and not larger than a plan may be. */
  text: string
  /** What the program of the format notes in a file beside it, where there is one. */
  state?: string | undefined
  json?: Document | undefined
}

export type TranslateOptions = {
  /** The part to run, in the words of the format: `1-3` of the batches, a tag. null: all, or what is usual. */
  part: string | null
  /** Which of its commands are run as checks besides those that are known to be harmless. */
  checks: AcceptedChecks
  /** What the file calls done is to be done again; for formats whose statuses cannot be taken out of the text. */
  redo?: boolean | undefined
}

export type Translation = {
  /** Espalier's own plan, as plain data. What is done already is not in it, nor are needs of that. */
  value: Record<string, unknown>
  /** From a path in `value` to the place in the file it was read from; `file` of the place where there are several. */
  locate: Document['locate']
  /** What the file leaves open, and how it was understood. */
  assumed: Remark[]
  /** What has no meaning here: each name once. */
  ignored: Remark[]
  /** What whoever runs it should know before: tasks that cannot be run, by name. */
  warnings?: Remark[]
  /** Commands that are checks only if `checks` of the settings lists them. */
  checksToAccept: string[]
  /** Every task of the file, also those that are not run: with what it calls them. */
  entries: Entry[]
  /** What was read of several parts, where nobody named one. */
  part?: string | undefined
  /** What the file calls the epics of `value`, by their ids; one that is missing here is among the entries. */
  epicNames?: ReadonlyMap<string, string>
}

export type Remark = { message: string; place: Place }

export type Entry = {
  /** The id it has here, or would have: the same whatever is done already. */
  task: string
  source: string
  /** `skipped`: neither done nor to be done, such as what was cancelled. */
  state: 'open' | 'done' | 'skipped'
}

export type StatusPhase = 'open' | 'begun' | 'done' | 'failed' | 'blocked'

export type StatusFormat = {
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
  /** Text of the task itself, see `taskContent`; made on demand, because most looks at a file need none. */
  content(): string
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
