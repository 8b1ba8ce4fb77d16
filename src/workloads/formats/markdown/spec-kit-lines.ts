// The lines of a `tasks.md`: headings, tasks below them, and what stands between.
import type { Entry } from '../format.ts'
import { contextPart, MAX_CONTEXT_CHARS } from '../prompt.ts'
import { indentOf, isBlank, type Markdown, type MarkdownLine, textOf, withoutEmphasis } from './lines.ts'

export type TaskLines = {
  title: string
  phases: Phase[]
  unnumbered: number[]
  faulty: FaultyLine[]
  orders: Order[]
  /** Sections without tasks: no prompt holds what they say. */
  unused: { title: string; line: number }[]
}

export type Phase = {
  titles: string[]
  line: number
  /** What stands below it, and below the headings above it, besides tasks. */
  prose: string[]
  tasks: TaskLine[]
}

export function readTaskLines({ lines }: Markdown): TaskLines {
  const found: TaskLines = { title: '', phases: [], unnumbered: [], faulty: [], orders: [], unused: [] }
  const sections = sectionsOf(lines, found)
  for (const section of sections) readSection(section, found)
  const unused = sections.filter(({ line, hasTasks, hasText }) => line > 0 && !hasTasks && hasText)
  found.unused = [...new Set(unused.map(largestWithoutTasks))]
  return found
}

type Section = {
  level: number
  title: string
  /** 0: what stands above all headings. */
  line: number
  parent: Section | null
  /** Elsewhere a chain of tasks may be a way to work through them, such as that of a single developer. */
  isAboutOrder: boolean
  lines: MarkdownLine[]
  /** What it says besides tasks, without the sections below it. */
  prose: string
  hasTasks: boolean
  hasText: boolean
}

function sectionsOf(lines: readonly MarkdownLine[], found: TaskLines): Section[] {
  const nothing = { prose: '', hasTasks: false, hasText: false }
  let last: Section = { level: 0, title: '', line: 0, parent: null, isAboutOrder: false, lines: [], ...nothing }
  const sections = [last]
  for (const line of lines) {
    if (!line.heading) {
      last.lines.push(line)
      continue
    }
    const { level } = line.heading
    const title = withoutEmphasis(line.heading.title)
    let parent: Section | null = last
    while (parent && (parent.level >= level || parent.line === 0)) parent = parent.parent
    const isTitle = level === 1 && found.title === ''
    if (isTitle) found.title = title
    const isAboutOrder = parent?.isAboutOrder || (level > 1 && ABOUT_ORDER.test(title))
    last = { level, title: isTitle ? '' : title, line: line.number, parent, isAboutOrder, lines: [], ...nothing }
    sections.push(last)
  }
  return sections
}

function readSection(section: Section, found: TaskLines): void {
  const tasks: TaskLine[] = []
  const rest: MarkdownLine[] = []
  let last: { task: TaskLine; indent: number; below: MarkdownLine[] } | null = null
  for (const line of section.lines) {
    const task = line.isQuoted ? null : taskOf(line)
    if (task || !last || !belongsTo(line, last)) {
      if (last) addBelow(last.task, last.below)
      last = task && { task, indent: indentOf(line.text), below: [] }
    }
    if (task) tasks.push(task)
    else if (last) last.below.push(line)
    else {
      rest.push(line)
      const orders = section.isAboutOrder ? ordersOf(withoutStruck(line.text), line.number) : []
      const faulty = line.isQuoted || orders.length > 0 ? null : faultyTask(line)
      found.orders.push(...orders)
      if (faulty) found.faulty.push(faulty)
      else if (isBox(line)) found.unnumbered.push(line.number)
      if (orders.length === 0 && !isBox(line) && !isBlank(line) && !RULE.test(line.text)) section.hasText = true
    }
  }
  if (last) addBelow(last.task, last.below)
  section.prose = proseOf(rest)
  const [first] = tasks
  if (!first) return
  const around: Section[] = []
  for (let one: Section | null = section; one; one = one.parent) {
    one.hasTasks = true
    around.unshift(one)
  }
  const titles = around.map(({ title }) => title).filter(Boolean)
  found.phases.push({ titles, line: section.line || first.line, prose: around.map(({ prose }) => prose), tasks })
}

function largestWithoutTasks(section: Section): Section {
  const { parent } = section
  return parent && !parent.hasTasks ? largestWithoutTasks(parent) : section
}

