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
  const headings: Heading[] = []
  const above: Heading[] = []
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
      const parent = above.at(-1) ?? null
      // Nothing more can come to it, and it is asked for by every heading below it.
      if (parent) parent.text ||= proseOf(parent.prose)
      const isTitle = level === 1 && found.title === ''
      if (isTitle) found.title = title
      const heading = { level, title: isTitle ? '' : title, line: line.number }
      const isAboutOrder = parent?.isAboutOrder || (level > 1 && ABOUT_ORDER.test(title))
      above.push({ ...heading, parent, isAboutOrder, prose: [], text: '', hasTasks: false, hasText: false })
      headings.push(above.at(-1) as Heading)
      continue
    }
    const started = line.isQuoted ? null : taskOf(line)
    if (started) {
      endTask()
      phase ??= newPhase(above, line)
      phase.tasks.push(started)
      for (const heading of above) heading.hasTasks = true
      task = { line: started, indent: indentOf(line.text), below: [], quotes: false }
    } else if (task && belongsTo(line, task)) {
      task.quotes = line.isQuoted
      task.below.push(line)
    } else {
      endTask()
      const heading = above.at(-1)
      const orders = heading?.isAboutOrder ? ordersOf(withoutStruck(line.text), line.number) : []
      const faulty = line.isQuoted || orders.length > 0 ? null : faultyTask(line)
      for (const order of orders) found.orders.push(order)
      if (faulty) found.faulty.push(faulty)
      if (isBox(line) && !faulty) found.unnumbered.push(line.number)
      if (heading && (faulty || !isBox(line))) heading.prose.push(line)
      if (heading && orders.length === 0 && !isBox(line) && !isBlank(line) && !RULE.test(line.text))
        heading.hasText = true
      phase?.own.push(line)
    }
  }
  endPhase()
  found.unused = unusedOf(headings)
  return found
}

type Heading = {
  level: number
  title: string
  line: number
  parent: Heading | null
  /** Elsewhere a chain of tasks may be a way to work through them, such as that of a single developer. */
  isAboutOrder: boolean
  prose: MarkdownLine[]
  /** What its prose says, once there is a heading below it. */
  text: string
  hasTasks: boolean
  hasText: boolean
}

/** Each as part of the largest that has no task. */
function unusedOf(headings: readonly Heading[]): TaskLines['unused'] {
  const found = new Set<Heading>()
  const wholeOf = new Map<Heading, Heading>()
  for (const heading of headings) {
    const { parent, hasTasks, hasText } = heading
    const whole = parent && !parent.hasTasks ? (wholeOf.get(parent) ?? parent) : heading
    wholeOf.set(heading, whole)
    if (!hasTasks && hasText) found.add(whole)
  }
  return [...found]
}

function addBelow(task: TaskLine, below: readonly MarkdownLine[]): void {
  task.details = textOf(below)
  const words = below.filter((line) => !line.isQuoted && !isBlank(line))
  if (words.length === 0) return
  task.prose = [task.text, ...words.map(({ text }) => text)].join('\n')
  for (const { text, number } of words)
    for (const names of waitsIn(withoutStruck(text), number)) task.waitsFor.push(names)
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

function newPhase(above: readonly Heading[], { number }: MarkdownLine): Phase & { own: MarkdownLine[] } {
  const heading = above.at(-1)
  const titles = above.map(({ title }) => title).filter(Boolean)
  return { titles, line: heading?.line ?? number, prose: [], tasks: [], own: [...(heading?.prose ?? [])] }
}

/** Deeper than its task; a code block in there as a whole, however its lines are indented. */
function belongsTo(line: MarkdownLine, task: { indent: number; quotes: boolean }): boolean {
  if (line.isQuoted && task.quotes) return true
  return isBlank(line) || indentOf(line.text) > task.indent
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
