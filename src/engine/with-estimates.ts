// A plan whose author gave no estimates gets those of earlier runs: for the order of dispatch, and to reserve money for
// what runs.
import type { Plan, Task } from '../task.ts'
import type { Learner } from './learner.ts'

/** What the plan says itself counts for more. */
export function withEstimates(plan: Plan, learner: Learner): Plan {
  if (!learner.hasPast) return plan
  const isLarge = plan.tasks.length > MOST_COMPARED
  return { ...plan, tasks: plan.tasks.map((task) => withEstimate(task, plan.name, learner, isLarge)) }
}

function withEstimate(task: Task, plan: string, learner: Learner, isLarge: boolean): Task {
  if (task.estimateMs !== null && task.estimateUsd !== undefined) return task
  const found = learner.estimate(task, plan, isLarge ? 'same' : 'similar')
  if (!found) return task
  const ms = task.estimateMs === null
  const usd = task.estimateUsd === undefined && found.costUsd !== null
  if (!ms && !usd) return task
  return {
    ...task,
    ...(ms ? { estimateMs: found.durationMs } : {}),
    ...(usd ? { estimateUsd: found.costUsd ?? undefined } : {}),
    guessed: [...(ms ? ['estimateMs' as const] : []), ...(usd ? ['estimateUsd' as const] : [])],
  }
}

/** In a plan of more tasks only those that have run before are estimated: comparing each with every attempt takes time. */
const MOST_COMPARED = 2_000
