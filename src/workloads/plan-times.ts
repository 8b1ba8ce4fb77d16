// How long a plan takes by its estimates, and why it cannot be faster: the longest chain of tasks, the work there is, and
// the tasks that all write to the same place, one after the other.
import { medianEstimate } from '../scheduler/graph.ts'
import type { Task } from '../task.ts'
import type { TaskGraph } from './task-graph.ts'

export type PlanTimes = {
  /** The chain of tasks that takes longest. */
  criticalPath: { tasks: string[]; ms: number }
  /** One task after the other. */
  totalMs: number
  /** The claim whose tasks take longest together: none of them can run beside another. Null: no two share one. */
  busiestClaim: { pattern: string; tasks: number; ms: number } | null
}

export function planTimes(tasks: Task[], graph: TaskGraph): PlanTimes {
  const unknown = medianEstimate(tasks)
  const times = tasks.map((task) => task.estimateMs ?? unknown)
  return {
    criticalPath: longestPath(tasks, graph, times),
    totalMs: times.reduce((sum, ms) => sum + ms, 0),
    busiestClaim: busiestClaim(tasks, times),
  }
}

/** No schedule is faster than this, whatever it does. */
export function lowerBoundMs({ criticalPath, totalMs, busiestClaim }: PlanTimes, slots: number): number {
  return Math.max(criticalPath.ms, totalMs / Math.max(1, slots), busiestClaim?.ms ?? 0)
}

/** Only claims that are written alike are counted: whoever writes one of them keeps all others of it waiting. */
function busiestClaim(tasks: Task[], times: number[]): PlanTimes['busiestClaim'] {
  const claims = new Map<string, { tasks: number; ms: number }>()
  tasks.forEach(({ claims: { write } }, at) => {
    for (const pattern of new Set(write)) {
      const { tasks: count, ms } = claims.get(pattern) ?? { tasks: 0, ms: 0 }
      claims.set(pattern, { tasks: count + 1, ms: ms + (times[at] ?? 0) })
    }
  })
  let most: PlanTimes['busiestClaim'] = null
  for (const [pattern, claim] of claims)
    if (claim.tasks > 1 && claim.ms > (most?.ms ?? -1)) most = { pattern, ...claim }
  return most
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
