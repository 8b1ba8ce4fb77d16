// `--standby`: waits while another coordinator leads, and goes on with its run when that one is gone.
import { listRuns } from '../../index.ts'
import { awaitLead, isLed, migrateStore } from '../../internal.ts'
import { EXIT, type ExitStatus, exitStatusOf } from '../exit-status.ts'
import type { WithWorkspace } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { type ContinueFlags, continueRun } from './continue-run.ts'

/** `begin`: what the command does where nobody leads, and nobody has led while it waited. */
export async function standBy(
  found: WithWorkspace,
  flags: ContinueFlags & { run?: string | undefined },
  surroundings: Surroundings,
  begin: () => Promise<ExitStatus>,
): Promise<ExitStatus> {
  const { workspace } = found
  // Who looks only cannot tell a store that is not made yet from one that cannot be reached.
  const ready = workspace.exists ? await migrateStore(workspace.folder.database) : null
  if (ready && !ready.ok) return refuseWith(ready.problems, surroundings)
  const began = Date.now()
  for (let hasWaited = false; ; ) {
    await awaitLead(workspace, {
      tell({ pid, host }) {
        hasWaited = true
        surroundings.err.write(`standing by: process ${pid}${host === null ? '' : ` on ${host}`} leads\n`)
      },
    })
    const status = hasWaited ? await takeOver(found, { ...flags, began }, surroundings) : null
    const ended = status ?? (await begin())
    // Another who stood by may have been faster.
    const led = ended === EXIT.badInput ? await isLed(workspace) : null
    if (!led?.ok || led.value === null) return ended
  }
}

/** Null: whoever led left nothing to go on with, and no result since this one began to wait. */
async function takeOver(
  found: WithWorkspace,
  { began, run, ...flags }: ContinueFlags & { began: number; run?: string | undefined },
  surroundings: Surroundings,
): Promise<ExitStatus | null> {
  const runs = await listRuns(found.workspace)
  if (!runs.ok) return refuseWith(runs.problems, surroundings)
  const left = runs.value.find((one) => (run === undefined ? one.resumable : one.run === run))
  if (left?.resumable) {
    surroundings.err.write(`taking over run ${left.run}\n`)
    return await continueRun(found, { run: left.run, flags, since: Date.now() }, surroundings)
  }
  const over = left ?? runs.value.find(({ finishedAt }) => finishedAt !== null && finishedAt >= began)
  if (!over) return null
  surroundings.err.write(`run ${over.run} has finished (${over.status}): nothing to take over\n`)
  return exitStatusOf({ status: over.status, interrupted: false })
}
