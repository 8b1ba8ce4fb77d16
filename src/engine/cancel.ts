// Cancelling from another process: a request in the store, answered by the engine that works on the run, or, where
// none does, carried out here and now.
import { ok, type Result, refuse } from '../problem.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import { resumeRun } from './open.ts'
import { folderOf, readRun, type Where } from './read.ts'

export type Cancelled = {
  run: string
  task: string | null
  /** `to-engine`: it ends what runs now. `carried-out`: no engine was there, so it was done here. `recorded`: the next `resume` does it first. */
  delivered: 'to-engine' | 'carried-out' | 'recorded'
}

export async function requestCancel(
  where: Where & { run?: string | undefined; task?: string | undefined },
): Promise<Result<Cancelled>> {
  const { task } = where
  const found = await readRun(where)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(where.run ? `there is no run ${where.run}` : 'there is no run yet')
  if (!view.resumable) return refuse(`run ${view.run} is over (${view.status}): there is nothing to cancel`)
  if (task !== undefined && !view.tasks.some((one) => one.id === task))
    return refuse(`run ${view.run} has no task ${task}: \`espalier status\` lists them`)
  const folder = await folderOf(where)
  if (!folder.ok) return folder
  const opened = openSqliteStore(folder.value.database)
  if (!opened.ok) return opened
  {
    await using store = opened.value
    await store.request(view.run, { type: 'cancel', task: task ?? null })
  }
  const toEngine = ok<Cancelled>({ run: view.run, task: task ?? null, delivered: 'to-engine' })
  if (view.engine) return toEngine
  if (task !== undefined) return ok({ run: view.run, task, delivered: 'recorded' })
  const resumed = await resumeRun({ repo: where.repo, stateDir: where.stateDir, run: view.run })
  // Somebody resumed it at the same moment: that engine finds the request.
  if (!resumed.ok) return (await engineOf(where, view.run)) ? toEngine : resumed
  await using run = resumed.value
  await run.execute()
  return ok({ run: view.run, task: null, delivered: 'carried-out' })
}

async function engineOf(where: Where, run: string): Promise<{ pid: number } | null> {
  const view = await readRun({ ...where, run })
  return view.ok ? (view.value?.engine ?? null) : null
}
