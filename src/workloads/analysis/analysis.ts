// Analysis of a plan before it runs. Linear in its size, but for claims, where the search is limited.
import { assignWaves } from '../../scheduler/dispatch/waves.ts'
import { likelyMs, type Plan, type Task } from '../../task.ts'
import { type ClaimConflicts, claimPairs, firstConflicts } from './claim-conflicts.ts'
import { levelsOf, taskGraph } from './task-graph.ts'
import { lowerBoundMs, type PlanTimes, planTimes } from './times.ts'

export type PlanAnalysis = {
  tasks: number
  /** Needs and afters, each counted once. */
  edges: number
  /** Level n holds what waits for something in level n - 1: the widest possible parallelism, claims left aside. */
  levels: string[][]
  /** The same batch by batch, where no two tasks of a batch claim the same paths. */
  waves: string[][]
  /** No schedule is faster than this with so many slots. */
  lowerBoundMs: number
  slots: number
  /** Tasks without an estimate: the median of the others is taken for them, or ten minutes. */
  estimated: number
} & PlanTimes &
  ClaimConflicts

export function analysePlan(plan: Plan, slots: number, graph = taskGraph(plan.tasks)): PlanAnalysis {
  const times = planTimes(plan.tasks, graph)
  return {
    tasks: plan.tasks.length,
    edges: graph.edges,
    levels: grouped(plan.tasks, levelsOf(graph)),
    waves: grouped(plan.tasks, assignWaves(plan)),
    ...times,
    lowerBoundMs: lowerBoundMs(times, slots),
    slots,
    estimated: plan.tasks.filter((task) => likelyMs(task) === null).length,
    ...firstConflicts(plan.tasks, claimPairs(plan.tasks, graph)),
  }
}

function grouped(tasks: Task[], groups: number[]): string[][] {
  const result: string[][] = []
  tasks.forEach((task, i) => {
    const group = groups[i] ?? 0
    while (result.length <= group) result.push([])
    result[group]?.push(task.id)
  })
  return result
}
