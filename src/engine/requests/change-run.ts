// Changes of an active run from another process: requests in the store, answered by the engine of the run, or by the next one.
import { LIMITS } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunNow } from '../../view.ts'
import { readSettingsOf, readSummary, readTaskView } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type ChangedPriority = {
  run: string
  task: string
  priority: number
  /** `recorded`: no engine works on the run, and the next `resume` begins with it. */
  delivered: 'to-engine' | 'recorded'
}

export async function requestPriority(
  workspace: Workspace,
  { run, task, priority }: { run: string; task: string; priority: number },
): Promise<Result<ChangedPriority>> {
  if (!Number.isFinite(priority)) return refuse('a priority is a number: higher goes first')
  const going = await runGoingOn(workspace, run)
  if (!going.ok) return going
  const found = await readTaskView(workspace, { run, task })
  if (!found.ok) return found
  if (!found.value) return refuse(`run ${run} has no task ${task}: \`espalier status\` lists them`)
  if (found.value.finishedAt !== null) return refuse(`${task} of run ${run} has finished (${found.value.status})`)
  const left = await workspace.write(async (store) =>
    ok(await store.request(run, { type: 'priority.changed', task, priority, request: null })),
  )
  return left.ok ? ok({ run, task, priority, delivered: going.value.engine ? 'to-engine' : 'recorded' }) : left
}

type ChangedSlots = { run: string; maxConcurrency: number; delivered: 'to-engine' }

/** With fewer slots than running tasks none is stopped: the next starts when enough have ended. */
export async function requestSlots(
  workspace: Workspace,
  { run, slots }: { run: string; slots: number },
): Promise<Result<ChangedSlots>> {
  if (!(Number.isInteger(slots) && slots >= 1 && slots <= LIMITS.slots))
    return refuse(`it must be a whole number from 1 to ${LIMITS.slots}`)
  const going = await runGoingOn(workspace, run)
  if (!going.ok) return going
  if (!going.value.engine)
    return refuse(`no engine works on run ${run}: \`espalier resume ${run} -j ${slots}\` continues it with so many`)
  const settings = await readSettingsOf(workspace, { run })
  if (!settings.ok) return settings
  const ports = settings.value?.ports
  const lastPort = ports ? ports.first + (slots + LIMITS.window) * ports.perSlot - 1 : 0
  if (lastPort > MOST_PORT)
    return refuse(`there are not enough ports for ${slots} at a time: they would end at ${lastPort}`)
  const left = await workspace.write(async (store) =>
    ok(await store.request(run, { type: 'slots.changed', slots, request: null })),
  )
  return left.ok ? ok({ run, maxConcurrency: slots, delivered: 'to-engine' }) : left
}

const MOST_PORT = 65_535

async function runGoingOn(workspace: Workspace, run: string): Promise<Result<RunNow>> {
  const summary = await readSummary(workspace, { run })
  if (!summary.ok) return summary
  if (!summary.value) return refuse(`there is no run ${run}`)
  if (!summary.value.resumable) return refuse(`run ${run} has finished (${summary.value.status})`)
  return ok(summary.value)
}
