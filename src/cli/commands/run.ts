import { ok, refuse } from '../../problem.ts'
import { flag, inWorkspace, RUN_FLAGS, STANDBY, START_FLAGS } from '../command-line/command.ts'
import { RARE_EXAMPLES_OF_RUN, RUN_HELP } from '../command-line/run-and-resume-help.ts'
import { planOfSpec } from '../inputs/find-plans.ts'
import { startRun } from '../live/start-run.ts'

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
      parallel: flag('--parallel', 'accepted: tasks always run in parallel'),
      spec: flag('--spec <number>', 'the plan of .auto-claude/specs/NUMBER-…'),
    },
    RUN_HELP,
    async (here, flags, named: readonly string[]) => {
      if (flags.spec !== undefined && named.length > 0) return refuse('name a plan or a --spec, not both')
      const files = flags.spec === undefined ? ok(named) : planOfSpec(flags.spec, here)
      if (!files.ok) return files
      const begin = () => startRun(files.value, flags, here)
      if (!flags.standby || flags.dryRun) return await begin()
      return (await import('../live/standby-coordinator.ts')).standBy(flags, begin, here)
    },
    {
      args: ['its file, files or folder; default: espalier.yaml here, or at the top of the repository'],
      rare: RARE_EXAMPLES_OF_RUN,
    },
  ),
}
