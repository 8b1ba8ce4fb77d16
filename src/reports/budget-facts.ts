// The budgets of a run and what is spent of each.
import type { Budget } from '../budget.ts'
import type { RunView } from '../status.ts'
import type { Plan } from '../task.ts'
import type { Spending } from '../usage.ts'

/** That of the run, those of epics, and those of tasks that have spent something; in the order of the plan. */
export function budgetFacts({ budgets, tasks }: RunView, plan: Plan, spending: Spending): Budget[] {
  if (!budgets) return []
  const { budgetUsd, spentUsd } = budgets
  const run: Budget[] = budgetUsd === null ? [] : [{ scope: 'run', name: 'run', budgetUsd, spentUsd }]
  const soFar = (isOne: (task: RunView['tasks'][number]) => boolean) =>
    tasks.filter(isOne).reduce((usd, { history }) => usd + (history.at(-1)?.spentUsd ?? 0), 0)
  const spentOn = (kind: 'epics' | 'tasks', name: string) =>
    spending[kind].find((one) => one.name === name)?.usage.costUsd ?? 0
  const epics = plan.epics.flatMap(({ id, budgetUsd }): Budget[] => {
    if (budgetUsd === undefined) return []
    return [{ scope: 'epic', name: id, budgetUsd, spentUsd: spentOn('epics', id) + soFar(({ epic }) => epic === id) }]
  })
  const budgetOf = new Map(plan.tasks.map((task) => [task.id, task.budgetUsd]))
  const spent = new Map(spending.tasks.map(({ name, usage }) => [name, usage.costUsd]))
  const own = tasks.flatMap((task): Budget[] => {
    const budgetUsd = budgetOf.get(task.id)
    const spentUsd = (spent.get(task.id) ?? 0) + (task.history.at(-1)?.spentUsd ?? 0)
    return budgetUsd === undefined || spentUsd === 0 ? [] : [{ scope: 'task', name: task.id, budgetUsd, spentUsd }]
  })
  return [...run, ...epics, ...own]
}
