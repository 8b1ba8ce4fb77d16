// The parts of a batch plan: `## Batch 1: title` with its fields, below it `### Task 1.1: title` with those of its own.
import type { Entry } from '../format.ts'
import {
  type Heading,
  indentOf,
  isBlank,
  type Markdown,
  type MarkdownLine,
  textOf,
  withoutEmphasis,
} from '../markdown/parse-lines.ts'
import { isField, isOfCommand } from './field-names.ts'
import { partName, resemblesTask } from './headings.ts'

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
