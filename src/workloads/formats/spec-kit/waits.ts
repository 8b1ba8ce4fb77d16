// What the tasks of a spec-kit file wait for because its words say so: `(depends on T001)` at a task, and the sections that
// speak of the order.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { SourceFile } from '../format.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { type Phase, stateOf, type TaskLine, type TaskLines } from './lines.ts'
import type { Group, Range } from './names.ts'
import type { Order } from './orders.ts'
import { isGroup } from './references.ts'
import { BOX_HELP } from './remarks.ts'

/** `isSoft`: it should come later, and does not need it. */
export type Wait = { other: TaskLine; place: Place; isSoft: boolean }

/** Of every open task. */
export function waitsInWords(written: TaskLines, plan: MarkdownPlan, file: SourceFile): Map<TaskLine, Wait[]> {
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  const context: Context = {
    plan,
    file,
    tasks,
    indexOf: new Map(tasks.map(({ id }, i) => [id, i])),
    boxless: new Set(written.boxless.map(({ id }) => id)),
    phaseAt: written.phases.flatMap((phase, i) => phase.tasks.map(() => i)),
    groups: new TaskGroups(written.phases),
    waits: new Map(),
  }
  const open = tasks.filter((task) => stateOf(task) === 'open')
  for (const task of open) context.waits.set(task, named(task, context))
  for (const task of open) for (const order of ordersOf(task)) putInOrder(order, true, context)
  for (const order of written.orders) putInOrder(order, false, context)
  for (const order of written.drawn) putInOrder(order, true, context)
  return context.waits
}

type Context = {
  plan: MarkdownPlan
  file: SourceFile
  /** All of them, and the place of each in that. */
  tasks: TaskLine[]
  indexOf: Map<string, number>
  /** Tasks without a box. */
  boxless: ReadonlySet<string>
  /** The phase of each, by its place among all of them. */
  phaseAt: number[]
  groups: TaskGroups
  waits: Map<TaskLine, Wait[]>
}

function named(task: TaskLine, context: Context): Wait[] {
  const { plan, file, tasks } = context
  return task.references.waitsFor.flatMap(({ named, isSoft }) => {
    if (isGroup(named)) return ofGroup(task, named, isSoft, context)
    const place = plan.place(file, named.line, named.column)
    const span = spanOf(named, context)
    if (typeof span === 'string') plan.error(place, `task ${shown(task.id)} depends on ${span}`)
    else if (plan.mayNeed(span.to - span.from, place))
      return openIn(tasks, span).map((other): Wait => ({ other, place, isSoft }))
    return []
  })
}

/** Of a group only those of its own phase: for those of others the phases wait. */
function ofGroup(task: TaskLine, named: Group, isSoft: boolean, { plan, file, groups }: Context): Wait[] {
  const place = plan.place(file, named.line, named.column)
  const others = groups.besides(task, named)
  if (typeof others === 'string') plan.warn(place, `task ${shown(task.id)} does not wait for ${others}`)
  else if (plan.mayNeed(others.atMost, place)) {
    const open = others.tasks().filter((one) => stateOf(one) === 'open')
    return open.map((other): Wait => ({ other, place, isSoft }))
  }
  return []
}

/** `(blocks T012)` */
function ordersOf({ id, references }: TaskLine): Order[] {
  return references.inPassing.map(({ named, isSoft, isBefore }) => {
    const own = [{ ...named, first: id, last: id }]
    return isBefore ? { earlier: own, later: [named], isSoft } : { earlier: [named], later: own, isSoft }
  })
}

