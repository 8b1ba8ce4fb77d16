// Continues a run: `resume` and `retry`.

import { resolve } from 'node:path'
import { agentNames } from '../../agents/known-agents.ts'
import { resolveSettings, type SettingsLayer } from '../../config.ts'
import { unpriced } from '../../engine/open/check-before-run.ts'
import { limitChanges, type PlanLimits, planLimits } from '../../engine/open/limits.ts'
import { readPlanTexts } from '../../engine/open/plan-texts.ts'
import { type ResumeRun, resumeRun } from '../../engine/open/resume-run.ts'
import { readDifference, readPlanBefore, readResumable } from '../../engine/open/take-over-changed-plan.ts'
import type { Run } from '../../engine/run/run.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { ok, type Problem, type Result, refuse } from '../../problem.ts'
import type { PlanDifference } from '../../scheduler/apply/replan.ts'
import type { Plan } from '../../task.ts'
import { planFileTasks, withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import { type ReadPlan, readPlanFiles } from '../../workloads/plan/read.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { firstOf } from '../inputs/known-run.ts'
import { type FormatFlags, type LoadedPlan, overruleOf } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Layers } from '../inputs/settings-layers.ts'
import { type Done, problemLines } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { runToRest } from './follow-run.ts'

export type ContinueFlags = FormatFlags & { json?: boolean; quiet?: boolean; replan?: boolean | string }

export type Unknown = { name: string; problems: Problem[] }

/** `unknown`: what has to be new in the plan as it is now. `since`: when the command began. */
type Continue = {
  run: string | undefined
  again?: ResumeRun['again']
  unknown?: readonly Unknown[]
  flags: ContinueFlags
  since: number
}

/** With the settings it began with; only the environment and the flags change them. */
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

/** What the plan does not say any more comes from the settings below it. */
function newLimits({ file, changedLimits }: ChangedPlan, { belowPlan }: Layers): SettingsLayer {
  const { settings: below } = resolveSettings(belowPlan)
  return { from: file, settings: Object.fromEntries(changedLimits.map(({ name, now }) => [name, now ?? below[name]])) }
}

/** `name`: its id, or what the plan file calls it. */
function isNew({ difference, entries }: ChangedPlan, name: string): boolean {
  const called = entries.filter(({ source }) => source === name).map(({ task }) => task)
  return [name, ...called].some((task) => difference.added.includes(task))
}

/** As `run` says it in the beginning, but only of what is not over. */
function stillUnpriced(run: Run): Problem[] {
  const { plan, settings } = run
  const over = new Set(run.status().tasks.flatMap(({ id, finishedAt }) => (finishedAt === null ? [] : [id])))
  return unpriced({ ...plan, tasks: plan.tasks.filter(({ id }) => !over.has(id)) }, settings)
}

type ChangedPlan = {
  file: string
  plan: Plan
  difference: PlanDifference
  /** What its file says of the run as a whole, and what of it is new. */
  limits: PlanLimits
  changedLimits: ReturnType<typeof limitChanges>
  origin: LoadedPlan['origin']
  /** By task: what it needs and the file calls done. */
  doneNeeds: ReadonlyMap<string, string[]>
  entries: ReadPlan['source']['entries']
}

type Again = ResumeRun['again']

/** Null where nothing is different, or the file is gone and nobody asked for it. `agent`: for every prompt from now on. */
export async function changedPlan(
  workspace: Workspace,
  run: string | undefined,
  asked: boolean | string | undefined,
  surroundings: Surroundings,
  { agent, again, ...flags }: FormatFlags & { agent?: string | undefined; again?: Again | undefined } = {},
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
  // What the run began with stood above the plan, and still does.
  const overrule = { agent: agent ?? onlyAgent }
  // The flags for the format that the run was started with still hold, unless there are new ones.
  const { files, ...known } = asBegun.value
  const asRead = { ...known, ...flags }
  const { format, part } = asRead
  const options = { overrule, agents: agentNames(settings), format, part }
  const read = readPlanFiles(files, file, settings, options)
  if (!read.ok) return asked ? read : ok(null)
  const plan = { ...read.value.plan, name: record.name }
  const origin = planFileTasks(read.value.source, texts.value.files, asRead.part ?? null, surroundings.cwd)
  const done = new Set(origin?.done?.map(({ task }) => task))
  const difference = await readDifference(workspace, { run: record.id, plan, again, done })
  if (!difference.ok) return difference
  const { added, changed, removed, tooLate, budgets = [] } = difference.value
  const limits = planLimits(read.value.settings)
  const changedLimits = limitChanges(before ?? limits, limits)
  const count = added.length + changed.length + removed.length + tooLate.length + budgets.length + changedLimits.length
  if (count === 0) return ok(null)
  const { entries } = read.value.source
  const whole = origin ? readPlanFiles(withTasksOpen(files, origin), file, settings, options) : read
  const doneNeeds = needsLeftOut(plan, whole.ok ? whole.value.plan : record.currentPlan)
  return ok({ file, plan, difference: difference.value, limits, changedLimits, origin, doneNeeds, entries })
}

/** Of the tasks of `plan`: what they need in the whole of it and is not among them. */
function needsLeftOut(plan: Plan, whole: Plan): Map<string, string[]> {
  const left = new Set(plan.tasks.map(({ id }) => id))
  const needs = whole.tasks.map(({ id, needs }) => [id, needs.filter((need) => !left.has(need))] as const)
  return new Map(needs.filter(([id, others]) => left.has(id) && others.length > 0))
}

/** `taken`: whether the run continues with the changes; null where it does not continue. */
function differenceLines({ file, difference, changedLimits, entries }: ChangedPlan, taken: boolean | null): string {
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

/** Some are not in the plan any more only because the file says that nothing is left to do for them. */
function goneAs(state: ChangedPlan['entries'][number]['state'] | undefined): 'done' | 'skipped' | 'gone' {
  return state === 'done' || state === 'skipped' ? state : 'gone'
}

function listed(sign: string, what: string, ids: string[]): string[] {
  return ids.length === 0 ? [] : [`  ${sign} ${what}: ${firstOf(ids)}`]
}
