import type { Commands } from '../command-line/calls.ts'
import { EXIT_STATUSES, withFormat, withRepository } from '../command-line/flags.ts'
import { INTERRUPTION, withRareHidden, withRunFlags } from '../command-line/flags-of-run.ts'
import { knownRun, taskIn } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { SettingsFlags } from '../inputs/run-flags.ts'
import { type ContinueFlags, continueRun, type Unknown } from '../live/continue-run.ts'
import type { Done } from '../refusal.ts'

export const commands: Commands = {
  retry: (retry, { inWorkspace, withRare }) => {
    withRepository(withFormat(withRunFlags(retry)))
      .option('--run <run>', 'the run; default: the newest')
      .option('--replan [file]', 'apply plan changes to tasks that are not done')
      .addHelpText('after', HELP)
      .action(inWorkspace(retryTasks))
    withRareHidden(retry, withRare)
  },
}

type Flags = SettingsFlags & ContinueFlags & { run?: string }

/** `tasks`: their ids, or what the plan file calls them; none for all that did not succeed. */
async function retryTasks(tasks: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const known = await knownRun(here.workspace, flags.run)
  if (!known.ok) return known
  const { run } = known.value
  const [ids, unknown]: [string[], Unknown[]] = [[], []]
  for (const name of tasks) {
    const task = await taskIn(here.workspace, known.value, name)
    if (task.ok) ids.push(task.value)
    // The plan as it is now may have it.
    else if (flags.replan !== undefined) unknown.push({ name, problems: task.problems })
    else return task
  }
  return await continueRun({ run, again: tasks.length > 0 ? ids : 'all', unknown, flags, since }, here)
}

const HELP = `
For a finished run. Without TASK: everything that failed, was blocked or cancelled. With TASK: these, and what they block.
The run continues on its branch: what landed stays, and each retried task has all its tries again, from what has landed.
What was spent so far counts. Settings are those the run began with, except for the flags given here.
With --replan tasks are retried as the plan is written now, and can be named as they are there.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier retry
  espalier retry api docs --run checkout-7
  espalier retry --replan    after you fixed the prompt of what failed`
