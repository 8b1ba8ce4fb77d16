// Changes of a plan since its run began: `--replan` applies them, and `resume` always shows them.

import { resolve } from 'node:path'
import { limitChanges, type PlanLimits, planLimits } from '../../engine/open/limits.ts'
import { readPlanTexts } from '../../engine/open/plan-texts.ts'
import type { ResumeRun } from '../../engine/open/resume-run.ts'
import { readDifference, readPlanBefore, readResumable } from '../../engine/open/take-over-changed-plan.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { PlanDifference } from '../../scheduler/apply/replan.ts'
import type { Plan } from '../../task.ts'
import { planFileTasks, withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import { type ReadPlan, readPlanFiles } from '../../workloads/plan/read.ts'
import { readPlanOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { firstOf } from '../inputs/known-run.ts'
import type { FormatFlags, LoadedPlan } from '../inputs/plan-file.ts'
import type { Surroundings } from '../surroundings.ts'

export type ChangedPlan = {
  file: string
  plan: Plan
  difference: PlanDifference
  /** Run-wide limits in the plan file, and those that changed. */
  limits: PlanLimits
  changedLimits: ReturnType<typeof limitChanges>
  origin: LoadedPlan['origin']
  /** Needs that the file marks as done, by task. */
  doneNeeds: ReadonlyMap<string, string[]>
  entries: ReadPlan['source']['entries']
}

/** Null if nothing changed, or if the file is gone and was not asked for. `agent`: for every prompt from now on. */
export async function changedPlan(
  workspace: Workspace,
  run: string | undefined,
  asked: boolean | string | undefined,
  surroundings: Surroundings,
  { agent, again, ...flags }: FormatFlags & { agent?: string | undefined; again?: ResumeRun['again'] } = {},
): Promise<Result<ChangedPlan | null>> {
  const found = await readResumable(workspace, { run, over: again !== undefined })
  if (!found.ok) return found
  const { record, onlyAgent, limits: before } = found.value ?? {}
  const file = typeof asked === 'string' ? resolve(surroundings.cwd, asked) : record?.planFile
  if (!record || !file) return asked && record ? refuse('name the plan: --replan FILE') : ok(null)
  const texts = await readPlanTexts([file], surroundings.cwd)
  if (!texts.ok) return asked ? texts : ok(null)
  const asBegun = await readPlanBefore(workspace, { run: record.id, files: texts.value.files })
  if (!asBegun.ok) return asBegun
  const { settings } = record
  // The agent flag of the original command still overrules the plan.
  const overrule = { agent: agent ?? onlyAgent }
  // Format flags of the original command still apply, unless there are new ones.
  const { files, ...known } = asBegun.value
  const asRead = { ...known, ...flags }
  const { format, part } = asRead
  const options = { overrule, format, part }
  const read = readPlanFiles(files, file, settings, options)
  if (!read.ok) return asked ? read : ok(null)
  const plan = { ...read.value.plan, name: record.name }
  const origin = planFileTasks(read.value.source, texts.value.files, asRead.part ?? null, surroundings.cwd)
  const done = new Set(origin?.done?.map(({ task }) => task))
  const difference = await readDifference(workspace, { run: record.id, plan, again, done })
  if (!difference.ok) return difference
  const limits = planLimits(read.value.settings)
  const changedLimits = limitChanges(before ?? limits, limits)
  const count = Object.values(difference.value).flat().length + changedLimits.length
  if (count === 0) return ok(null)
  const { entries } = read.value.source
  const whole = origin ? readPlanFiles(withTasksOpen(files, origin), file, settings, options) : read
  const wholePlan = whole.ok ? ok(whole.value.plan) : await readPlanOf(workspace, { run: record.id })
  if (!wholePlan.ok) return wholePlan
  const doneNeeds = needsLeftOut(plan, wholePlan.value ?? plan)
  return ok({ file, plan, difference: difference.value, limits, changedLimits, origin, doneNeeds, entries })
}

/** Needs of the tasks of `plan` that are in `whole` but not in `plan`. */
function needsLeftOut(plan: Plan, whole: Plan): Map<string, string[]> {
  const left = new Set(plan.tasks.map(({ id }) => id))
  const needs = whole.tasks.map(({ id, needs }) => [id, needs.filter((need) => !left.has(need))] as const)
  return new Map(needs.filter(([id, others]) => left.has(id) && others.length > 0))
}

/** `taken`: whether the run continues with the changes; null: it does not continue. */
export function differenceLines(
  { file, difference, changedLimits, entries }: ChangedPlan,
  taken: boolean | null,
): string {
  const { added, changed, removed, tooLate, budgets = [] } = difference
  const states = new Map(entries.map(({ task, state }) => [task, state]))
  const { done = [], skipped = [], gone = [] } = Object.groupBy(removed, (task) => goneAs(states.get(task)))
  const lines = [
    `${file} has changed since the run began:`,
    ...listed('+', 'new', added),
    ...listed('~', 'changed', changed),
    ...listed('~', 'new budget for epics', budgets),
    ...changedLimits.map(({ name, before, now }) => `  ~ ${name}: ${before ?? 'none'} → ${now ?? 'none'}`),
    ...listed('-', 'done in the file', done),
    ...listed('-', 'left out in the file', skipped),
    ...listed('-', 'gone', gone),
    ...listed('=', 'changed too late, already started', tooLate),
    ...(taken === true ? ['plan changes applied'] : []),
    ...(taken === false ? ['the run continues with its own plan; --replan applies the changes'] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** Tells tasks that the file marks as done or skipped from tasks that were removed. */
function goneAs(state: ChangedPlan['entries'][number]['state'] | undefined): 'done' | 'skipped' | 'gone' {
  return state === 'done' || state === 'skipped' ? state : 'gone'
}

function listed(sign: string, what: string, ids: string[]): string[] {
  return ids.length === 0 ? [] : [`  ${sign} ${what}: ${firstOf(ids)}`]
}