/** The section only speaks of the tasks: what is not understood in it is told, and the plan is read without it. */
function putInOrder(order: Order, isInPassing: boolean, context: Context): void {
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
  const [earlier, later] = [spansOf(order.earlier), spansOf(order.later)]
  const lastPhase = earlier.reduce((phase, { to }) => Math.max(phase, phaseAt[to] ?? 0), -1)
  // Phases wait for each other anyway.
  if (later.every(({ from }) => (phaseAt[from] ?? 0) > lastPhase)) return
  const { line = 1, column } = order.later[0] ?? {}
  const place = plan.place(file, line, column)
  if (!plan.mayNeed(sizeOf(earlier) * sizeOf(later), place)) return
  const others = earlier.flatMap((span) => openIn(tasks, span))
  for (const task of later.flatMap((span) => openIn(tasks, span)))
    for (const other of others) {
      if (isInPassing && isAgainst(task, other, context))
        plan.assume(place, `task ${shown(task.id)} does not wait for ${shown(other.id)}, which comes later here`)
      else if (other !== task) waits.get(task)?.push({ other, place, isSoft: order.isSoft })
    }
}

/** The other is in a phase below, or waits for this one because it stands below it without `[P]`. */
function isAgainst(task: TaskLine, other: TaskLine, { indexOf, phaseAt }: Context): boolean {
  const [own = 0, others = 0] = [task, other].map(({ id }) => phaseAt[indexOf.get(id) ?? 0])
  return own < others || (own === others && task.line < other.line && !other.isParallel)
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

// Groups of tasks that the words of a task may name: those of a story, of a phase, or all above it.

/** `atMost`: how many there can be, known before they are gone through. */
export type Members = { atMost: number; tasks: () => TaskLine[] }

export class TaskGroups {
  /** The first phase with a task of each. */
  readonly #firstPhase = new Map<string, number>()
  readonly #at = new Map<TaskLine, { phase: number; index: number }>()
  readonly #phases: { tasks: readonly TaskLine[]; ofStory: Map<string, TaskLine[]>; names: Set<string> }[]

  constructor(phases: readonly Phase[]) {
    this.#phases = phases.map(({ titles, tasks }, phase) => {
      const names = new Set(
        titles.flatMap((title) => /^phase\s{1,9}(\d[\d.]{0,20})/i.exec(title)?.[1] ?? []).map(plain),
      )
      for (const name of names) this.#note(`phase ${name}`, phase)
      for (const [index, task] of tasks.entries()) {
        this.#at.set(task, { phase, index })
        if (task.story !== null) this.#note(storyOf(task), phase)
      }
      return { tasks, ofStory: Map.groupBy(tasks, storyOf), names }
    })
  }

  /**
   * Those of its own phase that it can wait for. Everything in the phases above is there before it anyway, and lines below it
   * without `[P]` wait for it. Or why it waits for none.
   */
  besides(task: TaskLine, { group, name }: Group): Members | string {
    const { phase = 0, index = 0 } = this.#at.get(task) ?? {}
    const own = this.#phases[phase]
    if (group === 'above' || (group === 'phase' && own?.names.has(plain(name))))
      return { atMost: index, tasks: () => own?.tasks.slice(0, index) ?? [] }
    const first = this.#firstPhase.get(group === 'phase' ? `phase ${plain(name)}` : name)
    const called = group === 'phase' ? `Phase ${name}` : name
    if (first === undefined) return `${shown(called)}: there is no such ${group} in this file`
    if (first > phase) return `${shown(called)}, which comes later here`
    const others = group === 'story' ? (own?.ofStory.get(name) ?? []) : []
    const canWait = (other: TaskLine): boolean => other.line < task.line || (other.isParallel && other !== task)
    return { atMost: others.length, tasks: () => others.filter(canWait) }
  }

  #note(name: string, phase: number): void {
    if (!this.#firstPhase.has(name)) this.#firstPhase.set(name, phase)
  }
}

/** `US01` is `US1`. */
function storyOf({ story }: TaskLine): string {
  return story === null ? '' : `US${Number(story.slice(2))}`
}

/** `3.1.` is `3.1`. */
function plain(number: string): string {
  return number.replace(/\.+$/, '')
}
