// spec-kit's `tasks.md`. Headings are phases: nothing of one begins before all of the one above is done. In a phase, a
// line follows its predecessor; lines with `[P]` wait only for the phase. Paths in the text are claims.
import type { Result } from '../../problem.ts'
import { shown } from '../field.ts'
import type { Place } from '../place.ts'
import { slug } from '../slug.ts'
import type { Format, SourceFile, Translation } from './format.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './markdown.ts'
import { MarkdownPlan, type Need } from './markdown-plan.ts'
import { OwnIds } from './own-ids.ts'
import { claimsOf } from './path-claims.ts'
import { contextPart, contextText } from './prompt-context.ts'
import { promptText } from './prompt-text.ts'
import { pathsInProse } from './prose-paths.ts'
import { type Phase, readTaskLines, stateOf, type TaskLine, type TaskLines } from './spec-kit-lines.ts'
import { unorderedMentions } from './spec-kit-mentions.ts'
import type { Order, Range } from './spec-kit-references.ts'
import type { UnusedSection } from './spec-kit-sections.ts'

export const specKit: Format = {
  name: 'spec-kit',
  title: "spec-kit's tasks.md",
  sign: 'lines such as `- [ ] T001 [P] text`',
  kind: 'markdown',
  words: { task: 'task', epic: 'phase' },
  recognises: ({ text }) => {
    const head = text.slice(0, LOOKED_AT_CHARS)
    return LOOKS_SO.test(head) && readTaskLines(readMarkdown(head)).phases.length > 0
  },
  resembles: ({ text }) => {
    const { unnumbered, boxless } = readTaskLines(readMarkdown(text.slice(0, LOOKED_AT_CHARS)))
    return unnumbered.length > 0 || boxless.length > 0
  },
  translate: ([file]) => translate(file as SourceFile),
}

