// Times of a plan by its estimates, and the reasons it cannot be faster: its longest chain of tasks, and the tasks that write the
// same pattern, which follow each other.
import { medianEstimate } from '../../scheduler/graph.ts'
import { likelyMs, type Task } from '../../task.ts'
import type { TaskGraph } from './task-graph.ts'

export type BusiestClaim = {
  pattern: string
  tasks: number
  ms: number
  /** Lower bound of any schedule: with the chains before the first and after the last of them. */
  boundMs: number
}

export type PlanTimes = {
  criticalPath: { tasks: string[]; ms: number }
  totalMs: number
  /** Tasks of which none can run beside another, because of their claims. Null: there are no two of them. */
  busiestClaim: BusiestClaim | null
}

export function planTimes(tasks: readonly Task[], graph: TaskGraph): PlanTimes {
  return { ...timesWithoutClaims(tasks, graph), busiestClaim: busiestClaim(tasks, timesOf(tasks), graph) }
}

export function timesWithoutClaims(tasks: readonly Task[], graph: TaskGraph): Omit<PlanTimes, 'busiestClaim'> {
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

export function longestPath(
  tasks: readonly Task[],
  graph: TaskGraph,
  times: readonly number[],
): PlanTimes['criticalPath'] {
  const starts = chainsBefore(times, graph)
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
function busiestClaim(tasks: readonly Task[], times: readonly number[], graph: TaskGraph): BusiestClaim | null {
  const [before, after] = [chainsBefore(times, graph), chainsAfter(times, graph)]
  const written = tasks.flatMap(({ claims }, task) => [...new Set(claims.write)].map((pattern) => ({ pattern, task })))
  let best: BusiestClaim | null = null
  for (const [pattern, members] of Map.groupBy(written, (one) => one.pattern)) {
    if (members.length < 2) continue
    let [ms, beforeMs, afterMs] = [0, Infinity, Infinity]
    for (const { task } of members) {
      ms += times[task] ?? 0
      beforeMs = Math.min(beforeMs, before[task] ?? 0)
      afterMs = Math.min(afterMs, after[task] ?? 0)
    }
    const boundMs = ms + beforeMs + afterMs
    if (boundMs > (best?.boundMs ?? -1)) best = { pattern, tasks: members.length, ms, boundMs }
  }
  return best
}

export function busiestClaimText({ tasks, ms, boundMs }: BusiestClaim, pattern: string): string {
  const around = boundMs > ms ? ', with what has to come before and after them' : ''
  return `${tasks.toLocaleString('en-US')} tasks that claim ${pattern}, one after the other${around}`
}

/** Length of the longest chain before each task. */
function chainsBefore(times: readonly number[], graph: TaskGraph): Float64Array {
  const before = new Float64Array(times.length)
  for (const task of graph.order)
    for (const need of graph.before[task] ?? [])
      before[task] = Math.max(before[task] ?? 0, (before[need] ?? 0) + (times[need] ?? 0))
  return before
}

function chainsAfter(times: readonly number[], graph: TaskGraph): Float64Array {
  const after = new Float64Array(times.length)
  for (const task of graph.order.toReversed())
    for (const need of graph.before[task] ?? [])
      after[need] = Math.max(after[need] ?? 0, (after[task] ?? 0) + (times[task] ?? 0))
  return after
}
