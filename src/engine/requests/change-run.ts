// Requests to a run from another process: other slots, another priority, cancelling. They are in the store, for the engine of the
// run, or for the next one. A run without an engine is cancelled here.
import { LIMITS } from '../../config.ts'
import type { RequestedFact } from '../../event.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import type { RunNow, RunView } from '../../view.ts'
import { readKnownRun, readRun, readSettingsOf, readSummary, readTaskView } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** `delivered`: `recorded`: no engine works on the run, and the next `resume` begins with it. */
export async function requestPriority(
  workspace: Workspace,
  { run, task, priority }: { run: string; task: string; priority: number },
): Promise<Result<{ run: string; task: string; priority: number; delivered: 'to-engine' | 'recorded' }>> {
  if (!Number.isFinite(priority)) return refuse('a priority is a number: higher goes first')
  const going = await runGoingOn(workspace, run)
  if (!going.ok) return going
  const found = await readTaskView(workspace, { run, task })
  if (!found.ok) return found
  if (!found.value) return refuse(`run ${run} has no task ${task}: \`espalier status\` lists them`)
  if (found.value.finishedAt !== null) return refuse(`${task} of run ${run} has finished (${found.value.status})`)
  const left = await request(workspace, run, { type: 'priority.changed', task, priority, request: null })
  return mapped(left, () => ({ run, task, priority, delivered: going.value.engine ? 'to-engine' : 'recorded' }))
}

/** With fewer slots than running tasks none is stopped: the next starts when enough have ended. */
export async function requestSlots(
  workspace: Workspace,
  { run, slots }: { run: string; slots: number },
): Promise<Result<{ run: string; maxConcurrency: number; delivered: 'to-engine' }>> {
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
  const left = await request(workspace, run, { type: 'slots.changed', slots, request: null })
  return mapped(left, () => ({ run, maxConcurrency: slots, delivered: 'to-engine' }))
}

const MOST_PORT = 65_535

function request(workspace: Workspace, run: string, fact: RequestedFact): Promise<Result<number>> {
  return workspace.write(async (store) => ok(await store.request(run, fact)))
}

async function runGoingOn(workspace: Workspace, run: string): Promise<Result<RunNow>> {
  const summary = await readSummary(workspace, { run })
  if (!summary.ok) return summary
  if (!summary.value) return refuse(`there is no run ${run}`)
  if (!summary.value.resumable) return refuse(`run ${run} has finished (${summary.value.status})`)
  return ok(summary.value)
}

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
  const earlier = await workspace.write(async (store) => ok(await store.requests(view.run, 0)))
  if (!earlier.ok) return earlier
  const again = earlier.value.some(({ fact }) => {
    return fact.type === 'run.cancelled' || (fact.type === 'task.cancelled' && fact.task === task)
  })
  const left = await request(
    workspace,
    view.run,
    task === undefined ? { type: 'run.cancelled', request: null } : { type: 'task.cancelled', task, request: null },
  )
  if (!left.ok) return left
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
