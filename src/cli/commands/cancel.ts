import { requestCancel } from '../../index.ts'
import type { ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { run?: string; json?: boolean }

export async function cancel(name: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, repeat } = found.value
  const known = await knownTask(workspace, flags.run, name)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { task } = known.value
  const { run } = known.value.view
  const cancelled = await requestCancel(workspace, { run, task })
  if (!cancelled.ok) return refuseWith(cancelled.problems, surroundings)
  if (flags.json) return printJson(cancelled.value, surroundings)
  const what = task === undefined ? `run ${run}` : `${task} of run ${run}`
  const { delivered, again } = cancelled.value
  const said = {
    'to-engine': `${again ? `${what} is being cancelled already` : `cancelling ${what}`}: \`espalier status ${run}${repeat}\` shows when it is done`,
    'carried-out': again ? `${what} was cancelled before` : `cancelled ${what}`,
    recorded: `run ${run} is not running: \`espalier resume ${run}${repeat}\` will cancel ${task ?? 'it'} first`,
  }
  return printLines([said[delivered]], surroundings)
}
