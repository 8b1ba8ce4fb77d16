// Changing how many tasks run at the same time while a run is going: a request in the store, answered by its engine. With
// fewer than run now, none is stopped: the next starts when enough have ended.
import { LIMITS } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { readSettingsOf, readSummary } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type ChangedSlots = { run: string; maxConcurrency: number; delivered: 'to-engine' }

export async function requestSlots(
  workspace: Workspace,
  { run, slots }: { run: string; slots: number },
): Promise<Result<ChangedSlots>> {
  if (!(Number.isInteger(slots) && slots >= 1 && slots <= LIMITS.slots))
    return refuse(`it must be a whole number from 1 to ${LIMITS.slots}`)
  const summary = await readSummary(workspace, { run })
  if (!summary.ok) return summary
  if (!summary.value) return refuse(`there is no run ${run}`)
  if (!summary.value.resumable) return refuse(`run ${run} has finished (${summary.value.status})`)
  if (!summary.value.engine)
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
