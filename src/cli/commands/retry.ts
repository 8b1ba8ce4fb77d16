import { flag, inWorkspace, NEWEST_RUN, RUN_FLAGS } from '../command-line/command.ts'
import { RETRY_HELP } from '../command-line/long-help.ts'
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
    RETRY_HELP,
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
