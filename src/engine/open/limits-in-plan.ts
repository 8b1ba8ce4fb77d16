// What a plan says of its run as a whole and `--replan` takes over: its budget and how many tasks run at the same time.
import type { LayerSettings } from '../../config.ts'
import type { Workspace } from '../../workspace/workspace.ts'

const PLAN_LIMITS = ['budgetUsd', 'maxConcurrency'] as const

export type PlanLimits = Pick<LayerSettings, (typeof PLAN_LIMITS)[number]>

/** The note of a run with what its plan said, which flags and the environment may have overruled. */
export const PLAN_LIMITS_NOTE = 'plan-limits'

export function planLimits({ budgetUsd, maxConcurrency }: LayerSettings): PlanLimits {
  return { ...(budgetUsd === undefined ? {} : { budgetUsd }), ...(maxConcurrency ? { maxConcurrency } : {}) }
}

/** Null of a run that was not read from a plan file. */
export async function readPlanLimits(workspace: Workspace, { run }: { run: string }): Promise<PlanLimits | null> {
  const found = await workspace.readViews<unknown>(null, (views) => views.note(run, PLAN_LIMITS_NOTE))
  return found.ok && typeof found.value === 'object' ? found.value : null
}

export type LimitChange = { name: (typeof PLAN_LIMITS)[number]; before: number | null; now: number | null }

/** Null stands for a plan that says nothing of it. */
export function limitChanges(before: PlanLimits, now: PlanLimits): LimitChange[] {
  const both = PLAN_LIMITS.map((name) => ({ name, before: before[name] ?? null, now: now[name] ?? null }))
  return both.filter((one) => one.before !== one.now)
}
