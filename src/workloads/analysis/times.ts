// Times of a plan by its estimates, and the reasons it cannot be faster: its longest chain of tasks, and the tasks that write the
// same pattern, which follow each other.

import { medianEstimate } from '../../scheduler/graph.ts'
import { reversed } from '../../scheduler/order-and-cycles.ts'
import { likelyMs, type Task } from '../../task.ts'
import { grouped } from '../../text/figures.ts'
import type { TaskGraph } from './task-graph.ts'

export type PlanTimes = ReturnType<typeof planTimes>

/** `busiestClaim`: tasks of which none can run beside another, because of their claims. Null: there are no two of them. */
export function planTimes(tasks: readonly Task[], graph: TaskGraph) {
  return { ...timesWithoutClaims(tasks, graph), busiestClaim: busiestClaim(tasks, timesOf(tasks), graph) }
}

export function timesWithoutClaims(tasks: readonly Task[], graph: TaskGraph) {
  const times = timesOf(tasks)
  return { criticalPath: longestPath(tasks, graph, times), totalMs: times.reduce((sum, ms) => sum + ms, 0) }
}

/** No schedule is faster than this, whatever it does. */
export function lowerBoundMs({ criticalPath, totalMs, busiestClaim }: PlanTimes, slots: number): number {
  return Math.max(criticalPath.ms, totalMs / Math.max(1, slots), busiestClaim?.boundMs ?? 0)
}

function timesOf(tasks: readonly Task[]): number[] {
  const unknown = medianEstimate(tasks)
  return tasks.map((task) => likelyMs(task) ?? unknown)
}

export function longestPath(tasks: readonly Task[], graph: TaskGraph, times: readonly number[]) {
  const starts = chains(graph.order, graph.before, times)
  const endOf = (task: number): number => (starts[task] ?? 0) + (times[task] ?? 0)
  let last = -1
  for (const task of graph.order) if (last === -1 || endOf(task) > endOf(last)) last = task
  const path: string[] = []
  for (let task = last; task !== -1; ) {
    path.push(tasks[task]?.id ?? '')
    const start = starts[task]
    task = graph.before[task]?.find((need) => endOf(need) === start) ?? -1
  }
  return { tasks: path.reverse(), ms: last === -1 ? 0 : endOf(last) }
}

/** `times`: of each task, in ms. Null: no two tasks write the same pattern. */
function busiestClaim(tasks: readonly Task[], times: readonly number[], { order, before }: TaskGraph) {
  const ahead = chains(order, before, times)
  const behind = chains(order.toReversed(), reversed(before), times)
  const written = tasks.flatMap(({ claims }, task) => [...new Set(claims.write)].map((pattern) => ({ pattern, task })))
  let best: { pattern: string; tasks: number; ms: number; boundMs: number } | null = null
  for (const [pattern, members] of Map.groupBy(written, (one) => one.pattern)) {
    if (members.length < 2) continue
    let [ms, aheadMs, behindMs] = [0, Infinity, Infinity]
    for (const { task } of members) {
      ms += times[task] ?? 0
      aheadMs = Math.min(aheadMs, ahead[task] ?? 0)
      behindMs = Math.min(behindMs, behind[task] ?? 0)
    }
    // Lower bound of any schedule: with the chains before the first and after the last of them.
    const boundMs = ms + aheadMs + behindMs
    if (boundMs > (best?.boundMs ?? -1)) best = { pattern, tasks: members.length, ms, boundMs }
  }
  return best
}

export function busiestClaimText(
  { tasks, ms, boundMs }: NonNullable<PlanTimes['busiestClaim']>,
  pattern: string,
): string {
  const around = boundMs > ms ? ', with what has to come before and after them' : ''
  return `${grouped(tasks)} tasks that claim ${pattern}, one after the other${around}`
}

/** Length of the longest chain before each task. */
function chains(order: readonly number[], before: TaskGraph['before'], times: readonly number[]): Float64Array {
  const lengths = new Float64Array(times.length)
  for (const task of order)
    for (const need of before[task] ?? [])
      lengths[task] = Math.max(lengths[task] ?? 0, (lengths[need] ?? 0) + (times[need] ?? 0))
  return lengths
}