const LOOKS_SO = /^[ \t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,20})?\[[^\]\n]\][ \t]{1,20}[*_`~]{0,4}T\d/m

type Context = {
  plan: MarkdownPlan
  file: SourceFile
  title: string
  byId: Map<string, TaskLine>
  ids: OwnIds
  /** All of them, and the place of each in that. */
  tasks: TaskLine[]
  indexOf: Map<string, number>
  /** Tasks without a box. */
  boxless: ReadonlySet<string>
  /** The phase of each, by its place among all of them. */
  phaseAt: number[]
  /** What each waits for because the file says so in words. */
  waits: Map<TaskLine, Wait[]>
}

type Wait = { other: TaskLine; place: Place }

function translate(file: SourceFile): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text)
  const written = readTaskLines(markdown)
  const title = titleOf(written.title)
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  const indexOf = new Map(tasks.map(({ id }, i) => [id, i]))
  const boxless = new Set(written.boxless.map(({ id }) => id))
  const phaseAt = written.phases.flatMap((phase, i) => phase.tasks.map(() => i))
  const known = { tasks, indexOf, boxless, phaseAt, waits: new Map() }
  const context: Context = { plan, file, title, byId: new Map(), ids: new OwnIds('task'), ...known }
  if (plan.tooMany(tasks.length)) return plan.finish()
  noteTasks(context)
  tellOfTheRest(written, markdown.openFence, context)
  tellOfBoxes(written, context)
  for (const task of tasks) if (stateOf(task) === 'open') context.waits.set(task, named(task, context))
  for (const order of written.orders) putInOrder(order, context)
  plan.head(title === '' ? {} : { name: slug(title), objective: title })
  const epics = new OwnIds('phase')
  const names = new Map<string, number>()
  let before: string | null = null
  for (const phase of written.phases) {
    const epic = epics.of(numbered(phase.titles.at(-1) ?? '', names))
    const open = phase.tasks.filter((task) => stateOf(task) === 'open')
    if (open.length === 0) continue
    const place = plan.place(file, phase.line)
    const needs = before === null ? [] : [{ id: before, place }]
    plan.epic({ id: epic, title: phase.titles.at(-1), needs }, place, phase.titles.at(-1) ?? epic)
    addTasks(open, epic, phase, context)
    before = epic
  }
  tellOfMentions(written.phases, context)
  return plan.finish()
}

/** What it is about. The template's own words, and a placeholder nobody has filled in, are no title. */
function titleOf(written: string): string {
  const title = written.replace(/^tasks?\s*(?:[:–—-]\s*|$)/i, '')
  return /^\[[^\]]*\]$/.test(title) ? '' : title
}

/** Two phases may have the same name. */
function numbered(title: string, names: Map<string, number>): string {
  const count = (names.get(title) ?? 0) + 1
  names.set(title, count)
  return count === 1 ? title : `${title} ${count}`
}

function noteTasks({ plan, file, byId, ids, tasks }: Context): void {
  for (const task of tasks) {
    const first = byId.get(task.id)
    if (first)
      plan.error(
        plan.place(file, task.line, task.column),
        `there are two tasks ${shown(task.id)}; the first is in line ${first.line}`,
      )
    else byId.set(task.id, task)
    plan.entries.push({ task: ids.of(task.id), source: task.id, state: stateOf(task) })
  }
  if (byId.size === 0)
    plan.error(
      plan.place(file, 1),
      'there are no tasks in it: a task is a line such as `- [ ] T001 Create src/index.ts`',
    )
}

function addTasks(open: readonly TaskLine[], epic: string, phase: Phase, context: Context): void {
  const { plan, file, title, byId, ids } = context
  const titles = phase.titles.map(contextPart).join(' / ')
  const about = contextText([title && `Feature: ${contextPart(title)}`, titles, ...phase.prose], byId.size)
  const needs = followers(open, context)
  for (const [i, task] of open.entries()) {
    plan.task(
      {
        id: ids.of(task.id),
        epic,
        prompt: promptText([task.text || task.id, task.details].filter(Boolean).join('\n\n'), [
          ['What this is part of', [`This is task ${task.id}.`, about].filter(Boolean).join('\n\n')],
        ]),
        needs: [...(needs[i] ?? []), ...waitsAsNeeds(task, context)],
        ...claimsOf({ write: pathsInProse(task.prose), read: [] }),
        tags: task.story === null ? [] : [task.story.toLowerCase()],
      },
      plan.place(file, task.line, task.column),
    )
  }
}

/** A line without `[P]` follows the last one like it, and the `[P]` lines in between. */
function followers(open: readonly TaskLine[], { plan, file, ids }: Context): Need[][] {
  let before: TaskLine | null = null
  let between: TaskLine[] = []
  return open.map((task) => {
    if (task.isParallel) {
      between.push(task)
      return []
    }
    const place = plan.place(file, task.line, task.column)
    const needs = [...(before ? [before] : []), ...between].map(({ id }): Need => ({ id: ids.of(id), place }))
    before = task
    between = []
    return needs
  })
}

function waitsAsNeeds(task: TaskLine, { waits, ids }: Context): Need[] {
  return (waits.get(task) ?? []).map(({ other, place }) => ({ id: ids.of(other.id), place }))
}

function named(task: TaskLine, context: Context): Wait[] {
  const { plan, file, tasks } = context
  return task.dependsOn.flatMap((range) => {
    const place = plan.place(file, range.line, range.column)
    const span = spanOf(range, context)
    if (typeof span === 'string') plan.error(place, `task ${shown(task.id)} depends on ${span}`)
    else if (plan.mayNeed(span.to - span.from, place))
      return openIn(tasks, span).map((other): Wait => ({ other, place }))
    return []
  })
}

/** The section only speaks of the tasks: what is not understood in it is told, and the plan is read without it. */
function putInOrder({ first, then }: Order, context: Context): void {
  const { plan, file, tasks, phaseAt, waits } = context
  const spansOf = (ranges: readonly Range[]): Span[] =>
    ranges.flatMap((range) => {
      const span = spanOf(range, context)
      if (typeof span !== 'string') return [span]
      const whole = range.first === range.last ? '' : `${shown(`${range.first}-${range.last}`)}: it names `
      const place = plan.place(file, range.line, range.column)
      plan.assume(place, `the order in this line is kept without ${whole}${span}`)
      return []
    })
  const [earlier, later] = [spansOf(first), spansOf(then)]
  const lastPhase = earlier.reduce((phase, { to }) => Math.max(phase, phaseAt[to] ?? 0), -1)
  // Phases wait for each other anyway.
  if (later.every(({ from }) => (phaseAt[from] ?? 0) > lastPhase)) return
  const { line = 1, column } = then[0] ?? {}
  const place = plan.place(file, line, column)
  if (!plan.mayNeed(sizeOf(earlier) * sizeOf(later), place)) return
  const others = earlier.flatMap((span) => openIn(tasks, span))
  for (const task of later.flatMap((span) => openIn(tasks, span)))
    for (const other of others) if (other !== task) waits.get(task)?.push({ other, place })
}

/** Places among all tasks; the last is part of it. */
type Span = { from: number; to: number }

/** In the order of the file; or what is wrong with it. */
function spanOf({ first, last }: Range, { indexOf, boxless }: Context): Span | string {
  const [from, to] = [indexOf.get(first), indexOf.get(last)]
  if (from === undefined || to === undefined) {
    const lost = from === undefined ? first : last
    return `${shown(lost)}, ${boxless.has(lost) ? `which has no box. ${BOX_HELP}` : 'which does not exist'}`
  }
  if (to < from)
    return `${shown(`${first}-${last}`)}, which goes backwards: ${last} comes first here, so write ${last}-${first}`
  return { from, to }
}

function sizeOf(spans: readonly Span[]): number {
  return spans.reduce((size, { from, to }) => size + to - from + 1, 0)
}

function openIn(tasks: readonly TaskLine[], { from, to }: Span): TaskLine[] {
  return tasks.slice(from, to + 1).filter((task) => stateOf(task) === 'open')
}

function tellOfTheRest(written: TaskLines, openFence: number | null, { plan, file }: Context): void {
  const { phases, unnumbered, unused } = written
  if (openFence !== null)
    plan.assume(plan.place(file, openFence), 'this code block has no end: all that follows is part of it')
  const second = phases[1]
  if (second)
    plan.assume(
      plan.place(file, second.line),
      'every heading with tasks is a phase, which waits for the whole one above it',
    )
  const [first] = unnumbered
  if (first !== undefined) {
    const more = unnumbered.length > 1 ? ` (lines ${listed(unnumbered)})` : ''
    const lines = unnumbered.length === 1 ? 'a line with a box' : `${unnumbered.length} lines with a box`
    plan.ignore(plan.place(file, first), `${lines} but without the number of a task, such as \`T001\`${more}`)
  }
  const line = unused[0]?.spans[0]?.from
  if (line !== undefined)
    plan.ignore(
      plan.place(file, line),
      `words outside the phases, which no task is told: ${listed(unused.map(placed))}`,
    )
}

