// Tasks of a plan that will not be done, whatever happens: known before anything has started.
import type { Plan } from '../../task.ts'
import { money } from '../../text/usage-text.ts'
import type { TaskGraph } from '../analysis/task-graph.ts'

type NeverRuns = { task: string } & (
  | { why: 'outside-repository'; path: string }
  | { why: 'budget'; estimateUsd: number; budgetUsd: number }
  /** Blocked by this task, which is in the list too. */
  | { why: 'blocked'; by: string }
)

/** Tasks that would have to change something outside of the repository, or that no budget has room for. */
export function impossibleTasks(
  { epics, tasks }: Pick<Plan, 'epics' | 'tasks'>,
  budgetUsd: number | null,
): NeverRuns[] {
  const budgets = new Map(epics.map((epic) => [epic.id, epic.budgetUsd]))
  return tasks.flatMap((task): NeverRuns[] => {
    const [path] = task.outside ?? []
    if (path !== undefined) return [{ task: task.id, why: 'outside-repository', path }]
    const room = Math.min(budgetUsd ?? Infinity, budgets.get(task.epic ?? '') ?? Infinity, task.budgetUsd ?? Infinity)
    // Only the plan's own estimate refuses a task; a learned one does not.
    const { estimateUsd = 0 } = task
    return estimateUsd > room ? [{ task: task.id, why: 'budget', estimateUsd, budgetUsd: room }] : []
  })
}

export function neverRuns(plan: Plan, { order }: TaskGraph, budgetUsd: number | null): NeverRuns[] {
  const found = new Map(impossibleTasks(plan, budgetUsd).map((one) => [one.task, one]))
  for (const index of order) {
    const { id = '', needs = [] } = plan.tasks[index] ?? {}
    const by = needs.find((need) => found.has(need))
    if (by !== undefined && !found.has(id)) found.set(id, { task: id, why: 'blocked', by })
  }
  return plan.tasks.flatMap(({ id }) => found.get(id) ?? [])
}

export function whyNever(one: NeverRuns): string {
  switch (one.why) {
    case 'outside-repository':
      return `${one.path} is outside of the repository`
    case 'budget':
      return `it would cost about ${money(one.estimateUsd)}, and its budget is ${money(one.budgetUsd)}`
    case 'blocked':
      return `it needs ${one.by}`
    default:
      return one satisfies never
  }
}
