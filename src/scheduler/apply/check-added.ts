// Checks tasks that are added to a running plan: a journal with a bad `tasks.added` could not be replayed, or its run would
// never end. An epic whose tasks share a worktree cannot grow: it lands as one unit, so everything that waits for it would also
// wait for the new task.
import type { AddedTasks } from '../../event.ts'
import { ID_PATTERN, type Task } from '../../task.ts'
import type { Graph } from '../graph.ts'
import type { RunState } from '../state.ts'
import { stoppedForGood } from './stop.ts'

export function checkAdded(state: RunState, { tasks, epics }: AddedTasks): string[] {
  const over = whyOver(state)
  if (over !== null) return [over]
  if (tasks.length === 0) return ['there is no task to add']
  const { graph } = state
  const problems = [
    ...badNames(epics, 'an epic', graph.epics),
    ...badNames(tasks, 'a task', graph.taskIndex),
    ...badReferences(graph, { tasks, epics }),
    ...tooManyUsed(state, tasks),
  ]
  // A circle is looked for among names that are good.
  return problems.length > 0 ? problems : circles(tasks)
}

function whyOver(state: RunState): string | null {
  if (state.finished !== null) return `the run is ${state.finished}: nothing can be added to it`
  return stoppedForGood(state) ? 'the run is being stopped: nothing can be added to it' : null
}

function badNames(added: readonly { id: string }[], what: string, known: ReadonlyMap<string, unknown>): string[] {
  const seen = new Set<string>()
  return added.flatMap(({ id }) => {
    const isTwice = seen.has(id)
    seen.add(id)
    if (!ID_PATTERN.test(id)) return `${JSON.stringify(id)} is no name for ${what}`
    if (known.has(id)) return `the run has ${what} ${id} already`
    return isTwice ? `${id} is added twice` : []
  })
}

function badReferences(graph: Graph, { tasks, epics }: AddedTasks): string[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const groups = new Set(epics.map(({ id }) => id))
  return tasks.flatMap(({ id, epic, isolation, needs, after, from }) => {
    const unknown = [...needs, ...after].filter((other) => !ids.has(other) && !graph.taskIndex.has(other))
    const problems = unknown.map((other) => `${id} waits for ${other}, which the run does not have`)
    if (from !== undefined && !needs.includes(from)) problems.push(`${id} begins with ${from}, which it does not need`)
    if (epic === null) return problems
    if (!groups.has(epic) && !graph.epics.has(epic))
      problems.push(`${id} is of epic ${epic}, which the run does not have`)
    if (isolation === 'epic' && graph.shared.has(epic))
      problems.push(`${id} cannot join epic ${epic}: its tasks share a worktree and land together, without new ones`)
    return problems
  })
}

function tooManyUsed({ workers }: RunState, tasks: readonly Task[]): string[] {
  return tasks.flatMap(({ id, uses }) =>
    Object.entries(uses ?? {})
      .filter(([name, count]) => count > workers.local.resources.countOf(name))
      .map(
        ([name, count]) => `${id} uses ${count} of ${name}, and the plan has ${workers.local.resources.countOf(name)}`,
      ),
  )
}

/** One is named, of tasks or of what lands together. What was there waits for nothing new, so it is in none. */
function circles(tasks: readonly Task[]): string[] {
  const unitOf = new Map(
    tasks.map(({ id, epic, isolation }) => [id, isolation === 'epic' && epic ? `epic ${epic}` : id]),
  )
  const single = new Map(tasks.map(({ id, needs, after }) => [id, [...needs, ...after]]))
  const units = new Map<string, string[]>()
  for (const [id, waits] of single) {
    const unit = unitOf.get(id) as string
    const others = units.get(unit) ?? []
    units.set(unit, others)
    for (const other of waits.map((one) => unitOf.get(one) ?? one)) if (other !== unit) others.push(other)
  }
  const circle = circleIn(single) ?? circleIn(units)
  return circle ? [`these wait for each other: ${circle.join(' → ')}`] : []
}

/** `waits`: by name, what it waits for; names that are not in it wait for nothing. */
function circleIn(waits: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  for (const start of waits.keys()) {
    // The way here, each with what is still to be looked at.
    const way: { name: string; left: string[] }[] = []
    const onWay = new Set<string>()
    const enter = (name: string) => {
      way.push({ name, left: [...(waits.get(name) ?? [])] })
      onWay.add(name)
    }
    if (!done.has(start)) enter(start)
    for (let last = way.at(-1); last; last = way.at(-1)) {
      const next = last.left.pop()
      if (next === undefined) {
        done.add(last.name)
        onWay.delete(last.name)
        way.pop()
      } else if (onWay.has(next)) {
        const names = way.map(({ name }) => name)
        return [...names.slice(names.indexOf(next)), next]
      } else if (!done.has(next)) enter(next)
    }
  }
  return null
}
