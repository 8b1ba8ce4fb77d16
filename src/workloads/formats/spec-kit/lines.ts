// The lines of a `tasks.md`: headings, tasks below them, and what stands between.
import {
  indentOf,
  isBlank,
  type Markdown,
  type MarkdownLine,
  textOf,
  withoutEmphasis,
} from '../markdown/parse-lines.ts'
import { contextPart, MAX_CONTEXT_CHARS } from '../task-prompt/compose-prompt.ts'
import { type Order, ordersOf, waitsIn } from './order-phrases.ts'
import { type FaultyLine, faultyTask, isBox, type TaskLine, taskOf, withoutStruck } from './task-line.ts'

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
