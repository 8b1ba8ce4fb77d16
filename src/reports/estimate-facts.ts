// What was expected of tasks, against what they took: by the estimates of the plan, or, where its author gave none, of
// earlier runs.
import type { RunView } from '../status.ts'
import type { Plan } from '../task.ts'

/** Of the attempt that succeeded: estimates are for one that does. Null: it was not estimated, or is not known. */
export type EstimatedTask = {
  task: string
  estimateMs: number | null
  ms: number
  estimateUsd: number | null
  costUsd: number | null
}

/** Errors are shares of what it really took, on average; null: nothing to compare. */
export type EstimateFacts = { tasks: EstimatedTask[]; timeError: number | null; costError: number | null }

export function estimateFacts({ tasks }: Pick<RunView, 'tasks'>, plan: Plan): EstimateFacts {
  const planned = new Map(plan.tasks.map((task) => [task.id, task]))
  const compared = tasks.flatMap(({ id, status, history }): EstimatedTask[] => {
    const last = history.at(-1)
    const { estimateMs = null, estimateUsd = null } = planned.get(id) ?? {}
    if ((status !== 'landed' && status !== 'passed') || !last?.finishedAt) return []
    if (estimateMs === null && estimateUsd === null) return []
    const ms = Math.max(0, last.finishedAt - last.startedAt)
    return [{ task: id, estimateMs, ms, estimateUsd, costUsd: last.usage?.costUsd || null }]
  })
  return {
    tasks: compared,
    timeError: meanError(compared.map(({ estimateMs, ms }) => errorOf(estimateMs, ms))),
    costError: meanError(compared.map(({ estimateUsd, costUsd }) => errorOf(estimateUsd, costUsd))),
  }
}

/** As a share of what it really took; null: there is nothing to compare. */
export function errorOf(estimated: number | null, actual: number | null): number | null {
  return estimated === null || actual === null || actual === 0 ? null : Math.abs(actual - estimated) / actual
}

function meanError(errors: readonly (number | null)[]): number | null {
  const known = errors.filter((one) => one !== null)
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length
}
