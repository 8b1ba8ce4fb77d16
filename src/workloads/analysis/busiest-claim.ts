// Tasks that write the same pattern follow each other: no schedule is faster than all of them together.
import type { Task } from '../../task.ts'
import type { TaskGraph } from './task-graph.ts'

export type BusiestClaim = {
  pattern: string
  tasks: number
  ms: number
  /** Lower bound of any schedule: with the chains before the first and after the last of them. */
  boundMs: number
}

/** `times`: of each task, in ms. Null: no two tasks write the same pattern. */
export function busiestClaim(tasks: readonly Task[], times: readonly number[], graph: TaskGraph): BusiestClaim | null {
  const { before, after } = chainsAround(times, graph)
  const writers = new Map<string, number[]>()
  tasks.forEach(({ claims: { write } }, task) => {
    for (const pattern of new Set(write)) {
      const known = writers.get(pattern)
      if (known) known.push(task)
      else writers.set(pattern, [task])
    }
  })
  let best: BusiestClaim | null = null
  for (const [pattern, members] of writers) {
    if (members.length < 2) continue
    let [ms, beforeMs, afterMs] = [0, Infinity, Infinity]
    for (const task of members) {
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

/** Longest chains before and after each task. */
function chainsAround(times: readonly number[], graph: TaskGraph): { before: Float64Array; after: Float64Array } {
  const before = new Float64Array(times.length)
  const after = new Float64Array(times.length)
  for (const task of graph.order)
    for (const need of graph.before[task] ?? [])
      before[task] = Math.max(before[task] ?? 0, (before[need] ?? 0) + (times[need] ?? 0))
  for (const task of graph.order.toReversed())
    for (const need of graph.before[task] ?? [])
      after[need] = Math.max(after[need] ?? 0, (after[task] ?? 0) + (times[task] ?? 0))
  return { before, after }
}
