// Continues a run: `resume` and `retry`.

import { resolveSettings, type SettingsLayer } from '../../config.ts'
import { unpriced } from '../../engine/open/check-before-run.ts'
import { type ResumeRun, resumeRun } from '../../engine/open/resume-run.ts'
import type { Run } from '../../engine/run/run.ts'
import { fleetRunnerFor } from '../../fleet/load-fleet.ts'
import { type Problem, refuse } from '../../problem.ts'
import { type FormatFlags, overruleOf } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Layers } from '../inputs/settings-layers.ts'
import { type Done, problemLines } from '../refusal.ts'
import { type ChangedPlan, changedPlan, differenceLines } from './changed-plan.ts'
import { runToRest } from './follow-run.ts'

export type ContinueFlags = FormatFlags & { json?: boolean; quiet?: boolean; replan?: boolean | string }

export type Unknown = { name: string; problems: Problem[] }

/** `unknown`: names that must be new tasks of the current plan. `since`: start of the command. */
type Continue = {
  run: string | undefined
  again?: ResumeRun['again']
  unknown?: readonly Unknown[]
  flags: ContinueFlags
  since: number
}

/** Keeps the settings of the run; only the environment and the flags change them. */
export async function continueRun(
  { run: id, again, unknown = [], flags, since }: Continue,
  here: InWorkspace,
): Promise<Done> {
  const { workspace, layers, err } = here
  const { agent } = flags.replan === undefined ? {} : overruleOf(layers)
  const changed = await changedPlan(workspace, id, flags.replan, here, { ...flags, agent, again })
  if (!changed.ok) return changed
  const stranger = unknown.find(({ name }) => !changed.value || !isNew(changed.value, name))
  if (stranger) return refuse(...stranger.problems)
  const taken = flags.replan === undefined ? undefined : changed.value?.plan
  const { origin, doneNeeds } = (taken && changed.value) || {}
  const changes = [...(taken && changed.value ? [newLimits(changed.value, layers)] : []), ...layers.abovePlan]
  const replanned = { replan: taken, origin, doneNeeds, planLimits: taken && changed.value?.limits }
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await resumeRun(workspace, {
    run: id,
    changes,
    ...replanned,
    again,
    environment: here.env,
    runner,
  })
  if (changed.value) err.write(differenceLines(changed.value, opened.ok ? taken !== undefined : null))
  if (!opened.ok) return opened
  await using run = opened.value
  const uncounted = stillUnpriced(run)
  if (run.settings.strictBudget && uncounted.length > 0) return refuse(...uncounted)
  err.write(problemLines(uncounted, err))
  return await runToRest(run, { json: flags.json, quiet: flags.quiet, since }, here)
}

/** Changed limits of the plan; a removed one falls back to the settings below the plan. */
function newLimits({ file, changedLimits }: ChangedPlan, { belowPlan }: Layers): SettingsLayer {
  const { settings: below } = resolveSettings(belowPlan)
  return { from: file, settings: Object.fromEntries(changedLimits.map(({ name, now }) => [name, now ?? below[name]])) }
}

/** `name`: id of a task, or its name in the plan file. */
function isNew({ difference, entries }: ChangedPlan, name: string): boolean {
  const called = entries.filter(({ source }) => source === name).map(({ task }) => task)
  return [name, ...called].some((task) => difference.added.includes(task))
}

/** The warnings that `run` prints at the start, but only for unfinished tasks. */
function stillUnpriced(run: Run): Problem[] {
  const { plan, settings } = run
  const over = new Set(run.status().tasks.flatMap(({ id, finishedAt }) => (finishedAt === null ? [] : [id])))
  return unpriced({ ...plan, tasks: plan.tasks.filter(({ id }) => !over.has(id)) }, settings)
}
