// What the tasks of a spec-kit file wait for because it says so, found among its tasks.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { SourceFile } from '../format.ts'
import type { MarkdownPlan } from '../markdown/markdown-draft.ts'
import type { TaskLines } from './lines.ts'
import type { Names, Order } from './order-phrases.ts'
import { BOX_HELP } from './remarks.ts'
import { stateOf, type TaskLine } from './task-line.ts'

export type Wait = { other: TaskLine; place: Place }

export function waitsOfTasks(written: TaskLines, plan: MarkdownPlan, file: SourceFile): Map<TaskLine, Wait[]> {
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  const open = tasks.filter((task) => stateOf(task) === 'open')
  const context: Context = {
    plan,
    file,
    tasks,
    indexOf: new Map(tasks.map(({ id }, i) => [id, i])),
    boxless: new Set(written.faulty.map(({ id }) => id)),
    phaseOf: new Map(written.phases.flatMap((phase, i) => phase.tasks.map((task) => [task, i]))),
    waits: new Map(open.map((task) => [task, []])),
  }
  for (const task of open) for (const names of task.waitsFor) addNamed(task, names, context)
  for (const order of written.orders) putInOrder(order, context)
  return context.waits
}

type Context = {
  plan: MarkdownPlan
  file: SourceFile
  tasks: TaskLine[]
  indexOf: Map<string, number>
  boxless: ReadonlySet<string>
  phaseOf: Map<TaskLine, number>
  waits: Map<TaskLine, Wait[]>
}

/** At the task itself, so that a name which is not there is a mistake. */
function addNamed(task: TaskLine, names: Names, context: Context): void {
  const { plan, file, waits } = context
  const place = plan.place(file, names.line, names.column)
  const others = tasksNamed(names, context)
  if (typeof others === 'string') plan.error(place, `task ${shown(task.id)} depends on ${others}`)
  else for (const other of others) if (stateOf(other) === 'open') waits.get(task)?.push({ other, place })
}

/** A line elsewhere in the file only speaks of the tasks: what does not fit is listed, and the plan is read without it. */
function putInOrder({ earlier, later }: Order, context: Context): void {
  const { plan, file, phaseOf, waits } = context
  const placeOf = ({ line, column }: Names): Place => plan.place(file, line, column)
  const all = (names: readonly Names[]): TaskLine[] =>
    names.flatMap((one) => {
      const tasks = tasksNamed(one, context)
      if (typeof tasks !== 'string') return tasks
      plan.assume(placeOf(one), `the order in this line is kept without ${tasks}`)
      return []
    })
  const [before, after] = [all(earlier), all(later)].map((tasks) => tasks.filter((one) => stateOf(one) === 'open'))
  const [first] = later
  if (!before || !after || !first || !plan.mayNeed(before.length * after.length, placeOf(first))) return
  for (const task of after)
    for (const other of before) {
      // Phases wait for each other anyway.
      if (other === task || (phaseOf.get(other) ?? 0) < (phaseOf.get(task) ?? 0)) continue
      if (isAgainst(task, other, phaseOf))
        plan.assume(
          placeOf(first),
          `task ${shown(task.id)} does not wait for ${shown(other.id)}, which comes later here`,
        )
      else waits.get(task)?.push({ other, place: placeOf(first) })
    }
}

/** The other is in a phase below, or waits for this one because it stands below it without `[P]`. */
function isAgainst(task: TaskLine, other: TaskLine, phaseOf: Context['phaseOf']): boolean {
  const [own = 0, others = 0] = [phaseOf.get(task), phaseOf.get(other)]
  return own < others || (own === others && task.line < other.line && !other.isParallel)
}

/** In the order of the file; or what is wrong with the name. */
function tasksNamed(names: Names, { plan, file, tasks, indexOf, boxless }: Context): TaskLine[] | string {
  const { first, last, line, column } = names
  const [from, to] = [indexOf.get(first), indexOf.get(last)]
  if (from === undefined || to === undefined) {
    const lost = from === undefined ? first : last
    return `${shown(lost)}, ${boxless.has(lost) ? `which has no box. ${BOX_HELP}` : 'which does not exist'}`
  }
  if (to < from) return `${shown(`${first}-${last}`)}, which goes backwards`
  return plan.mayNeed(to - from, plan.place(file, line, column)) ? tasks.slice(from, to + 1) : []
}
