// Tasks and what they wait for, by index: the plan as a graph, without the units the scheduler makes of it.
import type { Task } from '../../task.ts'

export type TaskGraph = {
  before: number[][]
  /** Topological order; else the order of the plan. */
  order: number[]
  edges: number
}

/** The tasks come from a plan that was read, so there are no cycles and every name exists. */
export function taskGraph(tasks: Task[]): TaskGraph {
  const index = new Map(tasks.map((task, i) => [task.id, i]))
  const before = tasks.map((task) => {
    const names = task.after.length === 0 ? task.needs : [...new Set([...task.needs, ...task.after])]
    return names.map((name) => index.get(name) ?? -1)
  })
  const waiting = new Int32Array(tasks.length)
  const behind: number[][] = tasks.map(() => [])
  let edges = 0
  before.forEach((targets, task) => {
    waiting[task] = targets.length
    edges += targets.length
    for (const target of targets) behind[target]?.push(task)
  })
  const order: number[] = []
  for (let task = 0; task < tasks.length; task++) if (waiting[task] === 0) order.push(task)
  for (let position = 0; position < order.length; position++) {
    for (const task of behind[order[position] ?? -1] ?? []) {
      waiting[task] = (waiting[task] ?? 0) - 1
      if (waiting[task] === 0) order.push(task)
    }
  }
  if (order.length !== tasks.length) throw new Error('the plan has a cycle that its reader did not report')
  return { before, order, edges }
}

/** Level of each task, from 0: one more than the highest it waits for. */
export function levelsOf({ order, before }: TaskGraph): number[] {
  const levels = new Array<number>(order.length).fill(0)
  for (const task of order) {
    let level = 0
    for (const need of before[task] ?? []) level = Math.max(level, (levels[need] ?? 0) + 1)
    levels[task] = level
  }
  return levels
}
