// Likely duration and cost of tasks: by the plan, else by earlier runs here. Nothing is written.
import type { Settings } from '../../config.ts'
import { mapped, ok, type Result } from '../../problem.ts'
import { medianEstimate } from '../../scheduler/graph.ts'
import type { Plan, Task } from '../../task.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { Learner } from '../expertise/learner.ts'

export type EstimatedPlan = ReturnType<typeof estimatedPlan>

export async function estimateTasks(
  workspace: Workspace,
  options: { plan: Plan; settings: Settings },
): Promise<Result<EstimatedPlan>> {
  const { plan, settings } = options
  const read = await workspace.read(plan, async (store) => ok(withEstimates(plan, await Learner.open(store, settings))))
  return mapped(read, estimatedPlan)
}

/** Counts where the estimates come from. `assumedMs`: of each task whose time is unknown. */
export function estimatedPlan(plan: Plan) {
  const cost = { plan: 0, history: 0, unknown: 0 }
  const time = { ...cost, assumedMs: medianEstimate(plan.tasks) }
  for (const { estimateMs, estimateUsd, expected } of plan.tasks) {
    time[originOf(estimateMs, expected?.ms)]++
    cost[originOf(estimateUsd, expected?.usd)]++
  }
  return { plan, time, cost }
}

function originOf(said: number | null | undefined, expected: number | undefined): 'plan' | 'history' | 'unknown' {
  if (said != null) return 'plan'
  return expected === undefined ? 'unknown' : 'history'
}

// Adds the estimates of earlier runs to a plan without any: for the order of dispatch, and to reserve money.

export function withEstimates(plan: Plan, learner: Learner): Plan {
  if (!learner.hasPast) return plan
  const isLarge = plan.tasks.length > MOST_COMPARED
  return { ...plan, tasks: plan.tasks.map((task) => withEstimate(task, plan.name, learner, isLarge)) }
}

function withEstimate(task: Task, plan: string, learner: Learner, isLarge: boolean): Task {
  if (task.estimateMs !== null && task.estimateUsd !== undefined) return task
  const found = learner.estimate(task, plan, isLarge ? 'same' : 'similar')
  if (!found) return task
  const ms = task.estimateMs === null ? found.durationMs : undefined
  // Costs of similar prompts say nothing about a command.
  const isLike = task.work.kind === 'prompt' || found.isSame
  const usd = task.estimateUsd === undefined && isLike ? (found.costUsd ?? undefined) : undefined
  return ms === undefined && usd === undefined ? task : { ...task, expected: { ms, usd } }
}

/** In larger plans only tasks that have run before are estimated: comparing each with every attempt takes time. */
const MOST_COMPARED = 2_000
