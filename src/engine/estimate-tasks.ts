// How long the tasks of a plan will take and what they will cost: by the plan, else by what earlier runs in this repository
// took. What neither knows stays open. The same figures a run would start with. Nothing is written.
import type { Settings } from '../config.ts'
import { ok, type Result } from '../problem.ts'
import type { Plan } from '../task.ts'
import { Learner } from './learner.ts'
import { readingLearning } from './learning-at.ts'
import type { Where } from './where.ts'
import { withEstimates } from './with-estimates.ts'

export type EstimatedPlan = { plan: Plan; time: EstimateOrigins; cost: EstimateOrigins }

/** How many tasks have their figure from where. */
export type EstimateOrigins = { plan: number; history: number; unknown: number }

export async function estimateTasks(where: Where & { plan: Plan; settings: Settings }): Promise<Result<EstimatedPlan>> {
  const { plan, settings } = where
  const read = await readingLearning(where, plan, async (store) =>
    ok(withEstimates(plan, await Learner.open(store, settings))),
  )
  return read.ok ? ok(estimatedPlan(read.value)) : read
}

/** As it is: only counts. */
export function estimatedPlan(plan: Plan): EstimatedPlan {
  const time: EstimateOrigins = { plan: 0, history: 0, unknown: 0 }
  const cost: EstimateOrigins = { plan: 0, history: 0, unknown: 0 }
  for (const { estimateMs, estimateUsd, guessed = [] } of plan.tasks) {
    time[originOf(estimateMs !== null, guessed.includes('estimateMs'))]++
    cost[originOf(estimateUsd !== undefined, guessed.includes('estimateUsd'))]++
  }
  return { plan, time, cost }
}

function originOf(isKnown: boolean, isGuessed: boolean): keyof EstimateOrigins {
  if (!isKnown) return 'unknown'
  return isGuessed ? 'history' : 'plan'
}
