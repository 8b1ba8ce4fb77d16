// What only orders (`after`, a soft dependency) gives way: where it would close a circle it is left out, and a warning names
// it. It is decided edge by edge, in the order of the file, so that the one written last is the one that goes. What is
// left has no circle, because the needs have none (cycles.ts).

import { shown } from '../document/field.ts'
import { addWarning, type Findings } from '../document/findings.ts'
import { ring } from './cycle-text.ts'
import { type Draft, taskPath } from './draft.ts'
import { nodesInCircles } from './find-cycles.ts'
import type { Waits } from './waiting-graph.ts'

/** `at`: its place in the list `after` of the task. */
type SoftEdge = { task: number; at: number; target: number }

/** `graphs`: each with the needs alone; none of them may get a circle. Changes the tasks of the draft. */
export function dropSoftCircles(draft: Draft, graphs: readonly Waits[], findings: Findings): void {
  const soft = softEdges(draft)
  if (soft.length === 0) return
  const searches = graphs.flatMap((graph) => newSearch(graph, soft) ?? [])
  if (searches.length === 0) return
  const dropped = new Map<number, Set<number>>()
  for (const edge of soft) {
    const circle = closedCircle(edge, searches)
    if (circle) {
      dropped.set(edge.task, (dropped.get(edge.task) ?? new Set()).add(edge.at))
      warn(draft, edge, circle, findings)
    } else for (const search of searches) keep(edge, search)
  }
  for (const [index, gone] of dropped) {
    const task = draft.tasks[index]
    if (task) task.after = task.after.filter((_, at) => !gone.has(at))
  }
}

function softEdges(draft: Draft): SoftEdge[] {
  return draft.tasks.flatMap(({ id, after, needs }, task) => {
    if (after.length === 0) return []
    const hard = new Set([id, ...needs])
    return after.flatMap((name, at): SoftEdge[] => {
      const target = hard.has(name) ? undefined : draft.taskIndex.get(name)
      return target === undefined ? [] : [{ task, at, target }]
    })
  })
}

/** `suspects`: only these can be in a circle. `kept`: the needs among them, and what was let in so far. */
type Search = { graph: Waits; suspects: ReadonlySet<number>; kept: number[][]; stepsLeft: number }

/** null: with all of the edges there is no circle. */
function newSearch(graph: Waits, soft: readonly SoftEdge[]): Search | null {
  const all = graph.edges.map((targets) => [...targets])
  for (const { task, target } of soft) {
    const edge = graph.edgeOf(task, target)
    if (edge) all[edge.from]?.push(edge.to)
  }
  const suspects = nodesInCircles(all)
  if (suspects.size === 0) return null
  const kept = graph.edges.map((targets, node) => (suspects.has(node) ? targets.filter((to) => suspects.has(to)) : []))
  return { graph, suspects, kept, stepsLeft: MAX_STEPS }
}

/** Far more than circles somebody wrote take; a file made to be slow is answered in a second all the same. */
const MAX_STEPS = 3_000_000

/** Nobody knows whether there is a circle, so none is risked. */
const GIVEN_UP = 'given up'
type Circle = readonly string[] | typeof GIVEN_UP

/** What the nodes of the circle are called that the edge would close; null: it closes none. */
function closedCircle({ task, target }: SoftEdge, searches: readonly Search[]): Circle | null {
  for (const search of searches) {
    const edge = suspectEdge(task, target, search)
    const back = edge && wayBack(edge.to, edge.from, search)
    if (back === GIVEN_UP) return back
    if (back) return search.graph.names([edge.from, ...back.slice(0, -1)])
  }
  return null
}

function keep({ task, target }: SoftEdge, search: Search): void {
  const edge = suspectEdge(task, target, search)
  if (edge) search.kept[edge.from]?.push(edge.to)
}

function suspectEdge(task: number, target: number, { graph, suspects }: Search): ReturnType<Waits['edgeOf']> {
  const edge = graph.edgeOf(task, target)
  return edge && suspects.has(edge.from) && suspects.has(edge.to) ? edge : null
}

/** The nodes from one to the other, both with it; null: there is no way. */
function wayBack(start: number, end: number, search: Search): number[] | typeof GIVEN_UP | null {
  const from = new Map<number, number>([[start, start]])
  const open = [start]
  for (let at = 0; at < open.length && !from.has(end); at++) {
    const node = open[at] as number
    for (const next of search.kept[node] ?? []) {
      if (search.stepsLeft-- <= 0) return GIVEN_UP
      if (from.has(next)) continue
      from.set(next, node)
      open.push(next)
    }
  }
  if (!from.has(end)) return null
  const way = [end]
  for (let node = end; node !== start; ) {
    node = from.get(node) as number
    way.push(node)
  }
  return way.reverse()
}

function warn(draft: Draft, { task: index, at }: SoftEdge, circle: Circle, findings: Findings): void {
  const { wording, tasks } = draft
  const task = tasks[index]
  const [who, other] = [task?.id, task?.after[at]].map((id) => shown(wording.taskName(id ?? '')))
  const why =
    circle === GIVEN_UP
      ? 'because there are too many of these to find out whether that would close a circle'
      : `because that would close a circle: ${ring(circle)}`
  const message = `${wording.task} ${who} does not come after ${other}, ${why}`
  addWarning(findings, taskPath(draft, index, 'after', at), message)
}
