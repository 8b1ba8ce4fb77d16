// The way to everything that talks to Postgres and to workers: loaded when it is needed, because it is large.
import type { MakeRunner } from '../engine/open/check-before-run.ts'
import { ok, type Result, refuse } from '../problem.ts'
import type { TaskView } from '../status.ts'
import { isPostgresUrl } from '../store/open.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Assignments, WorkerRow } from './assignments.ts'
import type { WorkerOptions } from './worker/worker.ts'

export const NEEDS_POSTGRES =
  'workers need a store on Postgres: start the run and the server with `--store postgres://…` (`espalier store copy` moves what there is)'

/** Refused where the store is no Postgres: there are no workers then. */
export async function openFleet(url: string, role: 'engine' | 'server'): Promise<Result<Assignments>> {
  if (!isPostgresUrl(url)) return refuse(NEEDS_POSTGRES)
  return (await import('./assignments.ts')).assignmentsAt(url, role)
}

/** Who executes the attempts of runs in this store; undefined: only this process. */
export async function fleetRunnerFor(url: string): Promise<MakeRunner | undefined> {
  return isPostgresUrl(url) ? (await import('./remote-runner.ts')).fleetRunner : undefined
}

export async function runWorker(options: WorkerOptions, drain: AbortSignal): Promise<Result<void>> {
  return (await import('./worker/worker.ts')).work(options, drain)
}

/** `doing`: the tasks it has, as `run/task`. */
export type FleetWorker = Omit<WorkerRow, 'token' | 'beats'> & { isThere: boolean; doing: string[] }

export async function readWorkers(workspace: Workspace, fleet?: Assignments): Promise<Result<FleetWorker[]>> {
  const opened = fleet ? ok(fleet) : await openFleet(workspace.folder.database, 'server')
  if (!opened.ok) return opened
  try {
    const rows = await opened.value.workers()
    const doing = await workspace.readViews<{ worker: string; name: string }[]>([], async (views) => {
      const [run] = await views.runs(1)
      const tasks = run ? [...(await views.tasks(run.run, 'running')).values()] : []
      return tasks.map((task) => ({ worker: workerOf(task), name: `${run?.run}/${task.id}` }))
    })
    if (!doing.ok) return doing
    const { FLEET } = await import('./limits.ts')
    return ok(
      rows.map(({ token: _, beats: __, ...row }) => {
        const isThere = !row.hasLeft && row.silentMs < FLEET.lostAfterMs
        const mine = doing.value.filter(({ worker }) => worker === row.name)
        return { ...row, isThere, doing: mine.map(({ name }) => name) }
      }),
    )
  } finally {
    if (!fleet) await opened.value[Symbol.asyncDispose]()
  }
}

function workerOf({ history }: TaskView): string {
  return history.at(-1)?.worker ?? ''
}
