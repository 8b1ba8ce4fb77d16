// What can be said about a plan before it runs: its levels and waves, how long it takes at best, what holds it up.
// Linear in the size of the plan, but for the claims, where the amount of looking is limited.
import { medianEstimate } from '../scheduler/graph.ts'
import { assignWaves } from '../scheduler/waves.ts'
import type { Plan, Task } from '../task.ts'
import { type ClaimConflicts, findClaimConflicts } from './claim-conflicts.ts'
import { type TaskGraph, taskGraph } from './task-graph.ts'

export type PlanAnalysis = {
  tasks: number
  /** Needs and afters, each counted once. */
  edges: number
  /** Level n holds what waits for something in level n - 1: the widest possible parallelism, claims left aside. */
  levels: string[][]
  /** The same batch by batch, where no two tasks of a batch claim the same paths. */
  waves: string[][]
  /** The chain of tasks that takes longest. */
  criticalPath: { tasks: string[]; ms: number }
  /** One task after the other. */
  totalMs: number
  /** No schedule is faster than this with so many slots. */
  lowerBoundMs: number
  slots: number
  /** Tasks without an estimate: the median of the others is taken for them, or ten minutes. */
  estimated: number
} & ClaimConflicts

export function analysePlan(plan: Plan, slots: number): PlanAnalysis {
  const graph = taskGraph(plan.tasks)
  const unknown = medianEstimate(plan.tasks)
  const times = plan.tasks.map((task) => task.estimateMs ?? unknown)
  const totalMs = times.reduce((sum, ms) => sum + ms, 0)
  const criticalPath = longestPath(plan.tasks, graph, times)
  return {
    tasks: plan.tasks.length,
    edges: graph.edges,
    levels: grouped(plan.tasks, levelsOf(graph)),
    waves: grouped(plan.tasks, assignWaves(plan)),
    criticalPath,
    totalMs,
    lowerBoundMs: Math.max(criticalPath.ms, totalMs / Math.max(1, slots)),
    slots,
    estimated: plan.tasks.filter((task) => task.estimateMs === null).length,
    ...findClaimConflicts(plan.tasks, graph),
  }
}

function levelsOf({ order, before }: TaskGraph): number[] {
  const levels = new Array<number>(order.length).fill(0)
  for (const task of order) {
    let level = 0
    for (const need of before[task] ?? []) level = Math.max(level, (levels[need] ?? 0) + 1)
    levels[task] = level
  }
  return levels
}

function longestPath(tasks: Task[], { order, before }: TaskGraph, times: number[]): { tasks: string[]; ms: number } {
  const end = new Float64Array(order.length)
  const via = new Int32Array(order.length).fill(-1)
  let last = -1
  for (const task of order) {
    let start = 0
    for (const need of before[task] ?? []) {
      const ends = end[need] ?? 0
      if (ends > start || via[task] === -1) {
        start = ends
        via[task] = need
      }
    }
    end[task] = start + (times[task] ?? 0)
    if (last === -1 || (end[task] ?? 0) > (end[last] ?? 0)) last = task
  }
  const path: string[] = []
  for (let task = last; task !== -1; task = via[task] ?? -1) path.push(tasks[task]?.id ?? '')
  return { tasks: path.reverse(), ms: last === -1 ? 0 : (end[last] ?? 0) }
}

/** Ids by the number of their group, in the order of the plan. */
function grouped(tasks: Task[], groups: number[]): string[][] {
  const result: string[][] = []
  tasks.forEach((task, i) => {
    const group = groups[i] ?? 0
    while (result.length <= group) result.push([])
    result[group]?.push(task.id)
  })
  return result
}
