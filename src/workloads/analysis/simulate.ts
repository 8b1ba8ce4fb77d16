// Simulated time of a plan with 1, 2, 4, 8 … workers: the real scheduler on a virtual clock, every attempt succeeds.
import { LIMITS, type Settings } from '../../config.ts'
import { assignWaves } from '../../scheduler/dispatch/waves.ts'
import { medianEstimate } from '../../scheduler/graph.ts'
import { virtualLimits, virtualRun } from '../../scheduler/virtual-run.ts'
import { likelyMs, likelyUsd, type Plan } from '../../task.ts'
import { memoized } from '../memoized.ts'
import { neverRuns } from '../plan/never-runs.ts'
import { taskGraph } from './task-graph.ts'
import { lowerBoundMs, planTimes } from './times.ts'

export type Simulation = ReturnType<typeof simulatePlan>
export type SimulatedRow = Simulation['rows'][number]
type Simulated = ReturnType<typeof figuresOf>

/** The settings a schedule depends on. */
type SimulationRules = Pick<Settings, 'maxPerEpic' | 'budgetUsd'>

/** Less than this share saved by twice as many workers is not worth them. */
const WORTH_IT = 0.1
/** Numbers of workers tried by default: at least and at most these. */
const AT_LEAST = 8
const AT_MOST = 64

/** `workers`: null for 1, 2, 4, 8 … as far as it is of interest. */
export function simulatePlan(plan: Plan, rules: SimulationRules, workers: readonly number[] | null = null) {
  const timed = withTimes(plan)
  const eager = memoized((slots: number) => figuresOf(run(timed, rules, slots, 'eager'), slots))
  // A plan of one wave has no barrier: half of the work is saved where plans are largest.
  const isOneWave = assignWaves(timed).every((wave) => wave === 0)
  const waves = isOneWave ? eager : (slots: number) => figuresOf(run(timed, rules, slots, 'waves'), slots)
  const enough = enoughWorkers(timed.tasks.length, eager)
  const times = timesOf(timed, rules)
  const counts = new Set(workers ?? doublings(enough === null ? AT_MOST : Math.max(AT_LEAST, 2 * enough)))
  const costs = plan.tasks.flatMap((task) => likelyUsd(task) ?? [])
  return {
    tasks: plan.tasks.length,
    rows: [...counts]
      .sort((a, b) => a - b)
      .slice(0, LIMITS.simulations)
      .map((slots) => ({
        workers: slots,
        lowerBoundMs: lowerBoundMs(times, slots),
        eager: eager(slots),
        waves: waves(slots),
      })),
    /** Twice as many workers as this save less than a tenth of the time. Null: even the most that were tried are not too many. */
    enough,
    /** Known cost of the tasks together; null: of none. `costKnown`: number of tasks with a known cost. */
    costUsd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    costKnown: costs.length,
    ...times,
  }
}

export function simulatedSchedule(plan: Plan, rules: SimulationRules, workers: number) {
  const { graph, tasks } = run(withTimes(plan), rules, workers, 'eager').state
  return tasks.flatMap(({ history }, position) =>
    history.map(({ slot, startedAt, finishedAt }) => ({
      task: graph.tasks[position]?.id ?? '',
      worker: slot,
      fromMs: startedAt,
      toMs: finishedAt ?? startedAt,
    })),
  )
}

/** Times of the tasks; one that never runs takes none. */
function timesOf(plan: Plan, { budgetUsd }: SimulationRules) {
  const graph = taskGraph(plan.tasks)
  const never = new Set(neverRuns(plan, graph, budgetUsd).map(({ task }) => task))
  const tasks = plan.tasks.map((task) => (never.has(task.id) ? { ...task, estimateMs: 0 } : task))
  return planTimes(tasks, graph)
}

function withTimes(plan: Plan): Plan {
  const unknown = medianEstimate(plan.tasks)
  return { ...plan, tasks: plan.tasks.map((task) => ({ ...task, estimateMs: likelyMs(task) ?? unknown })) }
}

function run(plan: Plan, rules: SimulationRules, slots: number, schedule: 'eager' | 'waves') {
  const { maxPerEpic, budgetUsd: usd } = rules
  return virtualRun(plan, {
    limits: virtualLimits(slots, { schedule, maxPerEpic, budget: { usd, onReached: 'finish' } }),
  })
}

/** The state of a run is as large as the plan, so nothing else is kept of it. */
function figuresOf({ makespanMs, state: { counts, tasks, usage } }: ReturnType<typeof run>, workers: number) {
  let busyMs = 0
  for (const { history } of tasks)
    for (const { startedAt, finishedAt } of history) busyMs += (finishedAt ?? startedAt) - startedAt
  /** Idle time of all workers until the last task is done. */
  const idleMs = Math.max(0, workers * makespanMs - busyMs)
  // Fewer are done than there are where a budget is used up, or a task cannot be done.
  return { makespanMs, idleMs, done: counts.landed + counts.passed, costUsd: usage.costUsd }
}

function enoughWorkers(tasks: number, simulated: (workers: number) => Simulated): number | null {
  for (const workers of doublings(AT_MOST / 2)) {
    if (workers >= tasks) return workers
    const doubled = simulated(2 * workers).makespanMs
    if (doubled > (1 - WORTH_IT) * simulated(workers).makespanMs) return workers
  }
  return null
}

function doublings(most: number): number[] {
  const counts: number[] = []
  for (let count = 1; count <= most; count *= 2) counts.push(count)
  return counts
}
