// The description of a JSON format as a table: which field of a task holds its title, its needs, its status and so on.
import type { Result } from '../../../problem.ts'
import type { Document, Path } from '../../document/place.ts'
import type { AcceptedChecks } from '../checks/commands-in.ts'
import type { Entry, Format, SourceFile, StatusFacts, StatusPhase } from '../format.ts'
import type { PromptSection } from '../prompt.ts'
import type { Item, JsonReader, Named } from './reader.ts'
import type { Fields } from './set-fields.ts'
import type { StatusField } from './status-field.ts'

export type JsonTable = Pick<Format, 'name' | 'title' | 'sign' | 'words' | 'parts'> & {
  recognises(root: Item['value']): boolean
  resembles?(root: Item['value']): boolean
  /** What a file without tasks is told about the format. */
  nothing: string
  /** One task a line. */
  isLines?: true
  /** Where in the document the plan is, for a format that has several in a file. */
  choose?(document: Document, file: SourceFile, part: string | null): Result<Choice>
  head(reader: JsonReader, root: Item, nodes: readonly JsonNode[]): Parameters<JsonReader['head']>[0]
  groups?: GroupTable
  tasks: TaskTable
  status: {
    field: StatusField
    words: Record<StatusPhase, string>
    /** The words are those that the file uses or allows. */
    isAsInFile?: true
    /** Fields beside the status. */
    more?(item: Item, word: string, facts: StatusFacts): Fields
  }
  /** What else there is to say of a file. */
  remark?(reader: JsonReader, nodes: Nodes, root: Item): void
}

export type Choice = { path: readonly string[]; part?: string | undefined; remark?(reader: JsonReader): void }

export type GroupTable = {
  list: string
  what: string
  title: string
  /** The names of the lists of tasks in each group; else `namedBy` is the field of a task that names its group. */
  lists?: readonly string[]
  namedBy?: string
  /** Another field by which a group is known; then it need not have an `id`. */
  number?: string
  /** Its tasks follow each other. */
  isChain?(reader: JsonReader, item: Item): boolean
}

export type TaskTable = {
  list: string
  what: string
  /** The list of parts in a task. */
  parts?: string
  /** What a task is part of, by name. */
  partOf?(reader: JsonReader, item: Item): string[]
  /** Which tasks are done when their parts are; default: all. */
  isEpic?(item: Item): boolean
  title: readonly string[]
  words: readonly string[]
  sections: readonly (readonly [heading: string, field: string, text?: (item: Item) => string])[]
  write?: readonly string[]
  read?: readonly string[]
  /** In place of `write` and `read`. */
  files?(reader: JsonReader, item: Item): { write: string[]; read: string[] }
  /** Other fields that are part of what the task is. */
  meaning?: readonly string[]
  /** Fields that its own program keeps: told to nobody. */
  kept: readonly string[]
  waits: { own: readonly string[]; not?: readonly string[] }
  /** Other ways to say what a task waits for. */
  links?(reader: JsonReader, item: Item): Named[]
  isSoft?(reader: JsonReader, item: Item): boolean
  /** Nothing waits for what is left out; by default it is left out, too. */
  lost?: 'ignored'
  /** What can never be scheduled is left out, instead of refused. */
  isStuck?: true
  isOther?(value: Item['value']): boolean
  leftOut?(reader: JsonReader, item: Item): LeftOut | null
  /** What the prompt says of the group of a task, or the task above it. `fields`: all that the table names. */
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
  /** What else is part of what the task is. */
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
  /** Null where nothing the task says itself keeps it from being run. */
  leftOut: LeftOut | null
  group: Group | null
  parent: JsonNode | null
  parts: JsonNode[]
  needs: { on: JsonNode | Group; path: Path }[]
}

/** `frees`: what is run although this is not; default: nothing of what is part of it or depends on it. */
export type LeftOut = { is: string; field: string; frees?: 'parts' | 'all' }

export type Nodes = { groups: Group[]; nodes: JsonNode[]; groupNamed(name: string): Group | undefined }
