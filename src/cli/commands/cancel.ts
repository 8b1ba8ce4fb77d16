import { requestCancel } from '../../engine/requests/change-run.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, WHICH_RUN, withRepository } from '../command-line/flags.ts'
import { knownTask } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  cancel: (cancel, { inWorkspace }) =>
    withRepository(cancel)
      .option('--run <run>', WHICH_RUN)
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(cancelIt)),
}

type Flags = { run?: string; json?: boolean }

async function cancelIt(name: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace, repeat } = here
  const known = await knownTask(workspace, flags.run, name)
  if (!known.ok) return known
  const { task } = known.value
  const { run } = known.value.view
  const cancelled = await requestCancel(workspace, { run, task })
  if (!cancelled.ok) return cancelled
  if (flags.json) return printJson(cancelled.value, here)
  const what = task === undefined ? `run ${run}` : `${task} of run ${run}`
  const { delivered, again } = cancelled.value
  const said = {
    'to-engine': `${again ? `${what} is being cancelled already` : `cancelling ${what}`}: \`espalier status ${run}${repeat}\` shows when it is done`,
    'carried-out': again ? `${what} was cancelled before` : `cancelled ${what}`,
    recorded: `run ${run} is not running: \`espalier resume ${run}${repeat}\` will cancel ${task ?? 'it'} first`,
  }
  return printLines([said[delivered]], here)
}

const HELP = help(
  'Without TASK: the whole run. A running agent is stopped with all its child processes; its work so far is kept as a ref.',
  '0 requested, 2 no such run or task.',
  'espalier cancel schema',
  'espalier cancel --run checkout-7',
)
