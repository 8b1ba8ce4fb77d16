// The parts of a batch plan: `## Batch 1: title` with its fields, below it `### Task 1.1: title` with its own.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import {
  type AcceptedChecks,
  checksOfItem,
  commandsIn,
  type FoundChecks,
  joined,
  NO_VERIFICATION,
} from '../checks/commands-in.ts'
import { type NamedPaths, pathsInField, pathsInProse } from '../claims-from-paths.ts'
import type { Entry } from '../format.ts'
import { stateOf } from '../status/status-words.ts'
import { indentOf, isBlank, type Markdown, type MarkdownLine, textOf, withoutEmphasis } from './lines.ts'
import type { MarkdownPlan } from './plan-draft.ts'

/** The place is that of its heading. `note`: the reason why it is not run, if that is to be reported. */
type Section = Place & {
  id: string
  title: string
  state: Entry['state']
  note: string | null
  text: string
  fields: Map<string, Field>
}

/** `id`: `0a`; `number`: 0. */
export type Batch = Section & { number: number; tasks: BatchTask[]; before: Batch | null }

/** An open task has the state of its batch. */
export type BatchTask = Section & { batch: Batch }

/** A field such as `**Files:**` with its lines, up to the next field, or to a heading that is not below its own. */
export type Field = Place & { said: string; lines: MarkdownLine[]; level: number }

export function readBatches({ lines }: Markdown, plan: MarkdownPlan) {
  const parts = partsOf(lines)
  const before = lines.slice(0, parts[0]?.index)
  const title = withoutEmphasis(before.find(({ heading }) => heading?.level === 1)?.heading?.title ?? '')
  const introduction = textOf(before.filter(({ heading }) => heading?.level !== 1))
  const batches: Batch[] = []
  let batch: Batch | null = null
  for (const [i, part] of parts.entries()) {
    const { kind, index, line, column } = part
    const body = lines.slice(index + 1, parts[i + 1]?.index)
    if (kind === 'batch') {
      const id = part.id.replace(/^0+(?=\d)/, '')
      const number = Number.parseInt(part.id, 10)
      batch = { ...sectionOf(part, body), id, number, tasks: [], before: batches.at(-1) ?? null }
      batches.push(batch)
    } else if (kind === 'task' && batch) {
      const task = sectionOf(part, body)
      batch.tasks.push({ ...task, batch, state: task.state === 'open' ? batch.state : task.state })
    } else if (kind === 'task')
      plan.error(
        { line, column },
        `task ${shown(part.id)} stands under no batch: put it under a heading such as \`## Batch 1: title\``,
      )
    else if (kind === 'note' && batch) {
      batch.text += `${batch.text && '\n\n'}${lines[index]?.text}\n${textOf(body)}`
      if (/^\W*task\b.*\d/i.test(part.title)) plan.warn({ line, column }, NO_TASK, part.title)
    } else {
      batch = null
      plan.ignore({ line, column: 1 }, 'sections that are part of no batch', part.title)
    }
  }
  return { title, introduction, batches }
}

export const TASK_HEADING = 'a task begins with a heading such as `### Task 1.1: title`'
const NO_TASK = `headings that are not taken as tasks, so that their words are told to all tasks of the batch (${TASK_HEADING})`

/** `note`: a section of a batch that is no task; `other`: a section of the plan outside of all batches. */
type Part = Place & Omit<PartName, 'kind' | 'isBare'> & { kind: 'batch' | 'task' | 'note' | 'other'; index: number }

/** The headings at which batches, tasks and other sections begin. A heading as high as a part's own ends that part. */
function partsOf(lines: readonly MarkdownLine[]): Part[] {
  const parts: Part[] = []
  let levels = { batch: 0, task: 0 }
  for (const [index, { heading, number: line }] of lines.entries()) {
    if (!heading) continue
    const { level, title, column } = heading
    const named = partName(title)
    const isTaskHere = levels.batch > 0 && level > levels.batch && (levels.task === 0 || level <= levels.task)
    if (named && (!named.isBare || isTaskHere)) {
      parts.push({ ...named, index, line, column })
      levels = named.kind === 'batch' ? { batch: level, task: 0 } : { ...levels, task: level }
      continue
    }
    // A deeper heading belongs to the section above it.
    const last = parts.at(-1)
    if (!last || level > (last.kind === 'task' ? levels.task : levels.batch)) continue
    const kind = level > levels.batch ? 'note' : 'other'
    parts.push({ kind, id: '', title, state: 'open', index, line, column })
  }
  return parts
}

