import { openWork } from '../../engine/query/open-task-worktree.ts'
import type { Commands } from '../command-line/calls.ts'
import { withRepository } from '../command-line/flags.ts'
import { knownRun, taskIn } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  open: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--run <run>', 'the run; default: the newest')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(open)),
}

type Flags = { run?: string; json?: boolean }

async function open(name: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const known = await knownRun(workspace, flags.run)
  if (!known.ok) return known
  const { run } = known.value
  const named = await openWork(workspace, { run, name })
  // A name that the run does not have is refused with those it has.
  const task = named.ok ? null : await taskIn(workspace, known.value, name)
  if (task && !task.ok) return task
  const opened = task && task.value !== name ? await openWork(workspace, { run, name: task.value }) : named
  if (!opened.ok) return opened
  const { path, command, kind } = opened.value
  if (flags.json) return printJson(opened.value, here)
  if (command !== null && kind === 'kept') here.err.write(`ran: ${command}\n`)
  if (kind === 'base')
    here.err.write(`what ${opened.value.task} left is not kept: this is the commit it started from\n`)
  // Alone on stdout, for `cd "$(espalier open …)"`.
  return printLines([path], here)
}

const HELP = `
Of an entry of a suite that failed: its worktree as it was, where it was kept. Otherwise a worktree of your repository
at the work of its last attempt. \`espalier clean\` removes both with the run.

Example:
  cd "$(espalier open e2e)"`
