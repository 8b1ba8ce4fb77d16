// A run that has begun before goes on: `resume` and `retry`.
import { type ResumeRun, type Run, resumeRun, unpriced } from '../index.ts'
import type { Problem } from '../problem.ts'
import type { ExitStatus } from './exit-status.ts'
import { changedPlan, differenceLines } from './plan-difference.ts'
import { type FormatFlags, overruleOf } from './plan-file.ts'
import { problemLines, refuseWith } from './problem-lines.ts'
import type { Repository } from './repository.ts'
import { runToRest } from './run-to-rest.ts'
import type { Surroundings } from './surroundings.ts'

export type GoOnFlags = FormatFlags & { json?: boolean; replan?: boolean | string }

/** `since`: when the command began. */
type GoOn = { run: string | undefined; again?: ResumeRun['again']; flags: GoOnFlags; since: number }

/** With the settings it began with; only the environment and the flags change them. */
export async function goOn(
  { where, layers, repeat }: Repository,
  { run: id, again, flags, since }: GoOn,
  around: Surroundings,
): Promise<ExitStatus> {
  const agent = flags.replan === undefined ? undefined : overruleOf(layers).agent
  const changed = await changedPlan(where, id, flags.replan, around, { ...flags, agent, again })
  if (!changed.ok) return refuseWith(changed.problems, around)
  const taken = flags.replan === undefined ? undefined : changed.value?.plan
  if (changed.value) around.err.write(differenceLines(changed.value, taken !== undefined))
  const origin = taken ? changed.value?.origin : undefined
  const { abovePlan: changes } = layers
  const opened = await resumeRun({ ...where, run: id, changes, replan: taken, origin, again, environment: around.env })
  if (!opened.ok) return refuseWith(opened.problems, around)
  await using run = opened.value
  around.err.write(problemLines(stillUnpriced(run)))
  return await runToRest(run, { json: flags.json ?? false, since, repeat }, around)
}

/** As `run` says it in the beginning, but only of what is not over. */
function stillUnpriced(run: Run): Problem[] {
  const { plan, settings } = run
  const over = new Set(run.status().tasks.flatMap(({ id, finishedAt }) => (finishedAt === null ? [] : [id])))
  return unpriced({ ...plan, tasks: plan.tasks.filter(({ id }) => !over.has(id)) }, settings)
}