/** `Notes (lines 52-60, 63)` */
function placed({ title, spans }: UnusedSection): string {
  const lines = spans.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const isOne = spans.length === 1 && spans[0]?.from === spans[0]?.to
  return `${shown(title.replaceAll('`', ''))} (${isOne ? 'line' : 'lines'} ${listed(lines)})`
}

/** Tasks that could run at the same time although one speaks of the other. */
function tellOfMentions(phases: readonly Phase[], { plan, file, waits }: Context): void {
  const found = unorderedMentions(phases, (task) => waits.get(task) ?? [])
  const [first] = found
  if (!first) return
  const names = found.map(({ task, other }) => `${task.id} and ${other.id}`)
  plan.assume(
    plan.place(file, first.task.line, first.task.column),
    `these run in any order although one names the other (\`(depends on T001)\` makes a task wait): ${listed(names)}`,
  )
}

const LISTED = 10

function listed(items: readonly (number | string)[]): string {
  return `${items.slice(0, LISTED).join(', ')}${items.length > LISTED ? ', …' : ''}`
}

/** Boxes that hold something else than a space or an `x`, and tasks that have none. */
function tellOfBoxes({ boxless }: TaskLines, { plan, file, tasks, byId }: Context): void {
  for (const task of tasks) {
    const { id, mark, line, column } = task
    if (mark === null) continue
    const place = plan.place(file, line, column)
    if (stateOf(task) === 'skipped')
      plan.assume(place, `task ${shown(id)} is marked \`[-]\`: left out, and nothing waits for it`)
    else if (BEGUN.has(mark))
      plan.assume(place, `task ${shown(id)} is marked ${shown(`[${mark}]`)}: run from the start`)
    else
      plan.assume(
        place,
        `task ${shown(id)} is marked ${shown(`[${mark}]`)}, which is not known here, so it counts as not done`,
      )
  }
  // What has a box elsewhere is only spoken of.
  for (const { id, line, column, hasBrackets } of boxless) {
    const what = hasBrackets ? 'this is not how a box is written' : 'it has no box'
    if (!byId.has(id)) plan.warn(plan.place(file, line, column), `task ${shown(id)} is not run: ${what}. ${BOX_HELP}`)
  }
}

const BEGUN = new Set(['/', '~', '>'])
const BOX_HELP = 'A task to do begins with `- [ ] T001`, one that is done with `- [x] T001`'
