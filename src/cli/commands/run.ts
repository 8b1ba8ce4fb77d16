import { KNOWN_AGENTS } from '../../agents/list.ts'
import { inspectBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { type Problem, problem, refuse } from '../../problem.ts'
import { flag, inWorkspace, RUN_FLAGS, STANDBY, START_FLAGS } from '../command-line/command.ts'
import { EXIT_STATUSES, INTERRUPTION } from '../command-line/long-help.ts'
import { EXIT } from '../exit-status.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { resumeOrNew } from '../inputs/resume-or-new.ts'
import type { ContinueFlags } from '../live/continue-run.ts'
import { sourceLine } from '../plan/source.ts'
import { type Done, problemLines } from '../refusal.ts'

const RUN_HELP = `
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
  espalier run plan.yaml --json | jq -c .type`

/** Examples with flags that only `--help --all` explains. */
const RARE_EXAMPLES_OF_RUN = `
  espalier run plan.yaml --strict                   the first failure stops the run
  espalier run plan.md --part 1-3                   a plan of another format; \`plan check\` shows how it is read
  espalier run tasks.md --no-write-back             without writing task statuses into that file
  espalier run plan.yaml --store postgres://db/team --standby
                                                    the same on two machines: one leads, the other takes over`

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
      const begin = () => startRun(files, flags, here)
      if (!flags.standby || flags.dryRun) return await begin()
      return (await import('../live/standby.ts')).standBy(flags, begin, here)
    },
    {
      args: ['its file, files or folder; default: espalier.yaml here, or at the top of the repository'],
      rare: RARE_EXAMPLES_OF_RUN,
    },
  ),
}

type StartFlags = ContinueFlags & { base?: string; dirty?: boolean; new?: boolean; dryRun?: boolean }

/** Loads the engine only after all checks have passed. */
async function startRun(files: readonly string[], flags: StartFlags, here: InWorkspace): Promise<Done> {
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
  return await (await import('../live/follow-run.ts')).runToRest(run, { json, quiet, since }, here)
}

/** Turns an error into a warning: the run is open already. */
function orWarning(found: Promise<Problem[]>): Promise<Problem[]> {
  return found.catch((error: Error) => [
    problem(`uncommitted changes could not be looked for: ${error.message}`, { severity: 'warning' }),
  ])
}
