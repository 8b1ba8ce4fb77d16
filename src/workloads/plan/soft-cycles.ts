// Drops `after` edges that are part of a cycle, with a warning each.

import { nodesInCircles } from '../../scheduler/find-cycles.ts'
import { shown } from '../document/field.ts'
import { addWarning, type Findings } from '../document/findings.ts'
import { type Draft, taskPath } from './draft.ts'
import type { Waits } from './waiting-graph.ts'

type SoftEdge = { task: number; position: number; target: number }

/** `graphs`: each with the needs alone; none of them may get a circle. Changes the tasks of the draft. */
export function dropSoftCircles(draft: Draft, graphs: readonly Waits[], findings: Findings): void {
  const soft = softEdges(draft)
  if (soft.length === 0) return
  const dropped = new Set(graphs.flatMap((graph) => edgesInCircles(graph, soft)))
  for (const edge of soft) if (dropped.has(edge)) warn(draft, edge, findings)
  for (const [index, gone] of Map.groupBy(dropped, ({ task }) => task)) {
    const task = draft.tasks[index]
    const places = new Set(gone.map(({ position: at }) => at))
    if (task) task.after = task.after.filter((_, position) => !places.has(position))
  }
}

function softEdges(draft: Draft): SoftEdge[] {
  return draft.tasks.flatMap(({ id, after, needs }, task) => {
    if (after.length === 0) return []
    const hard = new Set([id, ...needs])
    return after.flatMap((name, position): SoftEdge[] => {
      const target = hard.has(name) ? undefined : draft.taskIndex.get(name)
      return target === undefined ? [] : [{ task, position: position, target }]
    })
  })
}

function edgesInCircles(graph: Waits, soft: readonly SoftEdge[]): SoftEdge[] {
  const all = graph.edges.map((targets) => [...targets])
  const known = soft.flatMap((edge) => {
    const nodes = graph.edgeOf(edge.task, edge.target)
    return nodes ? [{ edge, ...nodes }] : []
  })
  for (const { from, to } of known) all[from]?.push(to)
  const circles = nodesInCircles(all)
  return known.flatMap(({ edge, from, to }) => (circles.has(from) && circles.has(to) ? [edge] : []))
}

function warn(draft: Draft, { task: index, position: at }: SoftEdge, findings: Findings): void {
  const { wording, tasks } = draft
  const task = tasks[index]
  const [who, other] = [task?.id, task?.after[at]].map((id) => shown(wording.taskName(id ?? '')))
  const message = `${wording.task} ${who} does not come after ${other}, because they wait for each other in a circle`
  addWarning(findings, taskPath(draft, index, 'after', at), message)
}
