// The current state of a run, for callers in its engine's process, and its final result.

import { atWorkMs } from '../../facts/durations.ts'
import { Waves } from '../../scheduler/dispatch/waves.ts'
import { countsOf, type RunState } from '../../scheduler/state.ts'
import { isResumable, runSummary, taskView } from '../../scheduler/view.ts'
import { isDone } from '../../status.ts'
import { planFileTexts } from '../../unwritten-statuses.ts'
import { knownCost, usageOf } from '../../usage.ts'
import type { RunSummary, RunView, TaskView } from '../../view.ts'
import type { RunContext } from './run-context.ts'

/** Without the tasks: cheap on a large plan. */
export function summaryOf({ state, id, growth, locked }: RunContext): RunSummary {
  return runSummary(state, { run: id, name: growth.plan.name, repo: locked.user.top, enginePid: process.pid })
}

export function viewOf(context: RunContext, now: number): RunView {
  const { state, planFile } = context
  const tasks = state.graph.tasks.map((_, index) => taskView(state, index))
  const unwritten = planFile.status?.unwritten
  return {
    ...summaryOf(context),
    engine: { pid: process.pid },
    durationMs: atWorkMs(state, now),
    tasks,
    ...(planFile.path === null ? {} : { planFile: planFile.path }),
    ...(planFileTexts({ unwritten }).length > 0 ? { unwritten } : {}),
  }
}

/** Final result of `execute`. */
export type RunResult = ReturnType<typeof runResult>

export function runResult(
  state: RunState,
  view: RunView,
  end: { abandoned: boolean; stuck: string | null; takenOver: boolean; publishTrouble: string | null },
) {
  const { abandoned, stuck, takenOver, publishTrouble } = end
  const { run, branch, base, head, counts, durationMs, budgets, tasks } = view
  const batches = batchesOf(state, tasks)
  return {
    ...{ run, branch, base, head, counts, durationMs, budgets },
    // After an environment error the journal may lack events that the state has.
    status: stuck === null ? view.status : ('running' as const),
    /** True: the run has not finished; `resume` continues it. */
    interrupted: abandoned || (isResumable(state) && state.finished !== 'waiting'),
    /** Tasks in the waves that their needs and claims allow. With the eager schedule they overlap in time. */
    batches,
    totalBatches: batches.length,
    completedBatches: batches.filter(({ isOver }) => isOver).length,
    totalTasks: tasks.length,
    completedTasks: counts.landed + counts.passed,
    failures: failuresOf(tasks),
    /** Null: unknown in part, as the cost of a batch. */
    costUsd: knownCost(view.usage),
    /** Lines about statuses that the plan file lacks; see `writeBack` of the settings. */
    unwritten: planFileTexts(view),
    /** The environment error that stopped the engine. Agents continue; `resume` takes them over. */
    stuck,
    /** Another engine writes the journal now, so this one has let everything go. `stuck` says so. */
    takenOver,
    /** Why the branch could not be moved in the user's repository; null: it was. The work is safe in the engine's. */
    publishTrouble,
  }
}

/** Result where nothing was left to do: there is no run. */
export const EMPTY_RESULT: Omit<RunResult, Place> & Record<Place, null> = {
  ...{ run: null, branch: null, base: null, head: null },
  ...{ counts: countsOf([]), durationMs: 0, budgets: undefined, status: 'completed', interrupted: false },
  ...{ batches: [], totalBatches: 0, completedBatches: 0, totalTasks: 0, completedTasks: 0, failures: [], costUsd: 0 },
  ...{ unwritten: [], stuck: null, takenOver: false, publishTrouble: null },
}

type Place = 'run' | 'branch' | 'base' | 'head'

/** Tasks that failed, were blocked or were cancelled. */
function failuresOf(tasks: readonly TaskView[]) {
  return tasks.flatMap(({ id, failure }) => (failure ? [{ task: id, failure }] : []))
}

function batchesOf(state: RunState, tasks: TaskView[]) {
  const waves = (state.waves ?? new Waves(state.graph.units)).of
  const groups: TaskView[][] = []
  tasks.forEach((task, index) => {
    const wave = waves[state.graph.unitOf[index] as number] as number
    groups[wave] ??= []
    groups[wave].push(task)
  })
  return groups.map((group, wave) => {
    const failures = failuresOf(group)
    return {
      /** From 1; batch events count from 0. */
      number: wave + 1,
      tasks: group.map((task) => task.id),
      completed: group.filter(({ status }) => isDone(status)).length,
      failed: failures.length,
      failures,
      costUsd: knownCost(usageOf(group.flatMap(({ history }) => history))),
      isOver: group.every(({ finishedAt }) => finishedAt !== null),
      durationMs: span(group),
    }
  })
}

function span(group: readonly TaskView[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { startedAt, finishedAt } of group) {
    first = Math.min(first, startedAt ?? first)
    last = Math.max(last, finishedAt ?? last)
  }
  return last > first && Number.isFinite(last - first) ? last - first : 0
}
