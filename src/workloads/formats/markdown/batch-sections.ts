// The parts of a batch plan: `## Batch 1: title` with its fields, below it `### Task 1.1: title` with those of its own.
import { type AcceptedChecks, checksOfItem, commandsIn, type FoundChecks, joined } from '../checks/commands-in.ts'
import { pathsInField, pathsInProse } from '../claims.ts'
import type { Entry } from '../format.ts'
import { plainStatus, stateOf } from '../status/status-words.ts'
import {
  type Heading,
  headingOf,
  indentOf,
  isBlank,
  type Markdown,
  type MarkdownLine,
  textOf,
  withoutEmphasis,
} from './lines.ts'

export type BatchDocument = {
  title: string
  introduction: string
  batches: Batch[]
  stray: BatchTask[]
  others: { title: string; line: number }[]
  resembling: { title: string; line: number; column: number }[]
}

/** `id`: `0a`; `number`: 0. */
export type Batch = Section & { id: string; number: number; tasks: BatchTask[] }

export type BatchTask = Section & { id: string }

export type Section = {
  title: string
  line: number
  column: number
  state: Entry['state']
  text: string
  fields: Map<string, Field>
}

/** `**Files:**` and what follows, up to the next of its kind. */
export type Field = {
  line: number
  column: number
  said: string
  lines: MarkdownLine[]
  /** Headings from this level on, counted from 1, are part of it. */
  inner: number
}

export function readBatches({ lines }: Markdown): BatchDocument {
  const document: BatchDocument = { title: '', introduction: '', batches: [], stray: [], others: [], resembling: [] }
  const notes: { batch: Batch; text: string }[] = []
  let batch: Batch | null = null
  for (const part of partsOf(lines)) {
    const { head, body } = part
    if (part.kind === 'none') {
      document.title = withoutEmphasis(body.find(({ heading }) => heading?.level === 1)?.heading?.title ?? '')
      document.introduction = textOf(body.filter(({ heading }) => heading?.level !== 1))
    } else if (part.kind === 'batch' && head) {
      const number = Number.parseInt(part.id, 10)
      batch = { ...sectionOf(part, head, body), id: part.id.replace(/^0+(?=\d)/, ''), number, tasks: [] }
      document.batches.push(batch)
    } else if (part.kind === 'task' && head) {
      const task = { ...sectionOf(part, head, body), id: part.id }
      if (batch) batch.tasks.push(task)
      else document.stray.push(task)
    } else if (part.kind === 'note' && batch) {
      notes.push({ batch, text: `${head?.text}\n${textOf(body)}` })
      if (head && resemblesTask(part.title))
        document.resembling.push({ title: part.title, line: head.number, column: head.heading?.column ?? 1 })
    } else {
      batch = null
      document.others.push({ title: part.title, line: head?.number ?? 1 })
    }
  }
  for (const [batch, texts] of Map.groupBy(notes, (note) => note.batch))
    batch.text = [batch.text, ...texts.map(({ text }) => text)].filter(Boolean).join('\n\n')
  return document
}

/** `note`: a section of a batch that is no task; `other`: one of the plan that belongs to no batch. */
type Part = {
  kind: 'none' | 'batch' | 'task' | 'note' | 'other'
  id: string
  title: string
  state: Entry['state']
  head: MarkdownLine | null
  body: MarkdownLine[]
}

/** Cuts the file where a batch or task begins, and where a heading ends one because it is as high as its own. */
function* partsOf(lines: readonly MarkdownLine[]): Generator<Part> {
  let part: Part = { kind: 'none', id: '', title: '', state: 'open', head: null, body: [] }
  let levels: Levels = { batch: 0, task: 0 }
  for (const line of lines) {
    const next = nextPart(line, levels, part.kind)
    if (!line.heading || !next) {
      part.body.push(line)
      continue
    }
    yield part
    part = next
    if (next.kind === 'batch') levels = { batch: line.heading.level, task: 0 }
    else if (next.kind === 'task') levels = { ...levels, task: line.heading.level }
  }
  yield part
}

type Levels = { batch: number; task: number }

function nextPart(line: MarkdownLine, levels: Levels, kind: Part['kind']): Part | null {
  if (!line.heading) return null
  const { level, title } = line.heading
  const named = partName(title)
  if (named && (!named.isBare || isExpected(level, levels))) return { ...named, head: line, body: [] }
  // What is deeper than the heading above it is part of that.
  const above = kind === 'task' ? levels.task : levels.batch
  if (kind === 'none' || level > above) return null
  return { kind: level > levels.batch ? 'note' : 'other', id: '', title, state: 'open', head: line, body: [] }
}

