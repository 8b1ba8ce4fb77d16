// A plan as it is shown before it runs. Linear in its size, but for claims, where the search is limited.
import { conflicts } from '../../scheduler/claims/overlap.ts'
import { ClaimTable } from '../../scheduler/claims/table.ts'
import { assignWaves, Waves } from '../../scheduler/dispatch/waves.ts'
import { buildGraph, type Graph, medianEstimate, taskAt, type Unit, unitAt } from '../../scheduler/graph.ts'
import { likelyMs, type Plan, type Task } from '../../task.ts'
import { neverRuns } from '../plan/never-runs.ts'
import { claimConflicts } from './claim-conflicts.ts'
import { levelsOf, type TaskGraph, taskGraph } from './task-graph.ts'
import { lowerBoundMs, planTimes, timesWithoutClaims } from './times.ts'

export type PlanOverview = ReturnType<typeof planOverview>

export function planOverview(plan: Plan, slots: number, budgetUsd: number | null = null) {
  const { name, objective = null, tasks } = plan
  const graph = taskGraph(tasks)
  const times = planTimes(tasks, graph)
  const held = heldBack(plan)
  const idsOf = (indexes: readonly number[]) => indexes.flatMap((index) => tasks[index]?.id ?? [])
  /** Counted from 1. `waitsFor`: the tasks that some of these need, or come after. */
  const batch = (members: number[], position: number) => {
    return { number: position + 1, tasks: idsOf(members), waitsFor: idsOf(waitsFor(members, graph)) }
  }
  return {
    ...{ name, objective, tasks: tasks.length },
    /** Needs and afters, each counted once. */
    edges: graph.edges,
    ...times,
    /** No schedule is faster than this with so many slots. */
    lowerBoundMs: lowerBoundMs(times, slots),
    slots,
    /** Tasks without an estimate: the median of the others is taken for them, or ten minutes. */
    estimated: tasks.filter((task) => likelyMs(task) === null).length,
    ...claimConflicts(tasks, graph),
    /** Tasks by the length of their chain of needs: the most that can run at the same time, claims left aside. */
    batches: grouped(levelsOf(graph)).map(batch),
    /** Waves of `schedule: waves`: batches without conflicting claims inside one. */
    waves: grouped(assignWaves(plan)).map((members, wave) => ({
      ...batch(members, wave),
      heldBack: (held.get(wave) ?? []).map(({ reason }) => reason),
    })),
    epics: epicOverviews(plan),
    never: neverRuns(plan, graph, budgetUsd),
  }
}

/** The tasks of each wave. */
export function taskWaves(plan: Plan): string[][] {
  return grouped(assignWaves(plan)).map((members) => members.flatMap((index) => plan.tasks[index]?.id ?? []))
}

/** The tasks of each group, by index. */
function grouped(groups: readonly number[]): number[][] {
  const result: number[][] = []
  groups.forEach((group, task) => {
    while (result.length <= group) result.push([])
    result[group]?.push(task)
  })
  return result
}

/**
 * Needs outside the group, in the order of the plan. Tasks of one group may need each other if they share a worktree.
 */
function waitsFor(members: readonly number[], { before }: TaskGraph): number[] {
  const needed = new Set(members.flatMap((task) => before[task] ?? []))
  return [...needed.difference(new Set(members))].sort((a, b) => a - b)
}

/** By wave: the tasks that would be in an earlier one but for their claims. */
function heldBack(plan: Plan) {
  const graph = buildGraph(plan)
  const waves = new Waves(graph.units).of
  const waveOf = ({ index }: Pick<Unit, 'index'>): number => waves[index] ?? 0
  const tables = new Map<number, ClaimTable>()
  for (const unit of graph.units) {
    const table = tables.get(waveOf(unit)) ?? new ClaimTable()
    tables.set(waveOf(unit), table)
    table.hold(unit.index, unit.claims)
  }
  const held = graph.units.flatMap((unit) => {
    const wave = waveOf(unit)
    const earliest = [...unit.needs, ...unit.after].reduce((most, index) => Math.max(most, waveOf({ index }) + 1), 0)
    const reason = wave === earliest ? null : reasonOf(graph, unit, tables.get(wave - 1))
    return reason ? [{ wave, reason }] : []
  })
  return Map.groupBy(held, ({ wave }) => wave)
}

/** `by`, in the wave before, claims something that meets `pattern`. Of tasks that share a worktree: the first. */
function reasonOf(graph: Graph, unit: Unit, before: ClaimTable | undefined) {
  for (const claim of unit.claims) {
    const by = before?.blocker(claim) ?? null
    if (by === null) continue
    const other = unitAt(graph, by)
    const theirs = other.claims.find((one) => conflicts(one, claim))
    return { task: idOf(graph, unit), by: idOf(graph, other), pattern: theirs?.pattern ?? claim.pattern }
  }
  return null
}

function idOf(graph: Graph, unit: Unit): string {
  return taskAt(graph, unit.members[0] as number).id
}

/** `stage`: epics with the same number wait for none of each other, from 1. */
function epicOverviews({ tasks, epics }: Plan) {
  // Unknown times count as in the plan as a whole.
  const unknown = medianEstimate(tasks)
  const timed = tasks.map((task) => ({ ...task, estimateMs: likelyMs(task) ?? unknown }))
  const members = Map.groupBy(timed, ({ epic }) => epic)
  const stages = levelsOf(taskGraph(epics.map(({ id, needs }) => ({ id, needs, after: [] }))))
  return epics.flatMap(({ id, title, needs }, index) => {
    const own = members.get(id)
    return own ? [{ id, title, stage: (stages[index] ?? 0) + 1, waitsFor: needs, ...within(own) }] : []
  })
}

/**
 * `widest`: the most that their needs let run at the same time, 1 is a chain. `ms`: of the longest chain; `totalMs`: of one after the
 * other.
 */
function within(members: readonly Task[]) {
  const own = new Set(members.map(({ id }) => id))
  const inside = (ids: string[]) => ids.filter((id) => own.has(id))
  const tasks = members.map((task) => ({ ...task, needs: inside(task.needs), after: inside(task.after) }))
  const graph = taskGraph(tasks)
  const { criticalPath, totalMs } = timesWithoutClaims(tasks, graph)
  const widths: number[] = []
  for (const level of levelsOf(graph)) widths[level] = (widths[level] ?? 0) + 1
  const widest = widths.reduce((most, width) => Math.max(most, width), 0)
  return { tasks: tasks.length, widest, ms: criticalPath.ms, totalMs }
}
