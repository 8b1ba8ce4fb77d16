// The fact an attempt ends with.
import { LIMITS } from '../config.ts'
import { outcomeOf } from '../ended-attempt.ts'
import type { Failure } from '../event.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { keptText } from '../process/secrets.ts'
import { touchedBy } from '../scheduler/claims/undeclared.ts'
import { UNKNOWN_COST } from '../usage.ts'
import type { AttemptResult, Check, Fix } from '../view.ts'
import type { AttemptContext } from './attempt-context.ts'
import type { AttemptFinished } from './attempt-order.ts'
import { withNotes } from './how-attempt-ended.ts'
import { flaggedBy } from './inspect-work.ts'
import type { AgentRecord } from './watch/agent-totals.ts'

/** A process of the agent whose work its checks did not let pass. */
export type FailedIteration = { failure: Failure; snapshot: Snapshot | undefined }

type End = {
  failed: Failure | null
  snapshot: Snapshot | undefined
  record: AgentRecord
  /** What its agent told the task manager when it was done. */
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
  const usage = record.usage(context) ?? (record.hasAsked && isPaidFor(context) ? UNKNOWN_COST : null)
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
    // Some never say which model they use: then it is the one they were asked to use.
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
 * An agent that asks a model costs money, whether it tells that or not. Of one's own program nobody knows whether it does:
 * that counts only where there is a budget.
 */
function isPaidFor({ agent, order, budget }: AttemptContext): boolean {
  if (order.task.work.kind === 'command') return false
  return agent.name !== 'command' || budget.tightestUsd !== null
}

/** What put failed checks right: the files that were changed only after they failed; where there are none, all of them. */
function fixesOf(failed: readonly FailedIteration[], paths: readonly string[]): Fix[] {
  return failed
    .filter(({ failure }) => failure.reason === 'verify-failed')
    .map(({ failure: { message }, snapshot }) => {
      const old = new Set(snapshot?.paths ?? [])
      const fresh = paths.filter((path) => !old.has(path))
      return { message, paths: (fresh.length > 0 ? fresh : paths).slice(0, LIMITS.failurePaths) }
    })
}
