// Facts that come too late, or a second time: they are not written to the journal.
import type { Fact } from '../../event.ts'
import { isHeard } from '../../scheduler/apply/agent-notes.ts'
import { isAnswer } from '../../scheduler/landing/conflict.ts'
import { type RunState, record } from '../../scheduler/state.ts'

/** A result of an attempt that is not the one alive is refused (I2), and so is what is known of it already. */
export function isStale(state: RunState, fact: Fact): boolean {
  if (fact.type === 'task.resolved') return !isAnswer(state, fact)
  if (fact.type === 'claims.held') return state.holds.has(fact.hold)
  if (fact.type === 'claims.released') return !state.holds.has(fact.hold)
  if (fact.type === 'attempt.noted' || fact.type === 'attempt.asked') return !isHeard(state, fact)
  if (!OF_ONE_ATTEMPT.has(fact.type) || !('task' in fact && 'attempt' in fact)) return false
  const current = record(state, state.graph.taskIndex.get(fact.task) ?? -1).state
  if (current.status !== 'running' || current.attempt !== fact.attempt) return true
  if (fact.type === 'attempt.stalled') return current.stalledSince !== null || current.stopping !== null
  return fact.type === 'attempt.stirred' && current.stalledSince === null && current.stopping !== 'budget'
}

const OF_ONE_ATTEMPT: ReadonlySet<Fact['type']> = new Set([
  'attempt.finished',
  'attempt.stalled',
  'attempt.stirred',
  'attempt.spent',
])
