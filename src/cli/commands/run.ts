import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { inspectBeforeRun, openRun } from '../../index.ts'
import { readDirtyCommit } from '../../internal.ts'
import { ok } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import { findWorkspace, type RepositoryFlags, type WithWorkspace } from '../inputs/repository.ts'
import { resumeOrNew } from '../inputs/resume-or-new.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { type ContinueFlags, continueRun } from '../live/continue-run.ts'
import { runToRest } from '../live/follow-run.ts'
import { standBy } from '../live/standby.ts'
import { dryRun } from '../plan/dry-run.ts'
import { sourceLine } from '../plan/source.ts'
import { problemLines, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type RunFlags = { base?: string; dirty?: boolean; new?: boolean; dryRun?: boolean; standby?: boolean }
type Flags = RepositoryFlags & SettingsFlags & ContinueFlags & RunFlags

export async function run(files: readonly string[], flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const begin = () => runPlan(files, flags, found.value, surroundings)
  return flags.standby && !flags.dryRun ? await standBy(found.value, flags, surroundings, begin) : await begin()
}

async function runPlan(files: readonly string[], flags: Flags, found: WithWorkspace, surroundings: Surroundings) {
  const since = Date.now()
  const { workspace, repeat } = found
  const { err, env: environment } = surroundings
  const { json = false, quiet, dryRun: isDryRun = false } = flags
  workspace.lookAhead()
  const base = flags.dirty ? await readDirtyCommit(workspace) : ok(flags.base)
  if (!base.ok) return refuseWith(base.problems, surroundings)
  const loaded = await loadPlan(files, found, flags, surroundings)
  if (!loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { plan, source, warnings } = loaded.value
  err.write(problemLines(warnings, err, sourceLine(source, plan.tasks.length)))
  const runner = await fleetRunnerFor(workspace.folder.database)
  const options = { ...loaded.value, base: base.value, environment, runner }
  const before = await inspectBeforeRun(workspace, options, { isDryRun, repeat })
  if (plan.tasks.length === 0) {
    err.write(problemLines(before.warnings, err, 'Nothing left to do'))
    return EXIT.done
  }
  const resumable = isDryRun || flags.new ? null : before.resumable
  const choice = await resumeOrNew(resumable, { repeat, json }, surroundings)
  if (!choice.ok) return refuseWith(choice.problems, surroundings)
  if (choice.value === 'cancel') return EXIT.interrupted
  if (choice.value !== 'new') return await continueRun(found, { run: choice.value.resume, flags, since }, surroundings)
  err.write(problemLines(before.warnings, err))
  if (before.refusals.length > 0) return refuseWith(before.refusals, surroundings)
  // Whoever was asked something may have committed since.
  const opened = isDryRun ? null : await openRun(workspace, options, resumable ? null : before.start)
  err.write(problemLines(await before.uncommitted, err))
  if (!opened) return dryRun(options, json, surroundings)
  if (!opened.ok) return refuseWith(opened.problems, surroundings)
  await using run = opened.value
  return await runToRest(run, { json, quiet, since, repeat }, surroundings)
}
