// The fact an attempt ends with.

import { LIMITS } from '../config.ts'
import type { AttemptResult, Check, Failure } from '../event.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { outcomeOf } from '../outcome-of-failure.ts'
import { keptText } from '../process/secrets.ts'
import { touchedBy } from '../scheduler/claims/touched-paths.ts'
import { UNKNOWN_COST } from '../usage.ts'
import type { AttemptContext } from './attempt-context.ts'
import type { AttemptFinished } from './attempt-order.ts'
import { withNotes } from './exit-failures.ts'
import { flaggedBy } from './inspect-work.ts'
import type { AgentRecord } from './watch/agent-usage.ts'

export type FailedIteration = { failure: Failure; snapshot: Snapshot | undefined }

type End = {
  failed: Failure | null
  snapshot: Snapshot | undefined
  record: AgentRecord
  done: string | null
  notes: readonly string[]
  checks: Check[]
  before: readonly FailedIteration[]
  lessons: string[]
  result: AttemptResult | null
}

export function finishedFact(context: AttemptContext, end: End): AttemptFinished {
  const { order, agent, claims, secrets } = context
  const { failed, snapshot, record, checks, lessons } = end
  const { last, session, count } = record
  const commit = snapshot?.commit ?? null
  const paths = snapshot?.paths ?? []
  const usage = record.usage() ?? (record.hasAsked && isPaidFor(context) ? UNKNOWN_COST : null)
  const summary = last?.summary ?? end.done
  const fixes = failed ? [] : fixesOf(end.before, paths)
  return {
    type: 'attempt.finished',
    task: order.task.id,
    attempt: order.attempt,
    outcome: failed ? outcomeOf(failed) : commit ? 'changed' : 'no-change',
    commit,
    diff: snapshot && commit ? snapshot.diff : null,
    usage,
    limitedUntil: last?.limited?.until ?? null,
    // Some agents never name their model.
    session: session && { agent: agent.name, ...session, model: session.model ?? order.model },
    ...(count > 1 ? { iterations: count } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    ...(fixes.length > 0 ? { fixes } : {}),
    ...(lessons.length > 0 ? { lessons } : {}),
    ...(end.result ? { result: end.result } : {}),
    ...touchedBy(claims, paths),
    ...flaggedBy(order.task, paths, order.hooks),
    ...withNotes({ failure: failed && { ...failed, message: keptText(failed.message, secrets) }, summary }, end.notes),
  }
}

/**
 * Whether the agent costs money, reported or not. A program of the user's own may or may not: it counts only under a
 * budget.
 */
function isPaidFor({ agent, order, budget }: AttemptContext): boolean {
  if (order.task.work.kind === 'command') return false
  return agent.name !== 'command' || budget.tightestUsd !== null
}

/** Files that made failed checks pass: those changed only after the failure; if there are none, all. */
function fixesOf(failed: readonly FailedIteration[], paths: readonly string[]) {
  return failed
    .filter(({ failure }) => failure.reason === 'verify-failed')
    .map(({ failure: { message }, snapshot }) => {
      const old = new Set(snapshot?.paths ?? [])
      const fresh = paths.filter((path) => !old.has(path))
      return { message, paths: (fresh.length > 0 ? fresh : paths).slice(0, LIMITS.failurePaths) }
    })
}
