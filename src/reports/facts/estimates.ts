// What was expected of tasks, against what they took: by the estimates of the plan, or, where its author gave none, of
// earlier runs.
import type { RunView } from '../../status.ts'
import { likelyMs, likelyUsd, type Plan } from '../../task.ts'

/** Of the attempt that succeeded: estimates are for one that does. Null: it was not estimated, or is not known. */
export type EstimatedTask = {
  task: string
  estimateMs: number | null
  ms: number
  estimateUsd: number | null
  costUsd: number | null
}

/**
 * Null: nothing to compare. Errors are shares of what it really took, on average. Factors say how many times as much or as
 * little it took, on (geometric) average: a share cannot, because one that took far too long is never off by more than 100%.
 */
export type EstimateFacts = {
  tasks: EstimatedTask[]
  timeError: number | null
  costError: number | null
  timeFactor: number | null
  costFactor: number | null
}

export function estimateFacts({ tasks }: Pick<RunView, 'tasks'>, plan: Plan): EstimateFacts {
  const planned = new Map(plan.tasks.map((task) => [task.id, task]))
  const compared = tasks.flatMap(({ id, status, history }): EstimatedTask[] => {
    const last = history.at(-1)
    const task = planned.get(id)
    const [estimateMs, estimateUsd] = task ? [likelyMs(task), likelyUsd(task)] : [null, null]
    if ((status !== 'landed' && status !== 'passed') || !last?.finishedAt) return []
    if (estimateMs === null && estimateUsd === null) return []
    const ms = Math.max(0, last.finishedAt - last.startedAt)
    return [{ task: id, estimateMs, ms, estimateUsd, costUsd: last.usage?.costUsd || null }]
  })
  const times = compared.map(({ estimateMs, ms }) => [estimateMs, ms] as const)
  const costs = compared.map(({ estimateUsd, costUsd }) => [estimateUsd, costUsd] as const)
  return {
    tasks: compared,
    timeError: mean(times.map(([estimated, actual]) => errorOf(estimated, actual))),
    costError: mean(costs.map(([estimated, actual]) => errorOf(estimated, actual))),
    timeFactor: meanFactor(times),
    costFactor: meanFactor(costs),
  }
}

/** How many times as much it took, or as little; null: there is nothing to compare. */
export function factorOf(estimated: number | null, actual: number | null): number | null {
  return estimated && actual ? Math.max(actual / estimated, estimated / actual) : null
}

function meanFactor(pairs: readonly (readonly [estimated: number | null, actual: number | null])[]): number | null {
  const logarithms = pairs.map(([estimated, actual]) => factorOf(estimated, actual)).map((one) => one && Math.log(one))
  const average = mean(logarithms)
  return average === null ? null : Math.exp(average)
}

/** As a share of what it really took; null: there is nothing to compare. */
function errorOf(estimated: number | null, actual: number | null): number | null {
  return estimated === null || actual === null || actual === 0 ? null : Math.abs(actual - estimated) / actual
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null)
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length
}
