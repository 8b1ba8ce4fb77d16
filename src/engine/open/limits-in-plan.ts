// Settings of the whole run in a plan that `--replan` applies: its budget and how many tasks run at the same time.
import type { LayerSettings } from '../../config.ts'

const PLAN_LIMITS = ['budgetUsd', 'maxConcurrency'] as const

export type PlanLimits = Pick<LayerSettings, (typeof PLAN_LIMITS)[number]>

/** The note of a run with the limits in its plan, which flags and the environment may have overruled. */
export const PLAN_LIMITS_NOTE = 'plan-limits'

export function planLimits({ budgetUsd, maxConcurrency }: LayerSettings): PlanLimits {
  return { ...(budgetUsd === undefined ? {} : { budgetUsd }), ...(maxConcurrency ? { maxConcurrency } : {}) }
}

/** Null: the plan does not say. */
export function limitChanges(before: PlanLimits, now: PlanLimits) {
  const both = PLAN_LIMITS.map((name) => ({ name, before: before[name] ?? null, now: now[name] ?? null }))
  return both.filter((one) => one.before !== one.now)
}
