// `--timeout` and `--retries` for a run that goes on. As when it began, they hold for tasks that say nothing themselves:
// these are known by having what the run gave them so far.
import type { Settings } from '../config.ts'
import type { RunRecord } from '../store/store.ts'
import type { Plan } from '../task.ts'

export type GivenLimits = Pick<Settings, 'timeoutMs' | 'retries'>

/** What the tasks of a run have so far that say nothing themselves. */
export function limitsGiven({ settings, currentPlan }: Pick<RunRecord, 'settings' | 'currentPlan'>): GivenLimits {
  const { timeoutMs, retries } = settings
  return { timeoutMs, retries, ...currentPlan.given }
}

/** The plan with other ones; null where they are the same. */
export function withLimits(plan: Plan, before: GivenLimits, { timeoutMs, retries }: GivenLimits): Plan | null {
  if (timeoutMs === before.timeoutMs && retries === before.retries) return null
  const tasks = plan.tasks.map((task) => ({
    ...task,
    timeoutMs: task.timeoutMs === before.timeoutMs ? timeoutMs : task.timeoutMs,
    retries: task.retries === before.retries ? retries : task.retries,
  }))
  return { ...plan, given: { timeoutMs, retries }, tasks }
}
