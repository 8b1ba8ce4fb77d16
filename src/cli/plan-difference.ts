// A run is resumed and its plan file has changed since: what is different, said before it goes on.
import { resolve } from 'node:path'
import {
  type PlanDifference,
  type PlanOrigin,
  type ResumeRun,
  readDifference,
  readPlanBefore,
  readPlanFiles,
  readResumable,
  type Where,
} from '../index.ts'
import { ok, type Result, refuse } from '../problem.ts'
import type { Plan } from '../task.ts'
import { type FormatFlags, knownAgents, originOf, sourceOptions } from './plan-file.ts'
import { readPlanTexts } from './plan-texts.ts'
import type { Surroundings } from './surroundings.ts'

export type ChangedPlan = { file: string; plan: Plan; difference: PlanDifference; origin: PlanOrigin | null }

type Again = ResumeRun['again']

/** Null where nothing is different, or the file is gone and nobody asked for it. `agent`: for every prompt from now on. */
export async function changedPlan(
  where: Where,
  run: string | undefined,
  asked: boolean | string | undefined,
  around: Surroundings,
  { agent, again, ...flags }: FormatFlags & { agent?: string | undefined; again?: Again | undefined } = {},
): Promise<Result<ChangedPlan | null>> {
  const found = await readResumable({ ...where, run, over: again !== undefined })
  if (!found.ok) return found
  const record = found.value
  const file = typeof asked === 'string' ? resolve(around.cwd, asked) : record?.planFile
  if (!record || !file) return asked && record ? refuse('name the plan: --replan FILE') : ok(null)
  const texts = await readPlanTexts([file], around.cwd)
  if (!texts.ok) return asked ? texts : ok(null)
  const before = await readPlanBefore({ ...where, run: record.id, files: texts.value.files })
  if (!before.ok) return before
  const { settings } = record
  // What the run began with stood above the defaults of the plan, and still does.
  const { retries, timeoutMs } = settings
  const overrule = { retries, timeoutMs, agent: agent ?? record.currentPlan.onlyAgent }
  // What the run was told about the format still holds, unless it is told something else.
  const { files, ...known } = before.value
  const asRead = { ...known, ...flags }
  const read = readPlanFiles(files, file, settings, {
    overrule,
    agents: knownAgents(settings),
    ...sourceOptions(asRead),
  })
  if (!read.ok) return asked ? read : ok(null)
  const plan = { ...read.value.plan, name: record.name }
  const difference = await readDifference({ ...where, run: record.id, plan, again })
  if (!difference.ok) return difference
  const { added, changed, removed, tooLate, budgets = [] } = difference.value
  const count = added.length + changed.length + removed.length + tooLate.length + budgets.length
  const origin = originOf(read.value, texts.value.files, around.cwd, asRead)
  return ok(count > 0 ? { file, plan, difference: difference.value, origin } : null)
}

export function differenceLines({ file, difference }: ChangedPlan, taken: boolean): string {
  const { added, changed, removed, tooLate, budgets = [] } = difference
  const lines = [
    `${file} has changed since the run began:`,
    ...listed('+', 'new', added),
    ...listed('~', 'changed', changed),
    ...listed('~', 'another budget for the epics', budgets),
    ...listed('-', 'gone', removed),
    ...listed('=', 'changed too late, under way or over', tooLate),
    taken ? 'taken over' : 'the run goes on with the plan it has; --replan takes the changes over',
  ]
  return `${lines.join('\n')}\n`
}

const LISTED = 12

function listed(sign: string, what: string, ids: string[]): string[] {
  if (ids.length === 0) return []
  const more = ids.length > LISTED ? `, … (${ids.length} in all)` : ''
  return [`  ${sign} ${what}: ${ids.slice(0, LISTED).join(', ')}${more}`]
}
