// Finds the run, and the task, that a command names, or says which there are.
import { hadRuns, readRun, type Where } from '../engine/read.ts'
import { ok, type Result, refuse } from '../problem.ts'
import type { RunView } from '../status.ts'

/** There is none: either never, or they were removed. */
export async function noRuns(where: Where): Promise<string> {
  if (await hadRuns(where)) return 'no runs are left here: `espalier run PLAN` starts one'
  return 'no runs here yet: `espalier run PLAN` starts one, `espalier init` writes a plan to start from'
}

/** Ids listed in a message. */
const LISTED = 12

export async function knownRun(where: Where, run: string | undefined): Promise<Result<RunView>> {
  const found = await readRun({ ...where, run })
  if (!found.ok) return found
  return found.value ? ok(found.value) : refuse(run === undefined ? await noRuns(where) : noSuchRun(run))
}

export async function knownTask(
  where: Where,
  run: string | undefined,
  task: string | undefined,
): Promise<Result<RunView>> {
  const known = await knownRun(where, run)
  if (!known.ok || task === undefined) return known
  const ids = known.value.tasks.map(({ id }) => id)
  if (ids.includes(task)) return known
  return refuse(`run ${known.value.run} ${hasNoTask(task, ids)}`)
}

/** `has no task lgo; it has log, list` */
export function hasNoTask(task: string, ids: readonly string[]): string {
  const more = ids.length > LISTED ? `, … (${ids.length} in all)` : ''
  return `has no task ${task}; it has ${ids.slice(0, LISTED).join(', ')}${more}`
}

function noSuchRun(run: string): string {
  return `this repository has no run ${run}: \`espalier status --all\` lists those there are`
}
