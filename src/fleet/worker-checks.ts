// Checks of `espalier doctor`: the answer of the store, and heartbeat, clock, version and agents of each worker.
import type { Settings } from '../config.ts'
import type { DoctorCheck } from '../engine/doctor/agent-checks.ts'
import { isPostgresUrl, storeName } from '../store/place.ts'
import { formatDuration } from '../text/duration.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type FleetWorker, readWorkers } from './load-fleet.ts'

/** Version and default agent of the engine. */
type Own = { version: string; agent: Settings['agent'] }

/** Empty if the store is not on Postgres. */
export async function workerChecks(workspace: Workspace, own: Own): Promise<DoctorCheck[]> {
  const { database } = workspace.folder
  if (!isPostgresUrl(database)) return []
  const read = await readWorkers(workspace)
  if (!read.ok) return read.problems.map(({ message }) => ({ name: 'workers', state: 'fail', message }))
  const store: DoctorCheck = { name: 'store', state: 'ok', message: `${storeName(database)} answers` }
  const shown = read.value.filter(({ hasLeft }) => !hasLeft)
  if (shown.length === 0) return [store, { name: 'workers', state: 'ok', message: 'none have joined' }]
  return [store, ...shown.map((worker) => workerCheck(worker, own))]
}

function workerCheck(
  { name, isThere, silentMs, skewMs, machine, slots, labels }: FleetWorker,
  { version, agent }: Own,
): DoctorCheck {
  const { agents, platform } = machine
  const troubles = [
    ...(isThere ? [] : [`not heard of for ${formatDuration(silentMs)}`]),
    ...(Math.abs(skewMs) < SKEW_MS ? [] : [`its clock is off by ${formatDuration(Math.abs(skewMs))}`]),
    ...(machine.version === version ? [] : [`it is version ${machine.version}, and this is ${version}`]),
    ...(agents.length > 0 ? [] : ['no agent is installed there: it can only do `run:` tasks']),
    ...(agent === 'command' || agents.length === 0 || agents.includes(agent)
      ? []
      : [`${agent} is not installed there, and tasks use it by default`]),
  ]
  const has = [`${slots} slots`, ...labels, platform, `agents: ${agents.join(', ') || 'none'}`].join(', ')
  const message = `${name}: ${[...troubles, has].join('; ')}`
  return { name: 'workers', state: troubles.length > 0 ? 'warn' : 'ok', message }
}

const SKEW_MS = 5_000
