// `--standby`: waits while another coordinator leads, and continues its run when it is gone.

import { migrateStore } from '../../store/open.ts'
import { awaitLead, isLed } from '../../workspace/lock.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import { EXIT, exitStatusOf } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type Done, statusOf } from '../refusal.ts'
import { type ContinueFlags, continueRun } from './continue-run.ts'

/** `begin`: the normal action of the command, if no other process leads or has led meanwhile. */
export async function standBy(
  flags: ContinueFlags & { run?: string | undefined },
  begin: () => Promise<Done>,
  here: InWorkspace,
): Promise<Done> {
  const { workspace } = here
  // Creates a missing store: `awaitLead` only reads, and takes a missing store for an unreachable one.
  const ready = workspace.exists ? await migrateStore(workspace.folder.database) : null
  if (ready && !ready.ok) return ready
  const began = Date.now()
  for (let hasWaited = false; ; ) {
    await awaitLead(workspace, {
      tell({ pid, host }) {
        hasWaited = true
        here.err.write(`standing by: process ${pid}${host === null ? '' : ` on ${host}`} leads\n`)
      },
    })
    const status = hasWaited ? await takeOver({ ...flags, began }, here) : null
    const ended = statusOf(status ?? (await begin()), here, flags)
    // Another standby process may have been faster.
    const led = ended === EXIT.badInput ? await isLed(workspace) : null
    if (!led?.ok || led.value === null) return ended
  }
}

/** Null: the former leader left no run to resume, and none that finished since `began`. */
async function takeOver(
  { began, run, ...flags }: ContinueFlags & { began: number; run?: string | undefined },
  here: InWorkspace,
): Promise<Done | null> {
  const runs = await listRuns(here.workspace)
  if (!runs.ok) return runs
  const left = runs.value.find((one) => (run === undefined ? one.resumable : one.run === run))
  if (left?.resumable) {
    here.err.write(`taking over run ${left.run}\n`)
    return await continueRun({ run: left.run, flags, since: Date.now() }, here)
  }
  const over = left ?? runs.value.find(({ finishedAt }) => finishedAt !== null && finishedAt >= began)
  if (!over) return null
  here.err.write(`run ${over.run} has finished (${over.status}): nothing to take over\n`)
  return exitStatusOf({ status: over.status, interrupted: false })
}
