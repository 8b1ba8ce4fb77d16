// Simulates the rest of a run: when each open task will probably start and end, and what it will cost. A running task has the
// part of its estimate left that it has not run yet.
import type { RunState } from '../../scheduler/state.ts'
import { likelyMs, likelyUsd, type Plan, type Task } from '../../task.ts'
import { simulatedSchedule } from '../../workloads/analysis/simulate.ts'

export function forecast(state: RunState, now: number) {
  const { graph, tasks, limits } = state
  const open = graph.tasks.flatMap((task, index) => {
    const status = tasks[index]?.state.status ?? 'pending'
    return OPEN.has(status) ? [{ task, index, isRunning: status === 'running' }] : []
  })
  const ids = new Set(open.map(({ task }) => task.id))
  const isOpen = (id: string) => ids.has(id)
  const rest = open.slice(0, MOST_TASKS).map(({ task, index, isRunning }): Task => {
    const startedAt = tasks[index]?.history.at(-1)?.startedAt ?? now
    const left = isRunning ? Math.max(0, (likelyMs(task) ?? graph.unknownMs) - (now - startedAt)) : null
    const { from: _, base: __, uses: ___, ...plain } = task
    return {
      ...plain,
      needs: task.needs.filter(isOpen),
      after: task.after.filter(isOpen),
      // A running task has its slot and its claims already.
      ...(left === null ? {} : { estimateMs: left, priority: Number.MAX_SAFE_INTEGER }),
    }
  })
  const isAll = rest.length === open.length
  const plan: Plan = { name: '', base: null, epics: [...graph.epics.values()], tasks: isAll ? rest : closed(rest) }
  const schedule = simulatedSchedule(plan, { ...limits, budgetUsd: null }, limits.slots)
  const costs = open.flatMap(({ task, isRunning }) => (isRunning ? [] : (likelyUsd(task) ?? [])))
  return {
    at: now,
    schedule: schedule.map(({ task, worker, fromMs, toMs }) => ({ task, worker, from: now + fromMs, to: now + toMs })),
    endsAt: isAll ? schedule.reduce((last, { toMs }) => Math.max(last, now + toMs), now) : null,
    costUsd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    costKnown: costs.length,
    left: open.length,
  }
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'ready', 'running'])

/** A simulation of so many tasks takes a few tenths of a second; the rest is left out. */
const MOST_TASKS = 5_000

/** Removes needs that are not among the tasks. */
function closed(tasks: Task[]): Task[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const isThere = (id: string) => ids.has(id)
  return tasks.map((task) => ({ ...task, needs: task.needs.filter(isThere), after: task.after.filter(isThere) }))
}
