// Starts the run of a plan: `run`.

import { inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { fleetRunnerFor } from '../../fleet/load-fleet.ts'
import { type Problem, problem, refuse } from '../../problem.ts'
import { EXIT } from '../exit-status.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { resumeOrNew } from '../inputs/resume-or-new.ts'
import { sourceLine } from '../plan/how-it-was-read.ts'
import { type Done, problemLines } from '../refusal.ts'
import { printJson } from '../terminal/print.ts'
import type { ContinueFlags } from './continue-run.ts'

type StartFlags = ContinueFlags & { base?: string; dirty?: boolean; new?: boolean; dryRun?: boolean }

/** Loads the engine only after all checks have passed. */
export async function startRun(files: readonly string[], flags: StartFlags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const { workspace, err, env: environment } = here
  const { base, dirty, json, quiet, dryRun: isDryRun = false } = flags
  workspace.lookAhead()
  const loaded = await loadPlan(files, flags, here)
  if (!loaded.ok) return loaded
  const { plan, source, warnings } = loaded.value
  err.write(problemLines(warnings, err, sourceLine(source, plan.tasks.length)))
  const runner = await fleetRunnerFor(workspace.folder.database)
  const options = { ...loaded.value, base, dirty, environment, runner }
  const before = await inspectBeforeRun(workspace, options, { isDryRun, repeat: here.repeat })
  if (plan.tasks.length === 0) {
    err.write(problemLines(before.warnings, err, 'Nothing left to do'))
    if (json && !isDryRun) {
      const { EMPTY_RESULT } = await import('../../engine/run/run-result.ts')
      printJson({ type: 'run.finished', at: Date.now(), ...EMPTY_RESULT }, here)
    }
    return EXIT.done
  }
  const resumable = isDryRun || flags.new ? null : before.resumable
  const choice = resumable && (await resumeOrNew(resumable, here, json))
  if (choice && !choice.ok) return choice
  if (choice?.value === 'cancel') return EXIT.interrupted
  if (choice?.value === 'resume')
    return (await import('./continue-run.ts')).continueRun({ run: resumable?.run, flags, since }, here)
  err.write(problemLines(before.warnings, err))
  if (before.refusals.length > 0) return refuse(...before.refusals)
  if (isDryRun) {
    err.write(problemLines(await orWarning(before.uncommitted), err))
    return (await import('../plan/dry-run.ts')).dryRun(options, here)
  }
  const { openRun } = await import('../../engine/open/open-run.ts')
  // Discards the state read before the question: the person may have committed meanwhile.
  const opened = await openRun(workspace, options, resumable ? null : before.start)
  if (!opened.ok) return opened
  await using run = opened.value
  err.write(problemLines(await orWarning(before.uncommitted), err))
  return await (await import('./follow-run.ts')).runToRest(run, { json, quiet, since }, here)
}

/** Turns an error into a warning: the run is open already. */
function orWarning(found: Promise<Problem[]>): Promise<Problem[]> {
  return found.catch((error: Error) => [
    problem(`uncommitted changes could not be looked for: ${error.message}`, { severity: 'warning' }),
  ])
}
