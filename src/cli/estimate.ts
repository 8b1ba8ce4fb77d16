// When a run may be finished, from how long its finished attempts took. A guess, and always shown as `about`.

type Workload = {
  measured: { count: number; totalMs: number }
  /** How long the running attempts have been at it. */
  runningMs: number[]
  /** Tasks that have still to start. */
  waiting: number
  slots: number
}

/** Null while nothing has finished yet, or nothing is left. */
export function estimateLeftMs({ measured, runningMs, waiting, slots }: Workload): number | null {
  const tasksLeft = runningMs.length + waiting
  if (measured.count === 0 || tasksLeft === 0) return null
  const meanMs = measured.totalMs / measured.count
  const rests = runningMs.map((elapsedMs) => Math.max(0, meanMs - elapsedMs))
  const workMs = rests.reduce((sum, restMs) => sum + restMs, waiting * meanMs)
  return rests.reduce((longest, restMs) => Math.max(longest, restMs), workMs / Math.min(slots, tasksLeft))
}
