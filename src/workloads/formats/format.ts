// A reader of a foreign format translates its text into Espalier's own plan, and maps it back to lines of the file. Schema,
// references and cycles are checked by the reader of that plan (plan/read.ts).
import type { Result } from '../../problem.ts'
import type { Document, Place } from '../document/place.ts'
import type { AcceptedChecks } from './checks/commands-in.ts'

export type Format = {
  name: string
  title: string
  /** Short description of such a file, for the message about an unknown format. */
  sign: string
  kind: 'json' | 'markdown'
  /** True: one file per task (or group of tasks), and a folder of them makes one plan. */
  manyFiles?: true
  /** The format's words for tasks and epics; default: "task" and "epic". */
  words?: { task: string; epic: string }
  /** The thing that `--part` names, such as `a tag`; without it the format has no parts. */
  parts?: string
  /** Recognises the format by the content. The file name may decide only between formats that look the same. */
  recognises(file: SourceFile): boolean
  /** Recognises a probable file of this format without its sign. If no format recognises the file, this one reports the error. */
  resembles?(file: SourceFile): boolean
  /** With `manyFiles`: files of the folder with information about the plan, such as summaries of finished tasks. */
  alsoReads?(file: SourceFile): boolean
  /** Translates one file, or with `manyFiles` at least one, in the order of their names. */
  translate(files: readonly SourceFile[], options: TranslateOptions): Result<Translation>
  /** Reading and writing of statuses; without it the format has no place for them. */
  status?: StatusFormat
}

export type SourceFile = {
  file: string
  /** Without a byte order mark; not empty, and not larger than a plan may be. */
  text: string
  /** Content of the file in which the format's own program keeps its state, if there is one. */
  state?: string | undefined
  json?: Document | undefined
}

export type TranslateOptions = {
  /** The part to run, in the words of the format: batches `1-3`, a tag. null: all, or the format's default. */
  part: string | null
  /** Commands of the plan to run as checks, besides those that are known to be harmless. */
  checks: AcceptedChecks
  /** Runs finished tasks again; for formats whose statuses cannot be removed from the text. */
  redo?: boolean | undefined
}

export type Translation = {
  /** Espalier's own plan, as plain data, without finished tasks and needs of them. */
  value: Record<string, unknown>
  /** Maps a path in `value` to its place in the file; with several files, the place has a `file`. */
  locate: Document['locate']
  /** Assumptions where the file leaves something open. */
  assumed: Remark[]
  /** Parts of the file without a meaning here: each name once. */
  ignored: Remark[]
  /** Warnings before a run, such as tasks that cannot be run, by name. */
  warnings?: Remark[]
  /** Commands that are checks only if `checks` of the settings lists them. */
  checksToAccept: string[]
  /** All tasks of the file with their names in it, also those that are not run. */
  entries: Entry[]
  /** The part that was read, if the file has several and none was requested. */
  part?: string | undefined
  /** Names in the file of the epics in `value`, by id. Epics that are among the entries are missing here. */
  epicNames?: ReadonlyMap<string, string>
}

export type Remark = { message: string; place: Place }

export type Entry = {
  /** The id of the task here, which does not depend on the states of others. */
  task: string
  source: string
  /** `skipped`: not to be done, such as a cancelled task. */
  state: 'open' | 'done' | 'skipped'
}

export type StatusPhase = 'open' | 'begun' | 'done' | 'failed' | 'blocked'

export type StatusFormat = {
  /** The word for each phase; `open` stands for phases without one. */
  words: Record<StatusPhase, string>
  /** `file.text` has no byte order mark; neither do the positions in edits. */
  read(file: SourceFile, part: string | null): Result<StatusEntry[]>
}

export type StatusEntry = {
  source: string
  /** The task above it, if that one is done when its parts are. */
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
