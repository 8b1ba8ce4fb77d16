// What the outside sees, derived from the state.
import type { Fact } from '../event.ts'
import type { RunSummary, TaskView } from '../status.ts'
import type { Decision } from './decide.ts'
import { taskAt } from './graph.ts'
import { type RunState, record } from './state.ts'

export function taskView(state: RunState, index: number): TaskView {
  const { id, title, epic, needs } = taskAt(state.graph, index)
  const { state: current, history } = record(state, index)
  const first = history[0]
  const last = history.at(-1)
  const startedAt = first?.startedAt ?? null
  const finishedAt = 'at' in current ? current.at : null
  return {
    id,
    title,
    epic,
    needs,
    status: current.status,
    outcome: last?.outcome ?? null,
    attempts: history.length,
    startedAt,
    finishedAt,
    durationMs: startedAt !== null && finishedAt !== null ? finishedAt - startedAt : null,
    landedCommit: current.status === 'landed' ? current.commit : null,
    landedAt: current.status === 'landed' ? current.at : null,
    failure: 'failure' in current ? current.failure : null,
    retryAt: current.status === 'pending' ? current.retryAt : null,
    stalledSince: current.status === 'running' ? current.stalledSince : null,
    history,
  }
}

/** What only the engine knows of a run. */
export type RunFacts = { run: string; name: string; repo: string; enginePid: number }

/** Everything but the tasks: costs the same for ten tasks and for 100,000. */
export function runSummary(state: RunState, facts: RunFacts): RunSummary {
  return {
    ...facts,
    status: state.finished ?? 'running',
    resumable: isResumable(state),
    branch: state.branch,
    base: state.base,
    head: state.head,
    startedAt: state.startedAt,
    finishedAt: state.finishedAt,
    slots: state.limits.slots,
    schedule: state.limits.schedule,
    counts: { ...state.counts },
    usage: { ...state.usage },
  }
}

export function isResumable(state: RunState): boolean {
  return state.finished === null || (state.finished === 'cancelled' && state.stop === 'interrupt')
}

/** A decision, as the journal states it. */
export function toFact(decision: Decision): Fact {
  switch (decision.kind) {
    case 'start': {
      const { task, attempt, slot, base, deadline } = decision
      return { type: 'attempt.started', task, attempt, slot, base, deadline }
    }
    case 'stop':
      return { type: 'attempt.stopping', task: decision.task, attempt: decision.attempt, reason: decision.reason }
    case 'land':
      return { type: 'landing.started', tasks: decision.tasks, commit: decision.commit, onto: decision.onto }
    case 'finish':
      return { type: 'run.finished', status: decision.status }
    default:
      return decision satisfies never
  }
}