function sectionOf({ id, title, state, line, column }: Part, body: readonly MarkdownLine[]): Section {
  const fields = fieldsOf(body)
  const said = fields.get('status')?.said ?? ''
  const status = said === '' ? { state, note: state === 'open' ? null : 'ticked in their headings' } : statusOf(said)
  return { id, title: title.trim(), line, column, text: textOf(body), fields, ...status }
}

function fieldsOf(lines: readonly MarkdownLine[]): Map<string, Field> {
  const fields = new Map<string, Field>()
  let current: Field | null = null
  for (const line of lines) {
    const begun = line.isQuoted ? null : fieldOf(line)
    if (begun) {
      current = begun.field
      if (!fields.has(begun.name)) fields.set(begun.name, current)
      continue
    }
    // A field that begins with headings includes them; otherwise a heading ends the field.
    if (current && line.heading && current.said === '' && current.lines.every(isBlank))
      current.level = Math.min(current.level, line.heading.level - 1)
    if (current && line.heading && line.heading.level <= current.level) current = null
    current?.lines.push(line)
  }
  return fields
}

function fieldOf({ heading, number, text }: MarkdownLine): { name: string; field: Field } | null {
  if (heading) {
    const name = withoutEmphasis(heading.title).replace(/:$/, '').trim().toLowerCase()
    const field = { line: number, column: 1, said: '', lines: [], level: heading.level }
    return isField(name) ? { name, field } : null
  }
  if (indentOf(text) > 3) return null
  const match = /^\s*([-*+>]\s+)?(\*\*|__)([A-Za-z][A-Za-z /&]{0,30}?)\s*(:?)\2\s*(:?)(.*)$/i.exec(text)
  if (!match) return null
  const [, bullet, , written = '', inside, behind, rest = ''] = match
  const name = written.toLowerCase()
  // `- **Create:** path` is an item of a field, not a field.
  const isMarked = inside || behind || (rest.trim() === '' && isField(name))
  if (!isMarked || OF_COMMAND.test(name) || (bullet && !isField(name))) return null
  const said = rest.trim()
  const column = said === '' ? 1 : text.length - rest.trimStart().length + 1
  return { name, field: { line: number, column, said, lines: [], level: 6 } }
}

/** The items of a list below a field, without their marks. A line that is indented deeper belongs to the item above it. */
export function itemsOf({ lines }: Field): (Place & { text: string })[] {
  return lines
    .filter((line) => !line.isQuoted && !isBlank(line))
    .flatMap(({ text: whole, number: line }) => {
      const text = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(whole)?.[1]?.trim()
      return text === undefined ? [] : [{ text, line, column: whole.trimEnd().length - text.length + 1 }]
    })
}

// Headings of batches and tasks: `Batch 0a: title`, `✅ Task 1.2a - title`, `[x] Task 1.2: title`.

type PartName = {
  kind: 'batch' | 'task'
  id: string
  title: string
  /** Done if the heading is ticked. */
  state: Entry['state']
  /** A number alone. It is a task only where tasks are expected, because sections are numbered, too. */
  isBare: boolean
}

