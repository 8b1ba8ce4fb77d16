import { KNOWN_AGENTS } from '../../agents/list.ts'
import { inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { refuse } from '../../problem.ts'
import {
  EXIT_STATUSES,
  flag,
  INTERRUPTION,
  inWorkspace,
  RUN_FLAGS,
  STANDBY,
  START_FLAGS,
} from '../command-line/command.ts'
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
    `
If the last run of the plan was interrupted, you are asked whether to resume it; without a terminal, \`run\` refuses to
start.
${INTERRUPTION}

In a terminal you see the run live, in a pipe one line per event. With --json every event is a line of JSON on stdout
and the last one is {"type":"run.finished",…} with the result; everything else goes to stderr.
${EXIT_STATUSES}

Examples:
  espalier run                                      the plan in espalier.yaml
  espalier run plan.yaml --dry-run                  what would run, in which order; needs no agent
  espalier run plan.yaml -j 8                       eight tasks at a time
  espalier run plan.yaml --agent claude             Claude Code gets every prompt (or ${KNOWN_AGENTS.slice(1).join(', ')}),
                                                    whatever \`agent\` and \`agents\` of the plan say
  espalier run plan.yaml --command 'my-agent -q'    this program gets every prompt, with a part of your environment
                                                    (PATH, HOME …): \`envAllow\` in the settings adds more
  espalier run tasks.md --base espalier/shop-1      starts from the branch of an earlier run
  espalier run plan.yaml --budget-usd 20            no more tasks start once 20 dollars are spent; a warning at 16
  espalier run plan.yaml --json | jq -c .type`,
    async (here, flags, files: readonly string[]) => {
      const begin = () => runPlan(files, flags, here)
      if (!flags.standby || flags.dryRun) return await begin()
      const { standBy } = await import('../live/standby.ts')
      return await standBy(flags, begin, here)
    },
    {
      args: ['its file, files or folder; default: espalier.yaml here, or at the top of the repository'],
      rare: `
  espalier run plan.yaml --strict                   the first failure stops the run
  espalier run plan.md --part 1-3                   a plan of another format; \`plan check\` shows how it is read
  espalier run tasks.md --no-write-back             without writing task statuses into that file
  espalier run plan.yaml --store postgres://db/team --standby
                                                    the same on two machines: one leads, the other takes over`,
    },
  ),
}

type Flags = ContinueFlags & { base?: string; dirty?: boolean; new?: boolean; dryRun?: boolean }

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
