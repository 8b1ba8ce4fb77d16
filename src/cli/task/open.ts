import { openWork } from '../../engine/query/work-of-task.ts'
import { inWorkspace, NEWEST_RUN, ONE_OBJECT } from '../command-line/command.ts'
import { knownRun, taskIn } from '../inputs/known-run.ts'

export const commands = {
  open: inWorkspace(
    { run: NEWEST_RUN, json: ONE_OBJECT },
    `
Of an entry of a suite that failed: its worktree as it was, where it was kept. Otherwise a worktree of your repository
at the work of its last attempt. \`espalier clean\` removes both with the run.

Example:
  cd "$(espalier open e2e)"`,
    async ({ workspace, err }, flags, name: string) => {
      const known = await knownRun(workspace, flags.run)
      if (!known.ok) return known
      const { run } = known.value
      const named = await openWork(workspace, { run, name })
      // An unknown name is refused with the list of tasks.
      const task = named.ok ? null : await taskIn(workspace, known.value, name)
      if (task && !task.ok) return task
      const opened = task && task.value !== name ? await openWork(workspace, { run, name: task.value }) : named
      if (!opened.ok) return opened
      const { path, command, kind, task: found } = opened.value
      if (command !== null && kind === 'kept' && !flags.json) err.write(`ran: ${command}\n`)
      if (kind === 'base' && !flags.json)
        err.write(`what ${found} left is not kept: this is the commit it started from\n`)
      // Alone on stdout, for `cd "$(espalier open …)"`.
      return { json: opened.value, lines: [path] }
    },
  ),
}
