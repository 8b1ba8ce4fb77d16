// The plan as the scheduler sees it: units and the edges between them. A unit is what starts and lands as one:
// a task, or all tasks of an epic that share a worktree. Units and claims are only ever added: units when the plan grows,
// claims after a conflict, or by `claims: extend`.
import { type Epic, likelyMs, type Plan, type Task } from '../task.ts'
import { type Claim, toClaims } from './claims/overlap.ts'
import { ANYWHERE, type Requirement, requirementOf } from './dispatch/workers.ts'
import { orderOf } from './order-and-cycles.ts'

export type Unit = {
  index: number
  members: number[]
  /** Units that have to land first, and units that only have to be settled first. */
  needs: number[]
  after: number[]
  dependents: number[]
  followers: number[]
  claims: Claim[]
  requires: Requirement
  epic: string | null
  /** Group in which the unit counts for the cap per epic. */
  group: string
  /** Highest priority of its tasks. */
  priority: number
  /** Estimated time of the unit and of the longest chain of units that depend on it. */
  remainingMs: number
}

export type Graph = {
  tasks: Task[]
  taskIndex: Map<string, number>
  epics: Map<string, Epic>
  units: Unit[]
  unitOf: number[]
  shared: Map<string, number>
  unknownMs: number
}

const UNKNOWN_ESTIMATE_MS = 10 * 60_000

export function buildGraph({ epics, tasks }: Plan): Graph {
  const unknownMs = medianEstimate(tasks)
  const none = { tasks: [], taskIndex: new Map(), epics: new Map(), units: [], unitOf: [], shared: new Map() }
  const graph: Graph = { ...none, unknownMs }
  growGraph(graph, { epics, tasks })
  return graph
}

/**
 * Grows the graph in place; returns the new units. No existing unit waits for a new one, so the cost depends on the new
 * ones alone.
 */
export function growGraph(graph: Graph, { epics, tasks }: Pick<Plan, 'epics' | 'tasks'>): Unit[] {
  const first = graph.units.length
  for (const epic of epics) graph.epics.set(epic.id, epic)
  for (const task of tasks) {
    graph.taskIndex.set(task.id, graph.tasks.length)
    joinUnit(graph, task, graph.tasks.length)
    graph.tasks.push(task)
  }
  const added = graph.units.slice(first)
  for (const unit of added) connect(unit, graph)
  for (const unit of added) if (unit.members.length > 1) unit.members = inOrder(unit.members, graph)
  measureUnits(graph, first)
  return added
}

function joinUnit(graph: Graph, { epic, group, isolation }: Task, index: number): void {
  const together = isolation === 'epic' ? epic : null
  const known = together === null ? undefined : graph.shared.get(together)
  if (known !== undefined) {
    unitAt(graph, known).members.push(index)
    graph.unitOf.push(known)
    return
  }
  const unit = graph.units.length
  const edges = { needs: [], after: [], dependents: [], followers: [] }
  const measures = { claims: [], requires: ANYWHERE, priority: 0, remainingMs: 0 }
  graph.units.push({ index: unit, members: [index], ...edges, ...measures, epic, group: group ?? epic ?? '' })
  graph.unitOf.push(unit)
  if (together !== null) graph.shared.set(together, unit)
}

function connect(unit: Unit, graph: Graph): void {
  const needs = unitsOf(unit, graph, (task) => task.needs)
  const after = unitsOf(unit, graph, (task) => task.after)
  unit.needs = [...needs]
  unit.after = [...after].filter((other) => !needs.has(other))
  for (const need of unit.needs) unitAt(graph, need).dependents.push(unit.index)
  for (const other of unit.after) unitAt(graph, other).followers.push(unit.index)
  const tasks = unit.members.map((member) => taskAt(graph, member))
  unit.claims = tasks.flatMap(({ claims }) => toClaims(claims))
  unit.requires = requirementOf(tasks)
}

function unitsOf(unit: Unit, graph: Graph, edges: (task: Task) => string[]): Set<number> {
  const found = new Set<number>()
  for (const member of unit.members) {
    for (const id of edges(taskAt(graph, member))) {
      const other = graph.unitOf[graph.taskIndex.get(id) ?? -1]
      if (other !== undefined && other !== unit.index) found.add(other)
    }
  }
  return found
}

function inOrder(members: number[], graph: Graph): number[] {
  const inside = new Set(members)
  const done = new Set<number>()
  const order: number[] = []
  const stack = [...members].reverse()
  while (stack.length > 0) {
    const index = stack.at(-1) as number
    const task = taskAt(graph, index)
    const open = [...task.needs, ...task.after]
      .map((id) => graph.taskIndex.get(id) as number)
      .filter((need) => inside.has(need) && !done.has(need))
    if (done.has(index)) stack.pop()
    else if (open.length > 0) for (const need of open.reverse()) stack.push(need)
    else {
      stack.pop()
      done.add(index)
      order.push(index)
    }
  }
  return order
}

/** Orders the units from `first` on, needs before dependents. The plan's reader has refused cycles. */
export function topologicalOrder({ units }: Graph, first = 0): number[] {
  const added = units.slice(first)
  const isAdded = (unit: number) => unit >= first
  const needs = added.map((unit) => [...unit.needs, ...unit.after].filter(isAdded))
  const behind = added.map((unit) => [...unit.dependents, ...unit.followers].map((other) => other - first))
  const order = orderOf(needs, behind)
  if (order.length !== added.length) throw new Error('the plan has a cycle that its reader did not report')
  return order.map((position) => first + position)
}

/** Computes remaining times of new units. Units they need keep theirs: a raise would go on to all units before those. */
function measureUnits(graph: Graph, first: number): void {
  for (const index of topologicalOrder(graph, first).reverse()) {
    const unit = graph.units[index] as Unit
    let longest = 0
    for (const next of [...unit.dependents, ...unit.followers])
      longest = Math.max(longest, unitAt(graph, next).remainingMs)
    const tasks = unit.members.map((member) => taskAt(graph, member))
    unit.remainingMs = longest + tasks.reduce((ms, task) => ms + (likelyMs(task) ?? graph.unknownMs), 0)
    unit.priority = tasks.reduce((most, { priority }) => Math.max(most, priority), Number.NEGATIVE_INFINITY)
  }
}

/** The order of dispatch: priority, then the longest remaining path, then the plan's order. No two have the same place. */
export function dispatchOrder(a: Unit, b: Unit): number {
  return b.priority - a.priority || b.remainingMs - a.remainingMs || a.index - b.index
}

export function edgesInto({ needs, after }: Unit): number {
  return needs.length + after.length
}

export function medianEstimate(tasks: readonly Task[]): number {
  const known = tasks.flatMap((task) => likelyMs(task) ?? []).sort((a, b) => a - b)
  return known[known.length >> 1] ?? UNKNOWN_ESTIMATE_MS
}

export function taskAt(graph: Graph, index: number): Task {
  const task = graph.tasks[index]
  if (!task) throw new Error(`no task ${index}`)
  return task
}

export function unitAt(graph: Graph, index: number): Unit {
  const unit = graph.units[index]
  if (!unit) throw new Error(`no unit ${index}`)
  return unit
}
