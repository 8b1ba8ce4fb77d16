// Estimates of tasks, by the plan or by earlier runs, against what the tasks really took.

import { likelyMs, likelyUsd, type Plan } from '../../task.ts'
import type { RunView } from '../../view.ts'

/** Of the attempt that succeeded: estimates are for one that does. Null: it was not estimated, or is not known. */
export type EstimatedTask = {
  task: string
  estimateMs: number | null
  ms: number
  estimateUsd: number | null
  costUsd: number | null
}

/** Factors: how many times as much or as little it took, on (geometric) average. Null: nothing to compare. */
export type EstimateFacts = {
  tasks: EstimatedTask[]
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
    timeFactor: meanFactor(times),
    costFactor: meanFactor(costs),
  }
}

/** How many times as much it took, or as little; null: there is nothing to compare. */
export function factorOf(estimated: number | null, actual: number | null): number | null {
  return estimated && actual ? Math.max(actual / estimated, estimated / actual) : null
}

function meanFactor(pairs: readonly (readonly [estimated: number | null, actual: number | null])[]): number | null {
  const factors = pairs.flatMap(([estimated, actual]) => factorOf(estimated, actual) ?? [])
  if (factors.length === 0) return null
  return Math.exp(factors.reduce((sum, factor) => sum + Math.log(factor), 0) / factors.length)
}
