// The longest chain: by what the tasks took, and where they have not run by what they will probably take.
import { likelyMs, longestPath, type Plan, type TaskView, taskGraph } from '../../shared.ts'
import { msOf } from '../list/order.ts'

export function chainOf(tasks: readonly TaskView[], plan: Plan | null): string[] {
  if (!plan || plan.tasks.length === 0) return []
  const views = new Map(tasks.map((task) => [task.id, task]))
  const known = plan.tasks.map((task) => {
    const view = views.get(task.id)
    const took = view && view.history.length > 0 ? msOf(view) : 0
    const isOver = view?.finishedAt !== null && view?.finishedAt !== undefined
    return isOver ? took : Math.max(took, likelyMs(task) ?? 0)
  })
  const some = known.filter((ms) => ms > 0)
  const usual = some.length === 0 ? 1 : some.reduce((sum, ms) => sum + ms, 0) / some.length
  const times = known.map((ms) => ms || usual)
  return longestPath(plan.tasks, taskGraph(plan.tasks), times).tasks
}
