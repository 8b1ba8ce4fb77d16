// Tasks of a plan that will not be done, whatever happens: known before anything has started.
import type { Plan, Task } from '../../task.ts'
import { money } from '../../text/usage-text.ts'
import type { TaskGraph } from '../analysis/task-graph.ts'

export type NeverRuns = { task: string } & (
  | { why: 'outside-repository'; path: string }
  | { why: 'budget'; estimateUsd: number; budgetUsd: number }
  /** Blocked by this task, which is in the list too. */
  | { why: 'blocked'; by: string }
)

export function neverRuns(plan: Plan, { order }: TaskGraph, budgetUsd: number | null = null): NeverRuns[] {
  const budgets = new Map(
    plan.epics.flatMap((epic) => (epic.budgetUsd === undefined ? [] : [[epic.id, epic.budgetUsd]])),
  )
  const found = new Map<string, NeverRuns>()
  for (const index of order) {
    const task = plan.tasks[index] as Task
    const room = Math.min(budgetUsd ?? Infinity, budgets.get(task.epic ?? '') ?? Infinity, task.budgetUsd ?? Infinity)
    const [path] = task.outside ?? []
    const by = task.needs.find((need) => found.has(need))
    if (path !== undefined) found.set(task.id, { task: task.id, why: 'outside-repository', path })
    // Only the plan's own estimate refuses a task; a learned one does not.
    else if (task.estimateUsd !== undefined && task.estimateUsd > room)
      found.set(task.id, { task: task.id, why: 'budget', estimateUsd: task.estimateUsd, budgetUsd: room })
    else if (by !== undefined) found.set(task.id, { task: task.id, why: 'blocked', by })
  }
  return plan.tasks.flatMap(({ id }) => found.get(id) ?? [])
}

export function whyNever(one: NeverRuns): string {
  switch (one.why) {
    case 'outside-repository':
      return `it names ${one.path}, which is outside of the repository`
    case 'budget':
      return `it would cost about ${money(one.estimateUsd)}, and its budget is ${money(one.budgetUsd)}`
    case 'blocked':
      return `it needs ${one.by}`
    default:
      return one satisfies never
  }
}
