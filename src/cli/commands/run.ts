import { inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { refuse } from '../../problem.ts'
import { flag, inWorkspace, RUN_FLAGS, STANDBY, START_FLAGS } from '../command-line/command.ts'
import { RARE_EXAMPLES_OF_RUN, RUN_HELP } from '../command-line/long-help.ts'
import { EXIT } from '../exit-status.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { resumeOrNew } from '../inputs/resume-or-new.ts'
import type { ContinueFlags } from '../live/continue-run.ts'
import { sourceLine } from '../plan/source.ts'
import { type Done, problemLines } from '../refusal.ts'

export const commands = {
  run: inWorkspace(
    {
      ...RUN_FLAGS,
      ...START_FLAGS,
      base: flag('--base <rev>', 'start from this commit instead of the base of the plan or HEAD'),
      dirty: flag('--dirty', 'start from your checkout as it is, uncommitted changes and new files included').conflicts(
        'base',
      ),
      new: flag('--new', 'start a new run even if the last one of this plan was interrupted'),
      dryRun: flag('--dry-run', 'print what would run, without running it'),
      standby: STANDBY,
    },
    RUN_HELP,
    async (here, flags, files: readonly string[]) => {
      const begin = () => runPlan(files, flags, here)
      if (!flags.standby || flags.dryRun) return await begin()
      return (await import('../live/standby.ts')).standBy(flags, begin, here)
    },
    {
      args: ['its file, files or folder; default: espalier.yaml here, or at the top of the repository'],
      rare: RARE_EXAMPLES_OF_RUN,
    },
  ),
}

type Flags = ContinueFlags & { base?: string; dirty?: boolean; new?: boolean; dryRun?: boolean }

/** The engine is loaded when nothing speaks against the run. */
async function runPlan(files: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
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
    return EXIT.done
  }
  const resumable = isDryRun || flags.new ? null : before.resumable
  const choice = resumable && (await resumeOrNew(resumable, here, json))
  if (choice && !choice.ok) return choice
  if (choice?.value === 'cancel') return EXIT.interrupted
  if (choice?.value === 'resume')
    return (await import('../live/continue-run.ts')).continueRun({ run: resumable?.run, flags, since }, here)
  err.write(problemLines(before.warnings, err))
  if (before.refusals.length > 0) return refuse(...before.refusals)
  const engine = isDryRun ? null : await import('../../engine/open/open-run.ts')
  // Whoever was asked something may have committed since.
  const opened = await engine?.openRun(workspace, options, resumable ? null : before.start)
  err.write(problemLines(await before.uncommitted, err))
  if (!opened) return (await import('../plan/dry-run.ts')).dryRun(options, here)
  if (!opened.ok) return opened
  await using run = opened.value
  return await (await import('../live/follow-run.ts')).runToRest(run, { json, quiet, since }, here)
}
