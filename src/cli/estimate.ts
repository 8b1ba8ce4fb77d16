// When a run may be finished, from how long its finished attempts took. A guess, and always shown as `about`; where
// there is nothing to guess from, or the guess has proved wrong, nothing is shown.
import type { TaskView } from '../status.ts'

type Workload = {
  measured: { count: number; totalMs: number }
  /** How long the running attempts have been at it. */
  runningMs: number[]
  /** Tasks that have still to start. */
  waiting: number
  /** The longest chain of them in which each needs the one before. */
  chain: number
  slots: number
}

/** Less than this is as good as now. */
const SHORTEST_MS = 1_000

/** Null while nothing has finished yet, when nothing is left, or when the last ones take longer than was guessed. */
export function estimateLeftMs({ measured, runningMs, waiting, chain, slots }: Workload): number | null {
  const tasksLeft = runningMs.length + waiting
  if (measured.count === 0 || tasksLeft === 0) return null
  const meanMs = measured.totalMs / measured.count
  if (waiting === 0 && runningMs.some((elapsedMs) => elapsedMs >= meanMs)) return null
  const rests = runningMs.map((elapsedMs) => Math.max(0, meanMs - elapsedMs))
  const workMs = rests.reduce((sum, restMs) => sum + restMs, waiting * meanMs)
  const spreadMs = Math.max(chain * meanMs, workMs / Math.min(slots, tasksLeft))
  const leftMs = rests.reduce((longest, restMs) => Math.max(longest, restMs), spreadMs)
  return leftMs < SHORTEST_MS ? null : leftMs
}

/** How many tasks that have still to start stand in the longest chain of needs. */
export function waitingChain(tasks: readonly Pick<TaskView, 'id' | 'status' | 'needs'>[]): number {
  const waiting = tasks.filter(({ status }) => status === 'pending' || status === 'ready')
  const missing = new Map(waiting.map(({ id }) => [id, 0]))
  const dependents = new Map<string, string[]>()
  for (const { id, needs } of waiting) {
    const left = needs.filter((need) => missing.has(need))
    missing.set(id, left.length)
    for (const need of left) {
      const known = dependents.get(need)
      if (known) known.push(id)
      else dependents.set(need, [id])
    }
  }
  let chain = 0
  let level = waiting.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id)
  for (; level.length > 0; chain++) {
    const next: string[] = []
    for (const id of level.flatMap((one) => dependents.get(one) ?? [])) {
      const left = (missing.get(id) ?? 0) - 1
      missing.set(id, left)
      if (left === 0) next.push(id)
    }
    level = next
  }
  return chain
}