function addBelow(task: TaskLine, below: readonly MarkdownLine[]): void {
  task.details = textOf(below)
  const words = below.filter((line) => !line.isQuoted && !isBlank(line))
  if (words.length > 0) task.prose = [task.text, ...words.map(({ text }) => text)].join('\n')
  for (const { text, number } of words) task.waitsFor.push(...waitsIn(withoutStruck(text), number))
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

/** `## Dependencies`, `## Dependencies & Execution Order`; the title of the file may be about updating dependencies. */
const ABOUT_ORDER = /\bdependenc(?:y|ies)\b|\bexecution order\b/i

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/

/** Deeper than its task; a code block in there as a whole, however its lines are indented. */
function belongsTo(line: MarkdownLine, { indent, below }: { indent: number; below: readonly MarkdownLine[] }): boolean {
  return (line.isQuoted && below.at(-1)?.isQuoted) || isBlank(line) || indentOf(line.text) > indent
}

// One line of a `tasks.md`: `- [ ] T012 [P] [US1] text`; and lines that are nearly one.

export type TaskLine = {
  id: string
  isDone: boolean
  /** What the box holds, where that is neither a space nor an `x`. */
  mark: string | null
  /** `struck out`, or the mark in its box that says that nobody is to do it. */
  leftOut: string | null
  isParallel: boolean
  story: string | null
  text: string
  details: string
  /** Its text and what is below it without blocks of code: where it says which files it is about. */
  prose: string
  waitsFor: Names[]
  line: number
  column: number
}

export function stateOf({ isDone, leftOut }: TaskLine): Entry['state'] {
  return isDone ? 'done' : leftOut !== null ? 'skipped' : 'open'
}

/** The number of a task: `T012`, `T012a`, `T001.1`, `T007-TEST`. */
const NUMBER = 'T\\d{1,9}(?:\\.\\d{1,9}){0,3}[a-zA-Z]?(?:-(?!T\\d)[A-Z][A-Z\\d]{0,19})?'

/** `- `, `* `, `12. `, or nothing: what a box stands behind. Short, so that no line is looked at for long. */
const ITEM = '\\s{0,40}(?:(?:[-*+]|\\d{1,9}[.)])\\s{1,20})?'
const EMPHASIS = '(?:\\*\\*|__|`|~~){0,2}'
/** `T012`, `**T012**:`, `[T012]` */
const NUMBERED = `(${EMPHASIS})(?:\\[(?=[\\w.-]{1,40}\\]))?(${NUMBER})\\]?${EMPHASIS}(?=[\\s:.,[]|$)[:.,]?`
const LABELS = '(?:`?\\[(?:[Pp]|[Uu][Ss]\\d{1,6})\\]`?\\s{0,20}){0,4}'
/** One character in the box: a status is written by replacing it. `[P]` is a label. */
const BOX = new RegExp(`^${ITEM}\\[[^\\]\\sPp]?[ \\t]?\\]\\s`)
const TASK = new RegExp(`^(${ITEM}\\[([^\\]\\n])\\]\\s{1,20})(~~\\s{0,3})?(${LABELS})${NUMBERED}`)
/** `- T012`, `-[ ] T012`, `> - [ ] T012`, `- [ ] Task T012: text`, `(T012)`, `T-012`, `t012` */
const FAULTY = new RegExp(
  `^(?=\\s{0,40}(?:[-*+>]|\\d{1,9}[.)]))([\\s>*+-]{0,40}(?:\\d{1,9}[.)])?\\s{0,20}(?:\\[[^\\]]{0,9}\\]\\s{0,20})?${LABELS})[\`*_~([#]{0,4}(?:[Tt]ask\\s{1,3})?[Tt][-_]?(\\d{1,9}(?:\\.\\d{1,9}){0,3}[a-z]?)(?![\\w-])`,
)

function taskOf({ text, number }: MarkdownLine): TaskLine | null {
  const box = TASK.exec(text)
  if (!box) return null
  const [whole, before = '', mark = ' ', struck = '', labels = '', emphasis = '', id = ''] = box
  const { isParallel, story, rest } = labelsOf(`${labels} ${text.slice(whole.length).trim()}`)
  const isStruck = `${struck}${emphasis}`.includes('~~') || /^~~[^~]+(?:~~\W*)?$/.test(rest)
  const words = withoutMark(withoutMark(rest, '~~'), '**').trim()
  return {
    id: id.toUpperCase(),
    isDone: DONE.test(mark),
    mark: /^\s$/.test(mark) || DONE.test(mark) ? null : mark,
    leftOut: mark === '-' ? mark : isStruck ? STRUCK_OUT : null,
    isParallel,
    story,
    text: words,
    details: '',
    prose: words,
    waitsFor: waitsIn(withoutStruck(text.slice(whole.length).padStart(text.length)), number),
    line: number,
    column: before.length + struck.length + labels.length + 1,
  }
}

/** With spaces for what is struck out: it means nothing, and what follows keeps its place. */
export function withoutStruck(text: string): string {
  return text.includes('~~') ? text.replace(/~~[^~]+~~/g, (struck) => struck.replace(/[^\n]/g, ' ')) : text
}

/** What no code block without an end may take in: the line of a task, and the heading of a phase. */
export function beginsTask(line: string): boolean {
  return TASK.test(line) || /^#{1,6}\s{1,20}(?:\*\*)?phase\s{1,20}\d/i.test(line)
}

function isBox({ text, isQuoted }: MarkdownLine): boolean {
  return !isQuoted && BOX.test(text)
}

/** An item of a list that begins with the number of a task, but where the box or the number is not written as one. */
type FaultyLine = { id: string; line: number; column: number }

function faultyTask({ text, number }: MarkdownLine): FaultyLine | null {
  const [, before = '', digits] = FAULTY.exec(text) ?? []
  // `> T012 is late` and `-T012` are words.
  if (digits === undefined || (!before.includes('[') && !/[-*+.)]\s+$/.test(before))) return null
  return { id: `T${digits.toUpperCase()}`, line: number, column: before.length + 1 }
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

export const STRUCK_OUT = 'struck out'

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

// `(depends on T001, T003-T005)` at a task, and lines of nothing but an order: `T001 → T002`, `T004 depends on T003`.

/** From one task to another, which are the same where only one was named. */
export type Names = { first: string; last: string; line: number; column: number }

/** Every later task waits for every earlier one. */
export type Order = { earlier: Names[]; later: Names[] }

/** Of the words of a task, where a sentence, a bracket or the line begins so. */
function waitsIn(text: string, line: number): Names[] {
  return Array.from(text.matchAll(WAITS), ({ 0: lead, index }) => namesAt(text, index + lead.length, line).names).flat()
}

/** Of a line that says nothing else; none for any other. */
function ordersOf(written: string, line: number): Order[] {
  // With spaces for what explains, so that places stay right.
  const text = written
    .slice(0, MAX_LINE_CHARS)
    .replace(/\([^()]*\)|^\s*(?:[-*+]|\d{1,9}[.)])\s|[.;]\s*$/g, (part) => ' '.repeat(part.length))
  const sides: Names[][] = []
  let isBackwards = false
  for (let position = 0; ; ) {
    const { names, to } = namesAt(text, position, line)
    if (names.length === 0) return []
    sides.push(names)
    const rest = text.slice(to)
    if (rest.trim() === '') break
    const [sign] = (sides.length === 1 ? BETWEEN : ARROW).exec(rest) ?? []
    if (sign === undefined || isBackwards) return []
    isBackwards = !ARROW.test(rest)
    position = to + sign.length
  }
  const inOrder = isBackwards ? sides.toReversed() : sides
  return inOrder.slice(1).map((later, i) => ({ earlier: inOrder[i] ?? [], later }))
}