/** `Task 2: title` is a task where a task may begin. */
function isExpected(level: number, { batch, task }: Levels): boolean {
  return batch > 0 && level > batch && (task === 0 || level <= task)
}

function sectionOf({ title, state }: Part, head: MarkdownLine, body: readonly MarkdownLine[]): Section {
  const place = { line: head.number, column: head.heading?.column ?? 1 }
  return { title: title.trim(), state, ...place, text: textOf(body), fields: fieldsOf(body) }
}

function fieldsOf(lines: readonly MarkdownLine[]): Map<string, Field> {
  const fields = new Map<string, Field>()
  let current: Field | null = null
  for (const line of lines) {
    const field = line.isQuoted ? null : fieldOf(line)
    if (field) {
      current = field.field
      if (!fields.has(field.name)) fields.set(field.name, current)
    } else if (current && line.heading && !isWithin(line.heading.level, current)) current = null
    else current?.lines.push(line)
  }
  return fields
}

/** A field that begins with headings has parts; else a heading ends it. */
function isWithin(level: number, field: Field): boolean {
  if (field.said === '' && field.lines.every(isBlank)) field.inner = Math.min(field.inner, level)
  return level >= field.inner
}

const DEEPEST = 6

function fieldOf(line: MarkdownLine): { name: string; field: Field } | null {
  if (line.heading) return headedField(line.heading, line.number)
  if (indentOf(line.text) > 3) return null
  const match = /^\s*([-*+]\s+)?(\*\*|__)([A-Za-z][A-Za-z /&]{0,30}?)\s*(:?)\2\s*(:?)(.*)$/i.exec(line.text)
  if (!match) return null
  const [, bullet, , written = '', inside, behind, rest = ''] = match
  const name = written.toLowerCase()
  // `- **Create:** path` is an item of a field, not a field.
  const isMarked = inside || behind || (rest.trim() === '' && isField(name))
  if (!isMarked || isOfCommand(name) || (bullet && !isField(name))) return null
  const said = rest.trim()
  const column = line.text.length - rest.trimStart().length + 1
  const place = { line: line.number, column: said === '' ? 1 : column }
  return { name, field: { ...place, said, lines: [], inner: DEEPEST + 1 } }
}

function headedField({ title, level }: Heading, line: number): { name: string; field: Field } | null {
  const name = withoutEmphasis(title).replace(/:$/, '').trim().toLowerCase()
  return isField(name) ? { name, field: { line, column: 1, said: '', lines: [], inner: level + 1 } } : null
}

/** The items of a list below a field: one a line, without its mark; what is indented deeper belongs to its item. */
export function itemsOf({ lines }: Field): { text: string; line: MarkdownLine }[] {
  return lines
    .filter((line) => !line.isQuoted && !isBlank(line))
    .flatMap((line) => {
      const match = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line.text)
      return match ? [{ text: (match[1] ?? '').trim(), line }] : []
    })
}

// The headings of batches and tasks: `Batch 0a: title`, `✅ Task 1.2a - title`, `[x] Task 1.2: title`, `~~Task 1.2: title~~`.

type PartName = {
  kind: 'batch' | 'task'
  id: string
  title: string
  /** What the heading says of it: it is ticked or struck out. */
  state: Entry['state']
  /** A number alone: a task only where tasks are expected, because sections are numbered as well. */
  isBare: boolean
}

export function partName(written: string): PartName | null {
  const { text, mark } = withoutMarks(withoutEmphasis(written.slice(0, MAX_TITLE_CHARS)))
  const [, batch, ofBatch = ''] = BATCH.exec(text) ?? []
  if (batch !== undefined)
    return { kind: 'batch', id: batch.toLowerCase(), title: ofBatch, state: stateAt(mark, text), isBare: false }
  const [, id, title = ''] = TASK.exec(text) ?? BARE_TASK.exec(text) ?? []
  if (id === undefined) return null
  const isBare = !id.includes('.')
  return { kind: 'task', id: id.toLowerCase(), title, state: stateAt(mark, text), isBare }
}

const PARTS = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?)'
const BATCH = /^batch\s+#?(\d{1,9}[a-z]?)(?!\w|\.\d)\s*[:.)–—-]?\s*(.*)$/i
const TASK = new RegExp(`^task\\s+#?(${PARTS}{1,3})\\b\\s*[:.)–—-]?\\s*(.*)$`, 'i')
const BARE_TASK = /^task\s+#?(\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-|\.)(?=\s|$)\s*(.*)$/i

