// Finds the run and the task that a command names; an error lists the existing ones.

import { tasksCalled } from '../../engine/plan-file/saved-tasks.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView } from '../../view.ts'
import { listRuns, readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'

export function noRuns(workspace: Workspace): string {
  if (workspace.exists) return 'no runs are left here: `espalier run PLAN` starts one'
  return 'no runs here yet: `espalier run PLAN` starts one, `espalier init` writes a plan to start from'
}

/** Default: the running run, else the newest. */
export async function knownRun(workspace: Workspace, run: string | undefined): Promise<Result<RunView>> {
  const found = await readRun(workspace, { run })
  if (!found.ok) return found
  return found.value ? ok(found.value) : refuse(run === undefined ? noRuns(workspace) : noSuchRun(run))
}

/** Prints the chosen run on stderr, unless the command named it. */
export function tellRun({ run, engine }: RunView, named: string | undefined, { err, errPalette }: Surroundings): void {
  if (named === undefined) err.write(`${errPalette.dim(`run ${run}${engine ? ' (running)' : ''}`)}\n`)
}

/** `name`: id of the task, or its name in the plan file; undefined: the whole run. */
export async function knownTask<Name extends string | undefined>(
  workspace: Workspace,
  run: string | undefined,
  name: Name,
): Promise<Result<{ view: RunView; task: Name }>> {
  const known = await knownRun(workspace, run)
  if (!known.ok) return known
  const view = known.value
  if (name === undefined) return ok({ view, task: name })
  const called = await tasksCalled(workspace, view, name)
  const other = called.length === 0 ? await runWith(workspace, name, view.run) : null
  if (other !== null) return refuse(inOtherRun(name, view.run, other))
  const task = theOne(called, view, name)
  return task.ok ? ok({ view, task: task.value as Name }) : task
}

export async function taskIn(workspace: Workspace, view: RunView, name: string): Promise<Result<string>> {
  return theOne(await tasksCalled(workspace, view, name), view, name)
}

function theOne([id, ...others]: readonly string[], { run, tasks }: RunView, name: string): Result<string> {
  if (id === undefined) {
    const ids = tasks.map((task) => task.id)
    return refuse(`run ${run} ${hasNoTask(name, ids)}`)
  }
  if (others.length === 0) return ok(id)
  return refuse(`${name} may be any of ${[id, ...others].join(', ')} in run ${run}: name it by one of these ids`)
}

export function inOtherRun(task: string, run: string, other: string): string {
  return `run ${run} has no task ${task}, but run ${other} has it: say so with \`--run ${other}\``
}

/** The newest run with a task of that name; null if none of the last runs has one. */
export async function runWith(workspace: Workspace, name: string, besides?: string): Promise<string | null> {
  const runs = await listRuns(workspace)
  for (const { run } of runs.ok ? runs.value.slice(0, RUNS_LOOKED_AT) : []) {
    const found = run === besides ? null : await readRun(workspace, { run })
    if (found?.ok && found.value && (await tasksCalled(workspace, found.value, name)).length > 0) return run
  }
  return null
}

/** Limit, because searching a run reads all its tasks. */
const RUNS_LOOKED_AT = 20

/** `has no task lgo; it has log, list` */
export function hasNoTask(task: string, ids: readonly string[]): string {
  return `has no task ${task}; it has ${firstOf(ids)}`
}

/** `log, list, … (90 in all)` */
export function firstOf(ids: readonly string[]): string {
  return ids.slice(0, LISTED).join(', ') + (ids.length > LISTED ? `, … (${ids.length} in all)` : '')
}

const LISTED = 12

export function noSuchRun(run: string): string {
  return `this repository has no run ${run}: \`espalier status --all\` lists those there are`
}
