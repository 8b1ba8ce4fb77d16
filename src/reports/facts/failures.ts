// Failed tasks, tasks in conflict, and the tasks that each of them blocked.
import type { Failure } from '../../event.ts'
import { isBad, type TaskStatus } from '../../status.ts'
import type { RunView, TaskView } from '../../view.ts'

type FailureFacts = {
  task: string
  title: string
  failure: Failure | null
  attempts: number
  /** Everything that could not start because of it, directly or not. */
  blocks: string[]
}

export function failureFacts(view: RunView): FailureFacts[] {
  const byId = new Map(view.tasks.map((task) => [task.id, task]))
  const blocked = view.tasks.filter((task) => task.status === 'blocked')
  const blocks = Map.groupBy(blocked, (task) => rootCause(task, byId))
  return view.tasks
    .filter(({ id, status }) => WRONG.has(status) || (status !== 'blocked' && blocks.has(id)))
    .map((task) => ({
      task: task.id,
      title: task.title,
      failure: task.failure,
      attempts: task.history.length,
      blocks: (blocks.get(task.id) ?? []).map(({ id }) => id),
    }))
}

const WRONG: ReadonlySet<TaskStatus> = new Set(['failed', 'conflict'])

function rootCause(blocked: TaskView, byId: Map<string, TaskView>): string {
  const seen = new Set<string>()
  let task = blocked
  while (task.status === 'blocked' && !seen.has(task.id)) {
    seen.add(task.id)
    const cause = task.failure?.cause ?? task.needs.find((need) => isStuck(byId.get(need)))
    const next = cause === undefined ? undefined : byId.get(cause)
    if (!next) break
    task = next
  }
  return task.id
}

function isStuck(task: TaskView | undefined): boolean {
  return task !== undefined && isBad(task.status)
}
