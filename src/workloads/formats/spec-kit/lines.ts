// The lines of a `tasks.md`: `- [ ] T012 [P] [US1] text (depends on T001)`, under headings.

import type { Entry } from '../format.ts'
import { indentOf, isBlank, type Markdown, type MarkdownLine, textOf, withoutEmphasis } from '../markdown/lines.ts'
import { contextPart, MAX_CONTEXT_CHARS } from '../prompt/text.ts'
import { meansLeftOut, statusLeftOut, whyLeftOut } from './left-out.ts'
import { NUMBER as ID, type Range } from './names.ts'
import { type LineOfOrder, type Order, orderOf } from './orders.ts'
import { type References, referencesIn, withoutStruck } from './references.ts'
import { Sections, type UnusedSection } from './sections.ts'

export type TaskLines = {
  title: string
  /** Every heading that has tasks right below it, in the order of the file. */
  phases: Phase[]
  /** Lines of boxes to tick that have no number of a task. */
  unnumbered: number[]
  /** Items of a list that begin with the number of a task, but where the box or the number is not written as one. */
  boxless: { id: string; line: number; column: number; fault: Fault }[]
  /** What the section `Dependencies` says. */
  orders: Order[]
  /** What a block of code in it shows: `T001 → T002`. A drawing counts less than words. */
  drawn: Order[]
  /** Tasks that a line of it names without saying clearly which of them waits. */
  unclear: Range[][]
  /** Sections without tasks. */
  unused: UnusedSection[]
}

/** What is wrong with the line of a task. */
export type Fault = 'no box' | 'box' | 'number'

export type Phase = {
  /** `Phase 3: User Story 1`, `Tests for User Story 1`. */
  titles: string[]
  line: number
  /** What stands below it, and below the headings above it, besides tasks. */
  prose: string[]
  tasks: TaskLine[]
}

export type TaskLine = {
  /** `T012` */
  id: string
  isDone: boolean
  /** What the box holds, where that is neither a space nor an `x`. */
  mark: string | null
  /** What says that nobody is to do it, see left-out.ts. */
  leftOut: string | null
  /** A heading above it says so, or a status below that. */
  isLeftOutAbove: boolean
  isParallel: boolean
  /** `US1` */
  story: string | null
  /** Without what stands in front. */
  text: string
  /** What is indented below it. */
  details: string
  /** Its text and what is below it without blocks of code: where it says which files it is about. */
  prose: string
  /** What it says about other tasks. */
  references: References
  line: number
  column: number
}

export function readTaskLines({ lines }: Markdown): TaskLines {
  const found: TaskLines = {
    ...{ title: '', phases: [], unnumbered: [], boxless: [], orders: [], drawn: [], unclear: [], unused: [] },
  }
  const sections = new Sections()
  const above: Above[] = []
  let phase: (Phase & { own: MarkdownLine[] }) | null = null
  let task: { line: TaskLine; indent: number; below: MarkdownLine[]; quotes: boolean } | null = null
  const endTask = (): void => {
    if (task) addBelow(task.line, task.below)
    task = null
  }
  const endPhase = (): void => {
    endTask()
    if (phase && phase.tasks.length > 0) {
      const { own, ...rest } = phase
      const around = above.slice(0, -1).map(({ text }) => text)
      found.phases.push({ ...rest, prose: [...around, proseOf(own)] })
    }
    phase = null
  }
  for (const line of lines) {
    if (line.heading) {
      endPhase()
      const { level } = line.heading
      const title = withoutEmphasis(line.heading.title)
      while ((above.at(-1)?.level ?? 0) >= level) above.pop()
      const parent = above.at(-1)
      // Nothing more can come to it, and it is asked for by every heading below it.
      if (parent) parent.text ||= proseOf(parent.prose)
      const isTitle = level === 1 && found.title === ''
      if (isTitle) found.title = title
      sections.begin(level, title)
      const leftOut = isTitle ? null : whyLeftOut(title.replace(PHASE_NUMBER, ''), false)
      above.push({ level, title: isTitle ? '' : title, line: line.number, prose: [], text: '', leftOut })
      continue
    }
    const started = line.isQuoted ? null : taskOf(line)
    if (started) {
      endTask()
      phase ??= newPhase(above, line)
      const leftOut = above.find((one) => one.leftOut !== null)?.leftOut ?? null
      if (started.leftOut === null && leftOut !== null) Object.assign(started, { leftOut, isLeftOutAbove: true })
      phase.tasks.push(started)
      sections.addTask()
      task = { line: started, indent: indentOf(line.text), below: [], quotes: false }
    } else if (task && belongsTo(line, task)) {
      task.quotes = line.isQuoted
      task.below.push(line)
    } else {
      endTask()
      const isDrawn = line.isQuoted && DRAWN.test(line.text) && !sections.isAboutParallel
      const isAboutOrder = (!line.isQuoted || isDrawn) && !phase && sections.isAboutOrder
      const { orders, unclear } = isAboutOrder ? orderOf(withoutStruck(line.text), line.number) : NO_ORDER
      if (unclear.length > 0 && !sections.isAboutParallel) found.unclear.push(unclear)
      const boxless = line.isQuoted || orders.length > 0 ? null : faultyTask(line)
      if (orders.length > 0) for (const order of orders) (isDrawn ? found.drawn : found.orders).push(order)
      else if (boxless) found.boxless.push(boxless)
      if (orders.length === 0 && isBox(line) && boxless?.fault !== 'box') found.unnumbered.push(line.number)
      const heading = above.at(-1)
      if (boxless || !isBox(line)) heading?.prose.push(line)
      if (heading && !phase && !line.isQuoted && heading.title !== '') heading.leftOut ??= statusLeftOut(line.text)
      if (orders.length > 0 || isBox(line)) sections.addUsed()
      else if (!isBlank(line) && !RULE.test(line.text)) sections.addText(line.number)
      phase?.own.push(line)
    }
  }
  endPhase()
  found.unused = sections.unused()
  return found
}

