// What the agent of a new attempt is told of those before it.
import type { FailureReason } from '../failure.ts'
import { readTail } from '../process/supervise/output.ts'
import type { Earlier } from '../prompts/facts.ts'
import type { AttemptView } from '../status.ts'

/** The last of them that failed by its own doing, with the end of its output. */
export async function earlierFailure(
  history: readonly AttemptView[],
  attempt: number,
  outputOf: (attempt: number) => string,
): Promise<Earlier | null> {
  const failed = history.filter(
    (view) => view.attempt < attempt && view.failure && !NOBODYS_FAULT.has(view.failure.reason),
  )
  const last = failed.at(-1)
  if (!last?.failure) return null
  return {
    attempt: last.attempt,
    failure: last.failure,
    outputTail: await readTail(outputOf(last.attempt), OUTPUT_BYTES),
  }
}

/** Of a resolution only those that were to resolve the same: the conflict itself says all about the work. */
export function attemptsBefore(
  history: readonly AttemptView[],
  base: string,
  resolves: { commit: string } | null,
): readonly AttemptView[] {
  return resolves?.commit === base ? history.filter((view) => view.base === base) : history
}

/** Nothing an agent could do better the next time. */
const NOBODYS_FAULT: ReadonlySet<FailureReason> = new Set([
  'interrupted',
  'supervisor-lost',
  'rate-limited',
  'provider-unreachable',
  'login-failed',
  'budget',
])
const OUTPUT_BYTES = 4_000