export function partName(written: string): PartName | null {
  const title = withoutEmphasis(written.slice(0, MAX_TITLE_CHARS))
  const mark = /^(?:\[[ xX✓✔]\]|[^\p{L}\p{N}#[(~]+)+\s*/iu.exec(title)?.[0] ?? ''
  const text = title.slice(mark.length)
  const isTicked = /[✅✔☑✓]|\[[xX]\]/u.test(mark) || TICK_AT_END.test(text.slice(-MAX_TICK_CHARS))
  const state = isTicked ? 'done' : 'open'
  const [, batch, ofBatch = ''] = BATCH.exec(text) ?? []
  if (batch !== undefined) return { kind: 'batch', id: batch.toLowerCase(), title: ofBatch, state, isBare: false }
  const [, id, ofTask = ''] = TASK.exec(text) ?? BARE_TASK.exec(text) ?? []
  return id === undefined
    ? null
    : { kind: 'task', id: id.toLowerCase(), title: ofTask, state, isBare: !id.includes('.') }
}

const PARTS = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?)'
const BATCH = /^batch\s+#?(\d{1,9}[a-z]?)(?!\w|\.\d)\s*[:.)–—-]?\s*(.*)$/i
const TASK = new RegExp(`^task\\s+#?(${PARTS}{1,3})\\b\\s*[:.)–—-]?\\s*(.*)$`, 'i')
const BARE_TASK = /^task\s+#?(\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-|\.)(?=\s|$)\s*(.*)$/i

const MAX_TITLE_CHARS = 1_000

const MAX_TICK_CHARS = 60
/** A tick at the end of a title. After a word that needs an object it is part of the title: `Replace ❌ with ✅`. */
const TICK_AT_END =
  /(?<!(?:\b(?:with|as|to|an?|the|and|or|add|show|use)|[❌✗☐/+&,]\uFE0F?)\s{0,3})[✅✔☑✓]\uFE0F?\s{0,3}$/iu

// The fields of a batch plan by their names, in lower case: `**Files:**`, `**Depends on:**`, `#### Verification`.

const FILES =
  /^(?:(?:new|modified|changed|created|deleted|affected|reference|test) )?files?(?: (?:to|changed|modified|created|deleted|affected|touched|involved)\b.*)?$/
const VERIFICATION = /^(?:how to )?verif(?:y|ication)(?: (?:steps?|commands?|checks?|criteria|plan))?$/
/** Labels in bold like fields, but about the command above or below them. */
const OF_COMMAND = /^(?:run|command|expected(?: (?:output|result|outcome))?)$/
const WAITS = /^(?:depends(?: on)?|dependenc(?:y|ies)|requires|blocked by|after)$/

/** Fields with dependencies, and fields that only look like them: `**Prerequisites:**`, `**Blocks:**`. */
export function waitFieldsOf({ fields }: Section): { waits: Field[]; others: { name: string; field: Field }[] } {
  const all = [...fields].map(([name, field]) => ({ name, field }))
  return {
    waits: all.filter(({ name }) => WAITS.test(name)).map(({ field }) => field),
    others: all.filter(({ name }) => !WAITS.test(name) && /depend|prerequisite|block|\bwait/.test(name)),
  }
}

function isField(name: string): boolean {
  return [WAITS, FILES, VERIFICATION, /^(?:execution mode|status|implementation|commit)$/].some((one) => one.test(name))
}

// The values of the fields of a batch or task: `**Status:**`, `**Verification:**`, `**Files:**`, `**Dependencies:**`.

/** The state in a status field, which is optional. People add who, when and why after a bracket, a dash or `by`, `in`, `on`. */
function statusOf(said: string): Pick<Section, 'state' | 'note'> {
  const text = said
    .slice(0, MAX_CHARS)
    .replaceAll(/[*_`~]/g, '')
    .trim()
  const [first = ''] = text.replace(/^[^\p{L}\p{N}]+/u, '').split(/\s*[(;:–—]|\s-|\s(?:by|in|on|at|as)\s|\.(?:\s|$)/, 1)
  const state = /^(?:\[[xX]\]|[✅✔☑✓]$)/u.test(text) ? 'done' : stateOf(first, { done: [] })
  return { state, note: state === 'skipped' ? shown(said) : null }
}

export function verificationOf({ fields }: Section, accepted: AcceptedChecks): FoundChecks {
  const found = [...fields].map(([name, { said, line, lines }]): FoundChecks => {
    if (!VERIFICATION.test(name)) return NO_VERIFICATION
    const own = said === '' ? NO_VERIFICATION : checksOfItem(said, line, { accepted, expected: '' })
    return joined([own, commandsIn(lines, accepted)])
  })
  return joined(found)
}

/** The files of a task. All are written, except those under a label such as `Read:`. */
export function filesOf({ fields }: Section): NamedPaths {
  const named: { write: string[]; read: string[] } = { write: [], read: [] }
  for (const [name, field] of fields) {
    // The field may hold a path (`**Test:** `test/a.test.ts``) or a sentence about the test.
    if (name === 'test') named.write.push(...pathsInProse(field.said))
    if (!FILES.test(name)) continue
    const verb = isRead(name.replace(/^files to /, '')) ? 'read' : 'write'
    // `- Read:` alone is a label for the items below it.
    let heading = ''
    for (const item of [field.said, ...itemsOf(field).map(({ text }) => text)]) {
      const text = item.slice(0, MAX_CHARS)
      const match = /^(?:\*\*)?([A-Za-z][A-Za-z /&]{0,30}?)\s*(?::(?:\*\*)?|\*\*\s*:)(?:\s+(.*))?$/.exec(text)
      const label = match?.[1] ?? heading
      const paths = pathsInField(match ? (match[2] ?? '') : text)
      if (match) heading = match[2] ? '' : label
      named[isRead(label) ? 'read' : verb].push(...paths)
    }
  }
  return named
}

/** True for `Read`, `Reference files`, `Read-only`, but not for `Read/Modify`, which is written. */
function isRead(label: string): boolean {
  return /^\W{0,3}(?:read|reference|review|see)(?:[ -](?:only|files?))?\W{0,3}$/i.test(label)
}

export const MAX_CHARS = 4_000

export function namesNoDependency(section: Section): boolean {
  return waitFieldsOf(section).waits.length === 0
}
