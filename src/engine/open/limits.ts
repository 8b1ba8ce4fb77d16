// Limits of a run: those in its plan that `--replan` applies, its budget and how many tasks run at the same time; and all of them.
import type { LayerSettings, Settings } from '../../config.ts'
import type { Limits } from '../../event.ts'

const PLAN_LIMITS = ['budgetUsd', 'maxConcurrency'] as const

export type PlanLimits = Pick<LayerSettings, (typeof PLAN_LIMITS)[number]>

/** The note of a run with the limits in its plan, which flags and the environment may have overruled. */
export const PLAN_LIMITS_NOTE = 'plan-limits'

export function planLimits({ budgetUsd, maxConcurrency }: LayerSettings): PlanLimits {
  return { ...(budgetUsd === undefined ? {} : { budgetUsd }), ...(maxConcurrency ? { maxConcurrency } : {}) }
}

export function limitChanges(before: PlanLimits, now: PlanLimits) {
  const both = PLAN_LIMITS.map((name) => ({ name, before: before[name] ?? null, now: now[name] ?? null }))
  return both.filter((one) => one.before !== one.now)
}

export function limitsOf(settings: Settings): Limits {
  const { maxConcurrency, maxPerEpic, schedule, strict, backoff, timeoutMs, retries, onStall, claims } = settings
  const { verify, window, batch, allgreen, reruns } = settings.landing
  const landing = { verify: verify.length > 0, window, batch, allgreen, reruns }
  const budget = { usd: settings.budgetUsd, onReached: settings.onBudget }
  const tasks = { timeoutMs, retries, onStall, claims }
  // With `autoConcurrency` the run begins with half: the machine watch adds slots.
  const most = settings.autoConcurrency ? Math.ceil(maxConcurrency / 2) : maxConcurrency
  const slots = settings.workersOnly ? 0 : most
  const labels = settings.labels.length > 0 ? { labels: settings.labels } : {}
  return { slots, ...labels, maxPerEpic, schedule, strict, backoff, ...tasks, landing, budget }
}