function addBelow(task: TaskLine, below: readonly MarkdownLine[]): void {
  task.details = textOf(below)
  const words = below.filter((line) => !line.isQuoted && !isBlank(line))
  if (words.length === 0) return
  task.prose = [task.text, ...words.map(({ text }) => text)].join('\n')
  for (const { text, number } of words) {
    const { waitsFor, inPassing, mentions } = referencesIn(withoutStruck(text), number)
    for (const name of mentions) task.references.mentions.push(name)
    // `**Verify**: passes after T002 lands` says when something can be seen, not when the task may begin.
    if (VERIFIES.test(text)) continue
    for (const one of waitsFor) task.references.waitsFor.push(one)
    for (const one of inPassing) task.references.inPassing.push(one)
  }
}

const VERIFIES = /^\s*(?:[-*+]\s{1,9})?[*_]{0,2}(?:verify|verification)[*_]{0,2}\s?:/i

const NO_ORDER: LineOfOrder = { orders: [], unclear: [] }

export function stateOf({ isDone, leftOut }: TaskLine): Entry['state'] {
  return isDone ? 'done' : leftOut !== null ? 'skipped' : 'open'
}

/** What of it may become part of a prompt; there may be megabytes of it. */
function proseOf(lines: readonly MarkdownLine[]): string {
  const kept: MarkdownLine[] = []
  let chars = 0
  for (const line of lines) {
    if (RULE.test(line.text) || (kept.length === 0 && isBlank(line))) continue
    const text = contextPart(line.text)
    kept.push({ ...line, text })
    chars += text.length + 1
    if (chars > MAX_CONTEXT_CHARS + 1) break
  }
  return textOf(kept)
}

/** A line across the page. */
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/

/** `Phase 3: [SKIPPED] Import` says it of the whole phase. */
const PHASE_NUMBER = /^phase\s{1,9}[\d.]{1,20}\s?[:–—-]\s{0,9}/i

/** `text`: what its prose says, once there is a heading below it. */
type Above = {
  level: number
  title: string
  line: number
  prose: MarkdownLine[]
  text: string
  /** What says that nothing below it is to be done. */
  leftOut: string | null
}

function newPhase(above: readonly Above[], { number }: MarkdownLine): Phase & { own: MarkdownLine[] } {
  const heading = above.at(-1)
  const titles = above.map(({ title }) => title).filter(Boolean)
  return { titles, line: heading?.line ?? number, prose: [], tasks: [], own: [...(heading?.prose ?? [])] }
}

/** Deeper than its task; a code block in there as a whole, however its lines are indented. */
function belongsTo(line: MarkdownLine, task: { indent: number; quotes: boolean }): boolean {
  if (line.isQuoted && task.quotes) return true
  return isBlank(line) || indentOf(line.text) > task.indent
}

function isBox({ text, isQuoted }: MarkdownLine): boolean {
  return !isQuoted && BOX.test(text)
}

