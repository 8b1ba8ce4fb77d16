// Adds tasks to the plan of a running run. Graph, waves, budgets and queues grow in place. Part of `apply`.
//
// Properties
// - The cost depends on the new tasks, times the logarithm of the old ones: no old task is visited or changed.
// - New tasks may wait for each other and for old ones, whatever their state; never the other way round.
//   So all earlier decisions would have been the same.
// - A new task is blocked at once if one of its needs did not succeed; the failure names that need (I15).
// - The place of new tasks in the order of dispatch follows from the events alone (I14): see `measureUnits` in graph.ts.
import type { AddedTasks, EventOf } from '../../event.ts'
import { ID_PATTERN, type Task } from '../../task.ts'
import { growLedger } from '../budgets/ledger.ts'
import { type Graph, growGraph, topologicalOrder, unitAt } from '../graph.ts'
import { findCycles } from '../order-and-cycles.ts'
import { newTaskRecord, newUnitState, type RunState } from '../state.ts'
import { stoppedForGood } from './stop.ts'
import { advanceWave, enter } from './transitions.ts'

/** Adds tasks that `checkAdded` accepted before they were written to the journal. */
export function grow(state: RunState, event: EventOf<'tasks.added'>): void {
  const { graph, counts } = state
  const first = graph.units.length
  const added = growGraph(graph, event)
  for (const _ of event.tasks) {
    // Searches show all queued tasks, so the views of new ones are written at once.
    if (state.kind === 'search') state.changed.add(state.tasks.length)
    state.tasks.push(newTaskRecord(event.at))
  }
  for (const unit of added) state.units.push(newUnitState(unit))
  counts.total += event.tasks.length
  counts.pending += event.tasks.length
  growLedger(state.ledger, event)
  state.waves?.place(added)
  // Needs first: a blocked unit blocks those after it.
  for (const index of topologicalOrder(graph, first)) enter(state, unitAt(graph, index), event.at)
  advanceWave(state)
}

/**
 * The reasons to refuse these tasks: a journal with them could not be replayed, or its run would never end. An epic whose tasks
 * share a worktree cannot grow: it lands as one unit, so everything that waits for it would also wait for the new task.
 */
export function checkAdded(state: RunState, { tasks, epics }: AddedTasks): string[] {
  if (state.finished !== null) return [`the run is ${state.finished}: nothing can be added to it`]
  if (stoppedForGood(state)) return ['the run is being stopped: nothing can be added to it']
  if (tasks.length === 0) return ['there is no task to add']
  const { graph } = state
  const problems = [
    ...badNames(epics, 'an epic', graph.epics),
    ...badNames(tasks, 'a task', graph.taskIndex),
    ...badReferences(graph, { tasks, epics }),
    ...tooManyUsed(state, tasks),
  ]
  // Cycles are searched only if all names are known.
  return problems.length > 0 ? problems : circles(tasks)
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
  const { resources } = workers.local
  return tasks.flatMap(({ id, uses = {} }) =>
    Object.entries(uses)
      .filter(([name, count]) => count > resources.countOf(name))
      .map(([name, count]) => `${id} uses ${count} of ${name}, and the plan has ${resources.countOf(name)}`),
  )
}

/** Names one cycle of tasks or units. Old tasks wait for no new one, so they are in none. */
function circles(tasks: readonly Task[]): string[] {
  const unitOf = new Map(
    tasks.map(({ id, epic, isolation }) => [id, isolation === 'epic' && epic ? `epic ${epic}` : id]),
  )
  const waits = tasks.flatMap(({ id, needs, after }) => [...needs, ...after].map((other): Wait => [id, other]))
  const ofUnits = waits.map(([one, other]): Wait => [unitOf.get(one) ?? one, unitOf.get(other) ?? other])
  const between = ofUnits.filter(([one, other]) => one !== other)
  const circle = circleIn(unitOf.keys(), waits) ?? circleIn(unitOf.values(), between)
  return circle ? [`these wait for each other: ${circle.join(' → ')}`] : []
}

type Wait = readonly [name: string, waitsFor: string]

function circleIn(all: Iterable<string>, waits: readonly Wait[]): string[] | null {
  const names = [...new Set(all)]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const edges = Map.groupBy(waits, ([name]) => name)
  const numbered = names.map((name) => (edges.get(name) ?? []).flatMap(([, other]) => numbers.get(other) ?? []))
  const [circle] = findCycles(numbered, 1).cycles
  return circle ? [...circle, ...circle.slice(0, 1)].map((number) => names[number] as string) : null
}
