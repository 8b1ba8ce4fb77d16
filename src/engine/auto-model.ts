// `model: auto`: the choice that goes into the journal with the attempt it is for.
import type { Fact } from '../event.ts'
import { taskAt } from '../scheduler/graph.ts'
import { indexOf, type RunState, record } from '../scheduler/state.ts'
import { AUTO, modelOf } from './agents-of-plan.ts'
import type { RunContext } from './run-context.ts'

export function withModel(fact: Fact, { state, settings, learner }: RunContext): Fact {
  if (fact.type !== 'attempt.started' || fact.agent === undefined) return fact
  const index = indexOf(state, fact.task)
  const task = taskAt(state.graph, index)
  if (modelOf(task, settings, fact.agent) !== AUTO) return fact
  const { history } = record(state, index)
  const choice = learner.choose({ task, agent: fact.agent, history, budgetUsd: budgetForEach(state) })
  return choice ? { ...fact, choice } : fact
}

/** What is left of the run's budget for each task that is not over. */
function budgetForEach({ limits, usage, counts }: RunState): number | null {
  if (limits.budget.usd === null) return null
  const left = counts.pending + counts.ready + counts.running
  return Math.max(0, limits.budget.usd - usage.costUsd) / Math.max(1, left)
}