export function beginsPart(line: string): boolean {
  if (!/^ {0,3}#/.test(line)) return false
  const heading = headingOf(line)
  return heading !== null && partName(heading.title)?.isBare === false
}

/** A heading that is none of a task, although somebody may have meant one: `Task A.1: title`, `Task 1-22`, `1.3 title`. */
function resemblesTask(title: string): boolean {
  const { text } = withoutMarks(withoutEmphasis(title.slice(0, MAX_TITLE_CHARS)))
  return /^task\b[\s#]*[a-z]{0,3}[.-]?\d/i.test(text) || /^\d{1,9}[.-]\d{1,9}\b/.test(text)
}

const MAX_TITLE_CHARS = 1_000

function withoutMarks(title: string): { text: string; mark: string } {
  const struck = title.startsWith('~~') ? title.replaceAll('~~', '').trim() : title
  const mark = /^(?:\[[ xX✓✔-]\]|[^\p{L}\p{N}#[(~]+)+\s*/iu.exec(struck)?.[0] ?? ''
  return { text: struck.slice(mark.length), mark: struck === title ? mark : `~~${mark}` }
}

function stateAt(mark: string, title: string): Entry['state'] {
  if (mark.startsWith('~~') || mark.includes('[-]')) return 'skipped'
  const isTicked = /[✅✔☑✓]|\[[xX]\]/u.test(mark) || TICK_AT_END.test(title.slice(-MAX_TICK_CHARS))
  return isTicked ? 'done' : 'open'
}

const MAX_TICK_CHARS = 60
/** Behind a word that goes on it is what the title speaks of: `Replace ❌ with ✅`. */
const TICK_AT_END =
  /(?<!(?:\b(?:with|as|to|an?|the|and|or|add|show|use)|[❌✗☐/+&,]\uFE0F?)\s{0,3})[✅✔☑✓]\uFE0F?\s{0,3}$/iu

// The fields of a batch plan by their names, in lower case: `**Files:**`, `**Depends on:**`, `#### Verification`.

function isField(name: string): boolean {
  return FIELDS.has(name) || isFilesField(name) || isVerificationField(name)
}

function isFilesField(name: string): boolean {
  return /^(?:(?:new|modified|changed|created|deleted|affected|reference|test) )?files?(?: (?:to|changed|modified|created|deleted|affected|touched|involved)\b.*)?$/.test(
    name,
  )
}

function isVerificationField(name: string): boolean {
  return /^(?:how to )?verif(?:y|ication)(?: (?:steps?|commands?|checks?|criteria|plan))?$/.test(name)
}

/** In bold like a field, but said of the command above or below it. */
function isOfCommand(name: string): boolean {
  return /^(?:run|command|expected(?: (?:output|result|outcome))?)$/.test(name)
}

export const WAITS = ['dependencies', 'depends on', 'dependency', 'blocked by']

const FIELDS = new Set([...WAITS, 'execution mode', 'status', 'implementation', 'commit'])

// What the fields of a batch or task say: `**Verification:**`, `**Dependencies:**`, `**Status:**`.

export function fieldsNamed({ fields }: Section, names: readonly string[]): Field[] {
  return names.flatMap((name) => fields.get(name) ?? [])
}

/** `said`: in which words; null: the heading says so. What the field says counts more than that. */
export function statusOf({ fields, state }: Section): Status & { said: string | null } {
  const field = fields.get('status')
  const said = field?.said ?? ''
  const status = readStatus(said)
  if (said !== '' && (status.state !== 'open' || status.isWorthTelling)) return { ...status, said }
  return { state, isWorthTelling: state !== 'open', said: null }
}

export function verificationOf({ fields }: Section, accepted: AcceptedChecks): FoundChecks {
  const named = [...fields].filter(([name]) => isVerificationField(name))
  return joined(named.map(([, field]) => verificationIn(field, accepted)))
}

function verificationIn({ said, line, lines }: Field, accepted: AcceptedChecks): FoundChecks {
  const own = said === '' ? [] : [checksOfItem(said, line, { accepted, expected: '' })]
  return joined([...own, commandsIn(lines, accepted)])
}

// What `**Status:**` says of a batch or task. The format does not ask for it, but people note it.

type Status = {
  state: Entry['state']
  /** It says something that nobody says of a task that has not begun. */
  isWorthTelling: boolean
}

function readStatus(written: string): Status {
  const text = written
    .slice(0, MAX_CHARS)
    .replaceAll(/[*_`~]/g, '')
    .trim()
  if (text === '' || /^\[\s?\]/.test(text)) return { state: 'open', isWorthTelling: false }
  if (/^(?:\[[xX]\]|[✅✔☑✓]$)/u.test(text)) return { state: 'done', isWorthTelling: false }
  // Behind a bracket, a dash or `by`, `in`, `on` stands who did it, when and why.
  const words = text.replace(/^[^\p{L}\p{N}]+/u, '')
  const [first = ''] = words.split(/\s*[(;:–—]|\s-|\s(?:by|in|on|at|as)\s|\.(?:\s|$)/, 1)
  const state = stateOf(first, { done: DONE_WORDS })
  const isFresh = state === 'done' || (state === 'open' && FRESH.has(plainStatus(first)))
  return { state, isWorthTelling: !isFresh }
}

const DONE_WORDS = ['landed', 'shipped', 'implemented', '100%']

const FRESH = new Set(['', 'pending', 'todo', 'to_do', 'open', 'planned', 'ready', 'draft', 'not_started', 'backlog'])

// The files of a task, below `**Files:**`. All are written but those under a label such as `Read:`.

type NamedFiles = { write: string[]; read: string[] }

export function filesOf({ fields }: Section): NamedFiles {
  const named: NamedFiles = { write: [], read: [] }
  for (const [name, field] of fields) {
    // `**Test:** `test/a.test.ts``, but also words about how it is tested.
    if (name === 'test') named.write.push(...pathsInProse(field.said))
    if (!isFilesField(name)) continue
    const verb = isRead(name.replace(/^files to /, '')) ? 'read' : 'write'
    addListed(field, verb, named)
  }
  return named
}

function addListed(field: Field, verb: keyof NamedFiles, named: NamedFiles): void {
  // `- Read:` alone goes for the items below it.
  let heading = ''
  for (const item of [field.said, ...itemsOf(field).map(({ text }) => text)]) {
    const text = item.slice(0, MAX_CHARS)
    const match = /^(?:\*\*)?([A-Za-z][A-Za-z /&]{0,30}?)\s*(?::(?:\*\*)?|\*\*\s*:)(?:\s+(.*))?$/.exec(text)
    const label = match?.[1] ?? heading
    const paths = /^notes?$/i.test(label) ? [] : pathsInField(match ? (match[2] ?? '') : text)
    if (match) heading = match[2] ? '' : label
    named[isRead(label) ? 'read' : verb].push(...paths)
  }
}

/** `Read`, `Reference files`, `Read-only`; while `Read/Modify` is to be written. */
function isRead(label: string): boolean {
  return /^\W{0,3}(?:read|reference|review|see)(?:[ -](?:only|files?))?\W{0,3}$/i.test(label)
}

const MAX_CHARS = 4_000

// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 (schema) and 1.3`, `Batches 1-3`.

export type Dependency = {
  kind: 'batch' | 'task'
  first: string
  last: string | null
  /** False: a number without `batch` or `task` before it, which may be the number of something else. */
  isNamed: boolean
  offset: number
}

/** `what`: what a number without a dot means where nothing is said. */
export function readDependencies(written: string, what: 'batch' | 'task'): { named: Dependency[]; isNone: boolean } {
  // Spaces take the place of brackets, so that places stay right.
  const text = written.slice(0, MAX_CHARS).replace(/\([^()]*\)/g, (aside) => ' '.repeat(aside.length))
  const named: Dependency[] = []
  let position = 0
  let kind: 'batch' | 'task' | null = null
  for (let next = NEXT.exec(text); next; next = NEXT.exec(text.slice(position))) {
    const [whole, before = '', word, first = '', last] = next
    if (word !== undefined) kind = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    named.push({
      kind: first.includes('.') ? 'task' : (kind ?? what),
      first: first.toLowerCase(),
      last: last?.toLowerCase() ?? null,
      isNamed: kind !== null,
      offset: position + before.length,
    })
    position += whole.length
  }
  return { named, isNone: NONE.test(text) }
}

const NUMBER = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?){0,3}'
const NEXT = new RegExp(
  `^([\\s,;&+/#*_\`"'[\\]:✅✓✔☑]{0,200}(?:(?:and|or|plus)\\s)?[\\s#*_\`[]{0,9}(?:(batch|task)(?:es|s)?\\s{1,9}#?)?)(${NUMBER})(?:(?:\\s?[-–]\\s?|\\s(?:to|through)\\s)(?:(?:batch|task)\\s)?(${NUMBER}))?(?![\\w.]\\w|\\w)`,
  'i',
)
const NONE = /^[\s*_`(-]*(?:none|no|n\/a|nothing|independent|[-–—]|$)(?![\w-])/i
