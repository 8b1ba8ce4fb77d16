// The fact an attempt ends with.
import type { Fact } from '../event.ts'
import type { Failure } from '../failure.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { touchedBy } from '../scheduler/claims/undeclared.ts'
import type { Check, Fix } from '../status.ts'
import { outcomeOf, withNotes } from './end.ts'
import { keptText } from './kept-text.ts'
import { type AttemptSpec, claimsOf, priced } from './order.ts'
import { flaggedBy } from './protected-paths.ts'
import type { AgentRecord } from './watch/agent-record.ts'

export type Finished = Extract<Fact, { type: 'attempt.finished' }>

export type End = {
  failed: Failure | null
  snapshot: Snapshot | undefined
  record: AgentRecord
  /** What its agent told the task manager when it was done. */
  done: string | null
  notes: readonly string[]
  checks: Check[]
  fixes: Fix[]
  lessons: string[]
}

export function finishedFact(spec: AttemptSpec, { failed, snapshot, record, done, notes, ...seen }: End): Finished {
  const { task, attempt, agent, engine } = spec
  const { last, session, count } = record
  const commit = snapshot?.commit ?? null
  const usage = record.usage(agent.counters)
  const summary = last?.summary ?? done
  return {
    type: 'attempt.finished',
    task: task.id,
    attempt,
    outcome: failed ? outcomeOf(failed) : commit ? 'changed' : 'no-change',
    commit,
    diff: snapshot && commit ? snapshot.diff : null,
    usage: usage && priced(usage, spec, session?.model ?? null),
    limitedUntil: last?.limited?.until ?? null,
    // Some never say which model they use: then it is the one they were asked to use.
    session: session && { agent: agent.name, ...session, model: session.model ?? spec.model },
    ...(count > 1 ? { iterations: count } : {}),
    ...(seen.checks.length > 0 ? { checks: seen.checks } : {}),
    ...(seen.fixes.length > 0 ? { fixes: seen.fixes } : {}),
    ...(seen.lessons.length > 0 ? { lessons: seen.lessons } : {}),
    ...touchedBy(claimsOf(spec), snapshot?.paths ?? []),
    ...flaggedBy(task, snapshot?.paths ?? [], engine.user.hooks),
    ...withNotes({ failure: failed && { ...failed, message: keptText(failed.message, spec.secrets) }, summary }, notes),
  }
}
