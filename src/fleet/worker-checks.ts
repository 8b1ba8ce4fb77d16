// What `espalier doctor` says of workers: whether each is heard of, its clock, its version, and the agents it has.
import type { DoctorCheck } from '../engine/doctor/doctor-check.ts'
import { isPostgresUrl } from '../store/open.ts'
import { formatDuration } from '../text/duration.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { readWorkers } from './open-fleet.ts'

/** None where the store is no Postgres. */
export async function workerChecks(workspace: Workspace): Promise<DoctorCheck[]> {
  if (!isPostgresUrl(workspace.folder.database)) return []
  const read = await readWorkers(workspace)
  if (!read.ok) return read.problems.map(({ message }) => ({ name: 'workers', state: 'fail', message }))
  const shown = read.value.filter(({ hasLeft }) => !hasLeft)
  if (shown.length === 0) return [{ name: 'workers', state: 'ok', message: 'none have joined' }]
  const versions = new Set(shown.map(({ machine }) => machine.version))
  return shown.map(({ name, isThere, silentMs, skewMs, machine, slots, labels }): DoctorCheck => {
    const troubles = [
      ...(isThere ? [] : [`not heard of for ${formatDuration(silentMs)}`]),
      ...(Math.abs(skewMs) < SKEW_MS ? [] : [`its clock is off by ${formatDuration(Math.abs(skewMs))}`]),
      ...(versions.size === 1 ? [] : [`it is version ${machine.version}, and others are not`]),
      ...(machine.agents.length > 0 ? [] : ['no agent is installed there: it can only do `run:` tasks']),
    ]
    const has = [`${slots} slots`, ...labels, machine.platform, `agents: ${machine.agents.join(', ') || 'none'}`].join(
      ', ',
    )
    const message = `${name}: ${[...troubles, has].join('; ')}`
    return { name: 'workers', state: troubles.length > 0 ? 'warn' : 'ok', message }
  })
}

const SKEW_MS = 5_000
