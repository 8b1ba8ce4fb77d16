// Tasks and what they wait for, by index: the plan as a graph, without the units the scheduler makes of it.

import { orderOf } from '../../scheduler/order-and-cycles.ts'
import type { Task } from '../../task.ts'

export type TaskGraph = {
  before: number[][]
  /** Topological order; else the order of the plan. */
  order: number[]
  edges: number
}

/** The tasks come from a plan that was read, so there are no cycles and every name exists. */
export function taskGraph(tasks: readonly Pick<Task, 'id' | 'needs' | 'after'>[]): TaskGraph {
  const index = new Map(tasks.map((task, i) => [task.id, i]))
  const before = tasks.map((task) => {
    const names = task.after.length === 0 ? task.needs : [...new Set([...task.needs, ...task.after])]
    return names.map((name) => index.get(name) ?? -1)
  })
  const order = orderOf(before)
  if (order.length !== tasks.length) throw new Error('the plan has a cycle that its reader did not report')
  return { before, order, edges: before.reduce((sum, { length }) => sum + length, 0) }
}

/** Level of each task, from 0: one more than the highest it waits for. */
export function levelsOf({ order, before }: TaskGraph): number[] {
  const levels = new Array<number>(order.length).fill(0)
  for (const task of order)
    for (const need of before[task] ?? []) levels[task] = Math.max(levels[task] ?? 0, (levels[need] ?? 0) + 1)
  return levels
}
