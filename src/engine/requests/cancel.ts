// Cancelling from another process: a request to the engine of the run or, if none works, carried out here.
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView } from '../../view.ts'
import { readKnownRun, readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type Cancelled = {
  run: string
  task: string | null
  /**
   * `to-engine`: it ends the running tasks. `carried-out`: no engine was there, so it was done here. `recorded`: the next
   * `resume` does it first.
   */
  delivered: 'to-engine' | 'carried-out' | 'recorded'
  again: boolean
}

export async function requestCancel(
  workspace: Workspace,
  options: { run?: string | undefined; task?: string | undefined } = {},
): Promise<Result<Cancelled>> {
  const { task } = options
  const found = await readKnownRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  if (!view.resumable) return isOver(view)
  const mine = view.tasks.find((one) => one.id === task)
  if (task !== undefined && !mine) return refuse(`run ${view.run} has no task ${task}: \`espalier status\` lists them`)
  if (mine?.status === 'cancelled') return ok({ run: view.run, task: mine.id, delivered: 'carried-out', again: true })
  if (mine && mine.finishedAt !== null)
    return refuse(`${mine.id} of run ${view.run} has finished (${mine.status}): nothing to cancel`)
  const left = await workspace.write(async (store) => {
    const earlier = await store.requests(view.run, 0)
    await store.request(
      view.run,
      task === undefined ? { type: 'run.cancelled', request: null } : { type: 'task.cancelled', task, request: null },
    )
    return ok(
      earlier.some(
        ({ fact }) => fact.type === 'run.cancelled' || (fact.type === 'task.cancelled' && fact.task === task),
      ),
    )
  })
  if (!left.ok) return left
  const again = left.value
  if (view.engine) return ok({ run: view.run, task: task ?? null, delivered: 'to-engine', again })
  if (task !== undefined) return ok({ run: view.run, task, delivered: 'recorded', again })
  return carryOut(workspace, view.run)
}

/**
 * The request is in the store. If somebody resumes the run at this moment, that engine finds it. The engine's code is loaded
 * only here.
 */
async function carryOut(workspace: Workspace, run: string): Promise<Result<Cancelled>> {
  const { resumeRun } = await import('../open/resume-run.ts')
  const answer = (delivered: Cancelled['delivered']) => ok<Cancelled>({ run, task: null, delivered, again: false })
  let refused: Result<Cancelled> = answer('recorded')
  for await (const _ of workspace.changes({ signal: AbortSignal.timeout(WAIT_MS), atLeastEveryMs: LOOK_MS })) {
    const resumed = await resumeRun(workspace, { run })
    if (resumed.ok) {
      await using mine = resumed.value
      const { stuck } = await mine.execute()
      return stuck === null ? answer('carried-out') : refuse(stuck)
    }
    const found = await readRun(workspace, { run })
    if (!found.ok) return found
    const view = found.value
    if (view && !view.resumable) return view.status === 'cancelled' ? answer('carried-out') : isOver(view)
    if (view?.engine) return answer('to-engine')
    refused = resumed
  }
  // The lock's holder has not said which run it is for. If it is another one, this one waits.
  return workspace.engine ? answer('recorded') : refused
}

const WAIT_MS = 2_000
const LOOK_MS = 100

function isOver({ run, status }: RunView): Result<Cancelled> {
  return refuse(`run ${run} has finished (${status}): nothing to cancel`)
}
