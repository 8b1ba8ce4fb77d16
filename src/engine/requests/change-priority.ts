// Another priority for a task while its run is going: a request in the store, answered by its engine, or by the next one.
import { ok, type Result, refuse } from '../../problem.ts'
import { readSummary, readTaskView } from '../../workspace/read-runs.ts'
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
  const summary = await readSummary(workspace, { run })
  if (!summary.ok) return summary
  if (!summary.value) return refuse(`there is no run ${run}`)
  const { status, resumable, engine } = summary.value
  if (!resumable) return refuse(`run ${run} has finished (${status})`)
  const found = await readTaskView(workspace, { run, task })
  if (!found.ok) return found
  if (!found.value) return refuse(`run ${run} has no task ${task}: \`espalier status\` lists them`)
  if (found.value.finishedAt !== null) return refuse(`${task} of run ${run} has finished (${found.value.status})`)
  const left = await workspace.write(async (store) =>
    ok(await store.request(run, { type: 'priority.changed', task, priority, request: null })),
  )
  return left.ok ? ok({ run, task, priority, delivered: engine ? 'to-engine' : 'recorded' }) : left
}
