// `--timeout` and `--retries` for a run that goes on. As when it began, they hold for tasks that say nothing themselves.
import type { Settings } from '../../config.ts'
import { withLimitsOf } from '../../scheduler/apply/replan.ts'
import type { RunRecord } from '../../store/store.ts'
import type { Plan } from '../../task.ts'

export type GivenLimits = Pick<Settings, 'timeoutMs' | 'retries'>

/** What the tasks of a run get from now on that say nothing themselves. */
export function limitsGiven({ settings, currentPlan }: Pick<RunRecord, 'settings' | 'currentPlan'>): GivenLimits {
  const { timeoutMs, retries } = settings
  return { timeoutMs, retries, ...currentPlan.given }
}

/**
 * The plan with these limits; null where the run has never been given others than it began with. Those it was given before
 * are given again: a task that was under way then has not taken them.
 */
export function withLimits(plan: Plan, before: GivenLimits, { timeoutMs, retries }: GivenLimits): Plan | null {
  if (!plan.given && timeoutMs === before.timeoutMs && retries === before.retries) return null
  const given = { timeoutMs, retries }
  return { ...plan, given, tasks: plan.tasks.map((task) => withLimitsOf(task, given)) }
}
