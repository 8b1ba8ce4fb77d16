import { requestCancel } from '../../engine/requests/change-run.ts'
import { help, inWorkspace, ONE_OBJECT, WHICH_RUN } from '../command-line/command.ts'
import { knownTask } from '../inputs/known-run.ts'

export const commands = {
  cancel: inWorkspace(
    { run: WHICH_RUN, json: ONE_OBJECT },
    help(
      'Without TASK: the whole run. A running agent is stopped with all its child processes; its work so far is kept as a ref.',
      '0 requested, 2 no such run or task.',
      'espalier cancel schema',
      'espalier cancel --run checkout-7',
    ),
    async ({ workspace, repeat }, flags, name: string | undefined) => {
      const known = await knownTask(workspace, flags.run, name)
      if (!known.ok) return known
      const { task } = known.value
      const { run } = known.value.view
      const cancelled = await requestCancel(workspace, { run, task })
      if (!cancelled.ok) return cancelled
      const what = task === undefined ? `run ${run}` : `${task} of run ${run}`
      const { delivered, again } = cancelled.value
      const said = {
        'to-engine': `${again ? `${what} is being cancelled already` : `cancelling ${what}`}: \`espalier status ${run}${repeat}\` shows when it is done`,
        'carried-out': again ? `${what} was cancelled before` : `cancelled ${what}`,
        recorded: `run ${run} is not running: \`espalier resume ${run}${repeat}\` will cancel ${task ?? 'it'} first`,
      }
      return { json: cancelled.value, lines: [said[delivered]] }
    },
  ),
}
