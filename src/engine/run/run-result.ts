// What a run amounts to, for the caller of `execute`.
import type { BudgetsView } from '../../budget.ts'
import { atWorkMs } from '../../facts/at-work.ts'
import type { Failure } from '../../failure.ts'
import { usageOfRun } from '../../scheduler/budgets/accounts.ts'
import { budgetsView } from '../../scheduler/budgets/affordable.ts'
import { wavesOf } from '../../scheduler/dispatch/waves.ts'
import type { RunState } from '../../scheduler/state.ts'
import { isResumable, taskView } from '../../scheduler/view.ts'
import type { Counts, RunStatus, TaskView } from '../../status.ts'

export type RunResult = {
  run: string
  status: RunStatus
  /** True: it did not come to rest; `resume` goes on with it. */
  interrupted: boolean
  branch: string
  base: string
  head: string
  counts: Counts
  /** The tasks in the waves their needs and claims allow. With the eager schedule they overlap in time. */
  batches: CountedBatch[]
  totalTasks: number
  completedTasks: number
  failures: { task: string; failure: Failure }[]
  durationMs: number
  costUsd: number
  /** Only where there are some. */
  budgets?: BudgetsView | undefined
  /** Why the branch could not be moved in the user's repository, if it could not. The work is safe in the engine's. */
  publishTrouble: string | null
  /** What the plan file does not say about the run although it should, a line each; see `writeBack` of the settings. */
  unwritten: string[]
  /** What the machine did not let the engine do, so that it stopped before the end. Agents go on; `resume` takes them over. */
  stuck: string | null
  /** Another engine writes the journal now, so this one has let everything go. `stuck` says so. */
  takenOver: boolean
}

export function takenOverText(run: string): string {
  return `another engine has taken over run ${run}: this one leaves everything to it`
}

export type CountedBatch = { number: number; tasks: string[]; completed: number; failed: number; durationMs: number }

export function runResult(
  run: string,
  state: RunState,
  {
    abandoned,
    stuck,
    takenOver,
    publishTrouble,
    unwritten,
    now,
  }: { abandoned: boolean; now: number } & Pick<RunResult, 'stuck' | 'takenOver' | 'publishTrouble' | 'unwritten'>,
): RunResult {
  const tasks = state.graph.tasks.map((_, index) => taskView(state, index))
  return {
    run,
    // Stuck, the journal may not say what the state does.
    status: stuck === null ? (state.finished ?? 'running') : 'running',
    interrupted: abandoned || (isResumable(state) && state.finished !== 'waiting'),
    branch: state.branch,
    base: state.base,
    head: state.head,
    counts: { ...state.counts },
    batches: batches(state, tasks),
    totalTasks: tasks.length,
    completedTasks: state.counts.landed + state.counts.passed,
    failures: tasks.flatMap(({ id, failure }) => (failure ? [{ task: id, failure }] : [])),
    durationMs: atWorkMs(state, now),
    costUsd: usageOfRun(state).costUsd,
    budgets: budgetsView(state),
    publishTrouble,
    unwritten,
    stuck,
    takenOver,
  }
}

function batches(state: RunState, tasks: TaskView[]): CountedBatch[] {
  const waves = (state.waves ?? wavesOf(state.graph)).of
  const groups: TaskView[][] = []
  tasks.forEach((task, index) => {
    const wave = waves[state.graph.unitOf[index] as number] as number
    groups[wave] ??= []
    groups[wave].push(task)
  })
  return groups.map((group, wave) => ({
    number: wave + 1,
    tasks: group.map((task) => task.id),
    completed: group.filter((task) => task.status === 'landed' || task.status === 'passed').length,
    failed: group.filter((task) => task.status === 'failed').length,
    durationMs: span(group),
  }))
}

function span(group: TaskView[]): number {
  const starts = group.flatMap((task) => task.startedAt ?? [])
  const ends = group.flatMap((task) => task.finishedAt ?? [])
  return starts.length > 0 && ends.length > 0 ? Math.max(0, max(ends) - min(starts)) : 0
}

function max(values: number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

function min(values: number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}
