// The description of a JSON format as a table: which field of a task holds its title, its needs, its status and so on.
import type { Result } from '../../../problem.ts'
import type { Document, Path } from '../../document/place.ts'
import type { AcceptedChecks } from '../checks/commands-in.ts'
import type { Entry, Format, SourceFile, StatusFacts, StatusPhase } from '../format.ts'
import type { PromptSection } from '../prompt-from-fields.ts'
import type { Item, JsonReader, Named } from './reader.ts'
import type { Fields } from './set-fields.ts'
import type { StatusField } from './status-field.ts'

export type JsonTable = Pick<Format, 'name' | 'title' | 'sign' | 'words' | 'parts'> & {
  recognises(root: Item['value']): boolean
  resembles?(root: Item['value']): boolean
  /** The help in the message about a file without tasks: how the format writes them. */
  nothing: string
  /** The file is JSON Lines: one task a line. */
  isLines?: true
  /** Finds the plan in the document; for a format with several plans in a file. */
  choose?(document: Document, file: SourceFile, part: string | null): Result<Choice>
  head(reader: JsonReader, root: Item, nodes: readonly JsonNode[]): Parameters<JsonReader['head']>[0]
  groups?: GroupTable
  tasks: TaskTable
  status: {
    field: StatusField
    words: Record<StatusPhase, string>
    /** The words that the file uses or allows replace these. */
    isAsInFile?: true
    /** Fields to write beside the status. */
    more?(item: Item, word: string, facts: StatusFacts): Fields
  }
  /** Adds further remarks about the file. */
  remark?(reader: JsonReader, nodes: Nodes, root: Item): void
}

export type Choice = { path: readonly string[]; part?: string | undefined; remark?(reader: JsonReader): void }

export type GroupTable = {
  list: string
  what: string
  title: string
  /** The names of the lists of tasks in each group. Without it, `namedBy` is the field of a task that names its group. */
  lists?: readonly string[]
  namedBy?: string
  /** Another field that identifies a group; with it, `id` may be missing. */
  number?: string
  /** True if the tasks of the group run one after the other. */
  isChain?(reader: JsonReader, item: Item): boolean
}

export type TaskTable = {
  list: string
  what: string
  /** The field of a task with the list of its parts. */
  parts?: string
  /** Names of the tasks that this one is part of. */
  partOf?(reader: JsonReader, item: Item): string[]
  /** True if the task is done when its parts are; default: always. */
  isEpic?(item: Item): boolean
  title: readonly string[]
  words: readonly string[]
  sections: readonly (readonly [heading: string, field: string, text?: (item: Item) => string])[]
  write?: readonly string[]
  read?: readonly string[]
  /** Replaces `write` and `read`. */
  files?(reader: JsonReader, item: Item): { write: string[]; read: string[] }
  /** Further fields that belong to the hashed text of a task. */
  meaning?: readonly string[]
  /** Bookkeeping fields of the format's own program: neither in the prompt nor reported as ignored. */
  kept: readonly string[]
  waits: { own: readonly string[]; not?: readonly string[] }
  /** Further ways to name the tasks that a task waits for. */
  links?(reader: JsonReader, item: Item): Named[]
  isSoft?(reader: JsonReader, item: Item): boolean
  /** Needs of left-out tasks are ignored. Default: a task that needs a left-out task is left out, too. */
  lost?: 'ignored'
  /** Tasks that can never be scheduled are left out instead of refused. */
  isStuck?: true
  isOther?(value: Item['value']): boolean
  leftOut?(reader: JsonReader, item: Item): LeftOut | null
  /**
   * Lines about the group of a task, or the task above it, for the prompt; default: its title and description. `fields`: all that
   * the table names.
   */
  about?(reader: JsonReader, whole: Group | JsonNode, root: Item, fields: ReadonlySet<string>): string[]
  more?(
    reader: JsonReader,
    node: JsonNode,
    accepted: AcceptedChecks,
  ): {
    fields?: Omit<Parameters<JsonReader['task']>[0], 'id' | 'needs' | 'after'>
    sections?: readonly PromptSection[]
    about?: string
  }
  /** The value of a field without the log that the format's own program adds to it. */
  plain?(field: string, value: unknown): unknown
  /** Further values that belong to the hashed text of a task. */
  content?(node: JsonNode): unknown[]
}

/** A phase or an epic that is not a task itself. */
export type Group = {
  item: Item
  source: string
  number: string
  epic: string
  isLeftOut: boolean
  tasks: JsonNode[]
}

export type JsonNode = {
  item: Item
  what: string
  source: string
  task: string
  state: Entry['state']
  /** The status as it is written, and its field. */
  status: { word: string; field: string }
  /** Reason in the task's own fields for leaving it out; null: none. */
  leftOut: LeftOut | null
  group: Group | null
  parent: JsonNode | null
  parts: JsonNode[]
  needs: { on: JsonNode | Group; path: Path }[]
}

/** `frees`: tasks that run although this one is left out; default: neither its parts nor the tasks that depend on it. */
export type LeftOut = { is: string; field: string; frees?: 'parts' | 'all' }

export type Nodes = { groups: Group[]; nodes: JsonNode[]; groupNamed(name: string): Group | undefined }
