// The end of an attempt: its outcome by the reason of its failure, and the fact of an attempt that left no work.
import type { Fact, Failure } from './event.ts'
import type { Outcome } from './status.ts'
import type { Usage } from './usage.ts'

export function outcomeOf({ reason }: Failure): Outcome {
  if (reason === 'timeout' || reason === 'stalled') return 'timeout'
  if (reason === 'no-change') return 'no-change'
  if (reason === 'refused' || reason === 'rate-limited' || reason === 'budget') return reason
  if (reason === 'cancelled' || reason === 'interrupted' || reason === 'strict-stop') return 'cancelled'
  return CRASHES.has(reason) ? 'crashed' : 'failed'
}

/** The agent did not come to an end of its own. */
const CRASHES: ReadonlySet<Failure['reason']> = new Set([
  ...(['agent-crashed', 'supervisor-lost', 'worker-lost', 'worktree-broken', 'engine-failed'] as const),
])

export function endedWithoutWork(
  { task, attempt }: { task: string; attempt: number },
  failure: Failure,
  usage: Usage | null = null,
): Extract<Fact, { type: 'attempt.finished' }> {
  const nothing = { commit: null, diff: null, summary: null }
  return { type: 'attempt.finished', task, attempt, outcome: outcomeOf(failure), failure, usage, ...nothing }
}
