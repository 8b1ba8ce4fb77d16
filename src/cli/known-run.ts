// Finds the run, and the task, that a command names, or says which there are.
import { readRun } from '../engine/read.ts'
import { ok, type Problem, problem, type Result, refuse } from '../problem.ts'
import type { RunView } from '../status.ts'

type Where = { repo: string; stateDir: string | null }

export const NO_RUNS = 'this repository has no runs (left): start one with `espalier run PLAN`'

/** Ids listed in a message. */
const LISTED = 12

export async function knownRun(where: Where, run: string | undefined): Promise<Result<RunView>> {
  const found = await readRun({ ...where, run })
  if (!found.ok) return found
  return found.value ? ok(found.value) : refuse(noSuchRun(run))
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
  const more = ids.length > LISTED ? `, … (${ids.length} in all)` : ''
  return refuse(`run ${known.value.run} has no task ${task}; it has ${ids.slice(0, LISTED).join(', ')}${more}`)
}

function noSuchRun(run: string | undefined): Problem {
  return run === undefined
    ? problem(NO_RUNS)
    : problem(`this repository has no run ${run}: \`espalier status --all\` lists those there are`)
}
