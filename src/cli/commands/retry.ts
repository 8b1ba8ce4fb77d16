import { EXIT_STATUSES, flag, INTERRUPTION, inWorkspace, NEWEST_RUN, RUN_FLAGS } from '../command-line/command.ts'
import { knownRun, taskIn } from '../inputs/known-run.ts'
import { continueRun, type Unknown } from '../live/continue-run.ts'

/** `tasks`: their ids, or what the plan file calls them; none for all that did not succeed. */
export const commands = {
  retry: inWorkspace(
    {
      ...RUN_FLAGS,
      run: NEWEST_RUN,
      replan: flag('--replan [file]', 'apply plan changes to tasks that are not done'),
    },
    `
For a finished run. Without TASK: everything that failed, was blocked or cancelled. With TASK: these, and what they block.
The run continues on its branch: what landed stays, and each retried task has all its tries again, from what has landed.
What was spent so far counts. Settings are those the run began with, except for the flags given here.
With --replan tasks are retried as the plan is written now, and can be named as they are there.
${INTERRUPTION}
${EXIT_STATUSES}

Examples:
  espalier retry
  espalier retry api docs --run checkout-7
  espalier retry --replan    after you fixed the prompt of what failed`,
    async (here, flags, tasks: readonly string[]) => {
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
    },
    { rare: '' },
  ),
}
