// How a run could go on, for whoever is about to begin another one instead.
import type { RunSummary } from '../status.ts'

/** It is not over, or something of it did not succeed. */
export type WayOn = 'resume' | 'retry'

export function howItGoesOn({ resumable, counts }: RunSummary): WayOn | null {
  if (resumable) return 'resume'
  return counts.failed + counts.blocked + counts.cancelled > 0 ? 'retry' : null
}