/** `- `, `* `, `12. `, or nothing: what a box stands behind. Short, so that no line is looked at for long. */
const ITEM = '\\s{0,40}(?:(?:[-*+]|\\d{1,9}[.)])\\s{1,20})?'
const EMPHASIS = '(?:\\*\\*|__|`|~~){0,2}'
/** `T012`, `**T012**:`, `[T012]` */
const NUMBER = `(${EMPHASIS})(?:\\[(?=[\\w.]{1,40}\\]))?(${ID})\\]?${EMPHASIS}(?=[\\s:.,[]|$)[:.,]?`
const LABELS = '(?:`?\\[(?:[Pp]|[Uu][Ss]\\d{1,6})\\]`?\\s{0,20}){0,4}'
/** One character in the box: a status is written by replacing it. `[P]` is a label. */
const BOX = new RegExp(`^${ITEM}\\[[^\\]\\sPp]?[ \\t]?\\]\\s`)
const TASK = new RegExp(
  `^(${ITEM}\\[([^\\]\\n]|[A-Za-z][A-Za-z '’-]{2,15})\\]\\s{1,20})(~~\\s{0,3})?(${LABELS})${NUMBER}`,
)
const BOXLESS = new RegExp(`^(\\s{0,40}(?:[-*+]|\\d{1,9}[.)])\\s{1,20}(?:\\[[^\\]]{0,9}\\]\\s{0,20})?)${NUMBER}`)
/** `-[ ] T012`, `> - [ ] T012` */
const NO_ITEM = new RegExp(
  `^((?:\\s{0,40}(?:[-*+]|\\d{1,9}[.)])|\\s{0,3}>[\\s>]{0,9}(?:[-*+]\\s{1,9})?)\\[[^\\]]{0,9}\\]\\s{0,20})${NUMBER}`,
)
/** `- [ ] Task T012: text`, `(T012)`, `T-012`, `t012` */
const MISNUMBERED = new RegExp(
  `^(${ITEM}\\[[^\\]\\n]\\]\\s{1,20}${LABELS})${EMPHASIS}(?:task\\s{1,3})?[(#]?t[-_]?(\\d{1,9})(?![\\w-])`,
  'i',
)
/** Names and arrows, and nothing else. */
const DRAWN = new RegExp(
  `^\\s{0,40}${ID}(?:\\s{0,9},\\s{0,9}${ID}){0,20}(?:\\s{0,9}(?:-{1,2}>|=>|→|⇒)\\s{0,9}${ID}(?:\\s{0,9},\\s{0,9}${ID}){0,20}){1,50}\\s{0,9}$`,
)

function faultyTask({ text, number }: MarkdownLine): TaskLines['boxless'][number] | null {
  const boxless = BOXLESS.exec(text) ?? NO_ITEM.exec(text)
  const [, before = '', , id = ''] = boxless ?? []
  const at = { line: number, column: before.length + 1 }
  if (boxless) return { id: id.toUpperCase(), ...at, fault: before.includes('[') ? 'box' : 'no box' }
  const [, front = '', digits] = MISNUMBERED.exec(text) ?? []
  return digits === undefined ? null : { id: `T${digits}`, line: number, column: front.length + 1, fault: 'number' }
}

/** What no code block without an end may take in: the line of a task, and the heading of a phase. */
export function beginsTask(line: string): boolean {
  return TASK.test(line) || /^#{1,6}\s{1,20}(?:\*\*)?phase\s{1,20}\d/i.test(line)
}

function taskOf({ text, number }: MarkdownLine): TaskLine | null {
  const box = TASK.exec(text)
  if (!box) return null
  const [whole, before = '', mark = ' ', struck = '', labels = '', emphasis = '', id = ''] = box
  if (mark.length > 1 && !isMarkedOut(mark)) return null
  const { isParallel, story, rest } = labelsOf(`${labels} ${text.slice(whole.length).trim()}`)
  const said = withoutMark(withoutMark(rest, '~~'), '**').trim()
  return {
    id: id.toUpperCase(),
    isDone: DONE.test(mark),
    mark: /^\s$/.test(mark) || DONE.test(mark) ? null : mark,
    leftOut: isMarkedOut(mark) ? mark : whyLeftOut(rest, `${struck}${emphasis}`.includes('~~')),
    isLeftOutAbove: false,
    isParallel,
    story,
    text: said,
    details: '',
    prose: said,
    // Without its own number, which would be one it speaks of.
    references: referencesIn(withoutStruck(text.slice(whole.length).padStart(text.length)), number),
    line: number,
    column: before.length + struck.length + labels.length + 1,
  }
}

/** Of all of it, or of the number in front as well; `~~old text~~ new text` keeps both of its marks. */
function withoutMark(text: string, mark: string): string {
  const count = text.split(mark).length - 1
  const isWhole = count === 2 && text.startsWith(mark) && text.endsWith(mark)
  if (isWhole) return text.slice(mark.length, -mark.length)
  if (count % 2 === 0) return text
  return text.startsWith(mark) ? text.slice(mark.length) : text.endsWith(mark) ? text.slice(0, -mark.length) : text
}

const DONE = /^[xX✓✔✅☑]$/

function isMarkedOut(mark: string): boolean {
  return mark === '-' || meansLeftOut(mark)
}

/** `[P] [US1]`, in any order. */
function labelsOf(text: string): { isParallel: boolean; story: string | null; rest: string } {
  let rest = text.trim()
  let isParallel = false
  let story: string | null = null
  for (let label = LABEL.exec(rest); label; label = LABEL.exec(rest)) {
    const name = (label[1] ?? '').toUpperCase()
    if (name === 'P') isParallel = true
    else story ??= name
    rest = rest.slice(label[0].length)
  }
  return { isParallel, story, rest }
}

const LABEL = /^`?\[(P|US\d{1,6})\]`?\s*/i
