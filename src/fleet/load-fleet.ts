// Loads the code that talks to Postgres and to workers when it is needed, because it is large.
import type { MakeRunner } from '../engine/open/check-before-run.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { unlessStoreTrouble } from '../store/open.ts'
import { isPostgresUrl } from '../store/place.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Assignments, WorkerRow } from './fleet-database.ts'
import type { WorkerOptions } from './worker/worker.ts'

export const NEEDS_POSTGRES =
  'workers need a store on Postgres: start the run and the server with `ESPALIER_STORE=postgres://…`'

/** Refused if the store is not on Postgres. */
export async function openFleet(url: string, role: 'engine' | 'server'): Promise<Result<Assignments>> {
  if (!isPostgresUrl(url)) return refuse(NEEDS_POSTGRES)
  return (await import('./fleet-database.ts')).assignmentsAt(url, role)
}

/** Undefined: attempts run only on this machine. */
export async function fleetRunnerFor(url: string): Promise<MakeRunner | undefined> {
  return isPostgresUrl(url) ? (await import('./remote-runner.ts')).fleetRunner : undefined
}

export async function runWorker(options: WorkerOptions, drain: AbortSignal): Promise<Result<void>> {
  return (await import('./worker/run-worker.ts')).work(options, drain)
}

export type FleetWorker = Omit<WorkerRow, 'token' | 'beats'> & { isThere: boolean }

export async function readWorkers(workspace: Workspace, fleet?: Assignments): Promise<Result<FleetWorker[]>> {
  const { database } = workspace.folder
  const opened = fleet ? ok(fleet) : await openFleet(database, 'server')
  if (!opened.ok) return opened
  const { FLEET } = await import('./limits.ts')
  try {
    return await unlessStoreTrouble(database, async () => {
      const rows = await opened.value.workers()
      return ok(
        rows.map(({ token: _, beats: __, ...row }) => {
          const isThere = !row.hasLeft && row.silentMs < FLEET.lostAfterMs
          return { ...row, isThere, doing: isThere ? row.doing : [] }
        }),
      )
    })
  } finally {
    if (!fleet) await opened.value[Symbol.asyncDispose]()
  }
}
