// The parts of a batch plan: `## Batch 1: title` with its fields, below it `### Task 1.1: title` with those of its own.
import { indentOf, isBlank, type Markdown, type MarkdownLine, textOf, withoutEmphasis } from './markdown.ts'

export type BatchDocument = {
  title: string
  /** What stands before the first batch. */
  introduction: string
  batches: Batch[]
  /** Tasks that stand under no batch. */
  stray: BatchTask[]
  /** Other sections that stand under no batch. */
  others: { title: string; line: number }[]
}

export type Batch = Section & { number: number; tasks: BatchTask[] }

export type BatchTask = Section & {
  /** `1.2a` */
  id: string
}

export type Section = {
  title: string
  line: number
  column: number
  /** Everything below the heading, as it was written. */
  text: string
  fields: Map<string, Field>
}

/** `**Files:**` and what follows, up to the next of its kind. */
export type Field = {
  line: number
  column: number
  /** On the same line. */
  said: string
  /** Below it. */
  lines: MarkdownLine[]
}

export function readBatches({ lines }: Markdown): BatchDocument {
  const document: BatchDocument = { title: '', introduction: '', batches: [], stray: [], others: [] }
  const notes: { batch: Batch; text: string }[] = []
  let batch: Batch | null = null
  for (const part of partsOf(lines)) {
    const { head, body } = part
    if (part.kind === 'none') {
      document.title = withoutEmphasis(body.find(({ heading }) => heading?.level === 1)?.heading?.title ?? '')
      document.introduction = textOf(body.filter(({ heading }) => heading?.level !== 1))
    } else if (part.kind === 'batch' && head) {
      batch = { ...sectionOf(part.title, head, body), number: Number(part.id), tasks: [] }
      document.batches.push(batch)
    } else if (part.kind === 'task' && head) {
      const task = { ...sectionOf(part.title, head, body), id: part.id.toLowerCase() }
      if (batch) batch.tasks.push(task)
      else document.stray.push(task)
    } else if (part.kind === 'note' && batch) notes.push({ batch, text: `${head?.text}\n${textOf(body)}` })
    else {
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
  head: MarkdownLine | null
  body: MarkdownLine[]
}

/** Cuts the file where a batch or task begins, and where a heading ends one because it is as high as its own. */
function* partsOf(lines: readonly MarkdownLine[]): Generator<Part> {
  let part: Part = { kind: 'none', id: '', title: '', head: null, body: [] }
  let levels = { batch: 0, task: 0 }
  for (const line of lines) {
    const next = startOf(line, levels, part.kind)
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

function startOf(line: MarkdownLine, levels: { batch: number; task: number }, kind: Part['kind']): Part | null {
  if (!line.heading) return null
  const { level, title } = line.heading
  const named = partName(title)
  if (named) return { ...named, head: line, body: [] }
  // What is deeper than the heading above it is part of that.
  const above = kind === 'task' ? levels.task : levels.batch
  if (kind === 'none' || level > above) return null
  return { kind: level > levels.batch ? 'note' : 'other', id: '', title, head: line, body: [] }
}

/** `Batch 2: title`, `Task 1.2a - title`. */
export function partName(title: string): { kind: 'batch' | 'task'; id: string; title: string } | null {
  const text = withoutEmphasis(title.slice(0, MAX_TITLE_CHARS))
  const batch = /^batch\s+#?(\d{1,9})(?!\.?\d)\s*[:.)–—-]?\s*(.*)$/i.exec(text)
  if (batch) return { kind: 'batch', id: batch[1] ?? '', title: batch[2] ?? '' }
  const task = /^task\s+#?(\d{1,9}(?:\.\d{1,9}){1,3}[a-z]?)\b\s*[:.)–—-]?\s*(.*)$/i.exec(text)
  return task && { kind: 'task', id: task[1] ?? '', title: task[2] ?? '' }
}

const MAX_TITLE_CHARS = 1_000

function sectionOf(title: string, head: MarkdownLine, body: readonly MarkdownLine[]): Section {
  const column = head.heading?.column ?? 1
  return { title: title.trim(), line: head.number, column, text: textOf(body), fields: fieldsOf(body) }
}

/** By name in lower case; of two with the same name the first. */
function fieldsOf(lines: readonly MarkdownLine[]): Map<string, Field> {
  const fields = new Map<string, Field>()
  let current: Field | null = null
  for (const line of lines) {
    const field = line.isQuoted || line.heading ? null : fieldOf(line)
    if (field) {
      current = field.field
      if (!fields.has(field.name)) fields.set(field.name, current)
    } else current?.lines.push(line)
  }
  return fields
}

function fieldOf(line: MarkdownLine): { name: string; field: Field } | null {
  if (indentOf(line.text) > 3) return null
  const match = /^\s*([-*+]\s+)?(\*\*|__)([A-Za-z][A-Za-z /&]{0,30}?)\s*(:?)\2\s*(:?)(.*)$/.exec(line.text)
  if (!match) return null
  const [, bullet, , written = '', inside, behind, rest = ''] = match
  const name = written.toLowerCase()
  // `- **Create:** path` is an item of a field, not a field.
  if ((!inside && !behind) || (bullet && !FIELDS.has(name) && !isFilesField(name))) return null
  const said = rest.trim()
  const column = line.text.length - rest.trimStart().length + 1
  return { name, field: { line: line.number, column: said === '' ? 1 : column, said, lines: [] } }
}

const FIELDS = new Set([
  ...['dependencies', 'depends on', 'dependency', 'execution mode', 'status'],
  ...['files', 'implementation', 'verification', 'verify', 'commit'],
])

/** `Files`, `Files to modify`, `New files`. */
export function isFilesField(name: string): boolean {
  return /^(?:(?:new|modified|changed|created|deleted|affected|reference|test) )?files?(?: (?:to|changed|modified|created|deleted|affected|touched|involved)\b.*)?$/.test(
    name,
  )
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
