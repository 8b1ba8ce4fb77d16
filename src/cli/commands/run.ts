import { inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { refuse } from '../../problem.ts'
import { EXIT } from '../exit-status.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { resumeOrNew } from '../inputs/resume-or-new.ts'
import type { SettingsFlags } from '../inputs/run-flags.ts'
import type { ContinueFlags } from '../live/continue-run.ts'
import { sourceLine } from '../plan/source.ts'
import { type Done, problemLines } from '../refusal.ts'

type RunFlags = { base?: string; dirty?: boolean; new?: boolean; dryRun?: boolean; standby?: boolean }
type Flags = SettingsFlags & ContinueFlags & RunFlags

export async function run(files: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
  const begin = () => runPlan(files, flags, here)
  if (!flags.standby || flags.dryRun) return await begin()
  const { standBy } = await import('../live/standby.ts')
  return await standBy(flags, begin, here)
}

/** The engine is loaded when nothing speaks against the run. */
async function runPlan(files: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const { workspace, repeat, err, env: environment } = here
  const { base, dirty, json = false, quiet, dryRun: isDryRun = false } = flags
  workspace.lookAhead()
  const loaded = await loadPlan(files, flags, here)
  if (!loaded.ok) return loaded
  const { plan, source, warnings } = loaded.value
  err.write(problemLines(warnings, err, sourceLine(source, plan.tasks.length)))
  const runner = await fleetRunnerFor(workspace.folder.database)
  const options = { ...loaded.value, base, dirty, environment, runner }
  const before = await inspectBeforeRun(workspace, options, { isDryRun, repeat })
  if (plan.tasks.length === 0) {
    err.write(problemLines(before.warnings, err, 'Nothing left to do'))
    return EXIT.done
  }
  const resumable = isDryRun || flags.new ? null : before.resumable
  const choice = await resumeOrNew(resumable, json, here)
  if (!choice.ok) return choice
  if (choice.value === 'cancel') return EXIT.interrupted
  if (choice.value !== 'new') {
    const { continueRun } = await import('../live/continue-run.ts')
    return await continueRun({ run: choice.value.resume, flags, since }, here)
  }
  err.write(problemLines(before.warnings, err))
  if (before.refusals.length > 0) return refuse(...before.refusals)
  // Whoever was asked something may have committed since.
  if (isDryRun) {
    err.write(problemLines(await before.uncommitted, err))
    return (await import('../plan/dry-run.ts')).dryRun(options, json, here)
  }
  const { openRun } = await import('../../engine/open/open-run.ts')
  const opened = await openRun(workspace, options, resumable ? null : before.start)
  err.write(problemLines(await before.uncommitted, err))
  if (!opened.ok) return opened
  await using run = opened.value
  const { runToRest } = await import('../live/follow-run.ts')
  return await runToRest(run, { json, quiet, since, repeat }, here)
}
