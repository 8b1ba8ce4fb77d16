// When the run may be over: the same guess as `espalier run` shows.
import type { RunNow } from '../../data/queries.ts'
import { estimateLeftMs, estimatesOf, type Plan, type TaskView, workLeft } from '../../shared.ts'

export function leftMsOf({ engine, slots }: RunNow, tasks: readonly TaskView[], plan: Plan | null): number | null {
  if (!engine) return null
  const now = Date.now()
  const estimates = plan ? estimatesOf(plan) : new Map<string, number>()
  let [count, totalMs] = [0, 0]
  for (const { history } of tasks)
    for (const { failure, startedAt, finishedAt } of history)
      if (finishedAt !== null && failure === null) {
        count += 1
        totalMs += Math.max(0, finishedAt - startedAt)
      }
  const running = tasks
    .filter(({ status }) => status === 'running')
    .map(({ id, history }) => ({
      id,
      elapsedMs: now - (history.at(-1)?.startedAt ?? now),
      estimateMs: estimates.get(id) ?? null,
    }))
  return estimateLeftMs({ running, left: workLeft(tasks, estimates, { count, totalMs }), slots })
}