/** What is listed from here on: `T001, T002 (the model) and T004-T006`. */
function namesAt(text: string, from: number, line: number): { names: Names[]; to: number } {
  const names: Names[] = []
  let position = from
  for (let one = nextName(text, position); one; one = nextName(text, position)) {
    const [whole, before = '', first = '', last, digits] = one
    // `T009-011` is a range; of `T009-1` nobody knows.
    const end = digits?.length === first.length - 1 ? `T${digits}` : (last ?? first)
    names.push({ first: first.toUpperCase(), last: end.toUpperCase(), line, column: position + before.length + 1 })
    position += whole.length
  }
  return { names, to: position }
}

function nextName(text: string, position: number): RegExpExecArray | null {
  return NAME.exec(text.slice(position, position + MAX_NAME_CHARS))
}

/** Longer than what stands between two names of a list. */
const MAX_NAME_CHARS = 160
const MAX_LINE_CHARS = 4_000

const WORDS =
  '(?:[Dd]epends?(?:\\s{1,3}on)?|[Dd]ependenc(?:y|ies)(?:\\s{1,3}on)?|[Dd]eps?|[Bb]locked[\\s-]by|[Rr]equires|[Nn]eeds|[Aa]fter|[Ww]aits\\s{1,3}for)'
const WAITS = new RegExp(
  `(?:^|[-([.;,:–—*_|])[\\s*_]{0,9}${WORDS}[\\s:*_]{1,9}(?=[\\s\`*_[]{0,4}(?:tasks?\\s)?T\\d)`,
  'g',
)
const ARROW = /^[\s*_`]{0,99}(?:-{1,2}>|=>|→|⇒)/
const BETWEEN = new RegExp(`${ARROW.source}|^[\\s*_\`:]{0,99}(?:\\bis\\s)?\\b${WORDS}[\\s:*_]{1,9}`)
const NAME = new RegExp(
  `^((?:[\\s,&+/\`*_[{]|and\\s|tasks?\\s){0,99})(${NUMBER})(?:[\`*_\\]]{0,3}\\s?(?:-|–|\\.{2,3}|…|\\bto\\s|\\bthrough\\s)\\s?[\`*_[]{0,3}(${NUMBER})|[-–](\\d{1,9}))?(?![\\w.]\\w|\\w)[\`*_\\]}]{0,4}(?:\\s{0,3}\\([^()]{0,80}\\)(?=\\s{0,3}(?:[,;&+/)]|and\\b)))?`,
)
