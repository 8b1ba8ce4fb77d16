// Times of a plan by its estimates, and the reason it cannot be faster.
import { medianEstimate } from '../../scheduler/graph.ts'
import { likelyMs, type Task } from '../../task.ts'
import { type BusiestClaim, busiestClaim } from './busiest-claim.ts'
import type { TaskGraph } from './task-graph.ts'

export type PlanTimes = {
  criticalPath: { tasks: string[]; ms: number }
  totalMs: number
  /** Tasks of which none can run beside another, because of their claims. Null: there are no two of them. */
  busiestClaim: BusiestClaim | null
}

export function planTimes(tasks: Task[], graph: TaskGraph): PlanTimes {
  return { ...timesWithoutClaims(tasks, graph), busiestClaim: busiestClaim(tasks, timesOf(tasks), graph) }
}

export function timesWithoutClaims(tasks: Task[], graph: TaskGraph): Omit<PlanTimes, 'busiestClaim'> {
  const times = timesOf(tasks)
  return { criticalPath: longestPath(tasks, graph, times), totalMs: times.reduce((sum, ms) => sum + ms, 0) }
}

/** No schedule is faster than this, whatever it does. */
export function lowerBoundMs({ criticalPath, totalMs, busiestClaim }: PlanTimes, slots: number): number {
  return Math.max(criticalPath.ms, totalMs / Math.max(1, slots), busiestClaim?.boundMs ?? 0)
}

function timesOf(tasks: Task[]): number[] {
  const unknown = medianEstimate(tasks)
  return tasks.map((task) => likelyMs(task) ?? unknown)
}

export function longestPath(
  tasks: Task[],
  { order, before }: TaskGraph,
  times: number[],
): { tasks: string[]; ms: number } {
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
