// A run is resumed and its plan file has changed since: what is different, said before it goes on.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type PlanDifference, readDifference, readPlan, readResumable, type Where } from '../index.ts'
import { ok, problem, type Result, refuse } from '../problem.ts'
import type { Plan } from '../task.ts'
import type { Surroundings } from './surroundings.ts'

export type ChangedPlan = { file: string; plan: Plan; difference: PlanDifference }

/** Null where nothing is different, or the file is gone and nobody asked for it. */
export async function changedPlan(
  where: Where,
  run: string | undefined,
  asked: boolean | string | undefined,
  around: Surroundings,
): Promise<Result<ChangedPlan | null>> {
  const found = await readResumable({ ...where, run })
  if (!found.ok) return found
  const record = found.value
  const file = typeof asked === 'string' ? resolve(around.cwd, asked) : record?.planFile
  if (!record || !file) return asked && record ? refuse('name the plan: --replan FILE') : ok(null)
  const text = await readFile(file, 'utf8').catch((error: Error) => error)
  if (text instanceof Error) return asked ? refuse(problem(`cannot be read: ${text.message}`, { file })) : ok(null)
  const { settings } = record
  // What the run began with stood above the defaults of the plan, and still does.
  const { retries, timeoutMs } = settings
  const read = readPlan(text, file, settings, { overrule: { retries, timeoutMs } })
  if (!read.ok) return asked ? read : ok(null)
  const plan = { ...read.value.plan, name: record.name }
  const difference = await readDifference({ ...where, run: record.id, plan })
  if (!difference.ok) return difference
  const { added, changed, removed, tooLate } = difference.value
  const count = added.length + changed.length + removed.length + tooLate.length
  return ok(count > 0 ? { file, plan, difference: difference.value } : null)
}

export function differenceLines({ file, difference }: ChangedPlan, taken: boolean): string {
  const { added, changed, removed, tooLate } = difference
  const lines = [
    `${file} has changed since the run began:`,
    ...listed('+', 'new', added),
    ...listed('~', 'changed', changed),
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
