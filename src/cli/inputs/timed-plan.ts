// A plan with its estimates (from the plan, else from earlier runs), for commands that do not run it.

import type { Settings } from '../../config.ts'
import { type EstimatedPlan, estimatedPlan, estimateTasks } from '../../engine/open/estimates.ts'
import { ok, type Result } from '../../problem.ts'
import type { PlanSource } from '../../workloads/plan/translate-format.ts'
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts'
import { problemLines } from '../refusal.ts'
import { type FormatFlags, loadPlan } from './plan-file.ts'
import type { InRepository } from './repository.ts'

export async function loadTimedPlan(
  files: readonly string[],
  flags: FormatFlags,
  here: InRepository,
): Promise<Result<EstimatedPlan & { settings: Settings; workspace: Workspace | null; source: PlanSource }>> {
  const loaded = await loadPlan(files, flags, here)
  if (!loaded.ok) return loaded
  const { plan, settings, warnings, source } = loaded.value
  here.err.write(problemLines(warnings, here.err))
  // An unreadable state folder, or a folder outside of git, must not prevent showing the plan.
  const workspace = await openWorkspace(here)
  if (!workspace.ok) return ok({ ...estimatedPlan(plan), settings, workspace: null, source })
  here.resources.use(workspace.value)
  const estimated = await estimateTasks(workspace.value, { plan, settings })
  const timed = estimated.ok ? estimated.value : estimatedPlan(plan)
  return ok({ ...timed, settings, workspace: workspace.value, source })
}
