// A plan as it is shown before it runs.
import { medianEstimate } from '../../scheduler/graph.ts'
import { type Epic, likelyMs, type Plan, type Task } from '../../task.ts'
import { type NeverRuns, neverRuns } from '../plan/never-runs.ts'
import { analysePlan, type PlanAnalysis } from './analysis.ts'
import { type HeldBack, heldBack } from './delayed-by-claims.ts'
import { levelsOf, taskGraph } from './task-graph.ts'
import { timesWithoutClaims } from './times.ts'

export type PlanOverview = Omit<PlanAnalysis, 'levels' | 'waves'> & {
  name: string
  objective: string | null
  /** Tasks by the length of their chain of needs: the most that can run at the same time, claims left aside. */
  batches: BatchOverview[]
  /** Waves of `schedule: waves`: batches without conflicting claims inside one. */
  waves: Wave[]
  epics: EpicOverview[]
  never: NeverRuns[]
}

/** Counted from 1. `waitsFor`: the tasks that some of these need, or come after. */
type BatchOverview = { number: number; tasks: string[]; waitsFor: string[] }
/** `heldBack`: those that would be in an earlier one but for their claims. */
type Wave = BatchOverview & { heldBack: HeldBack[] }

type EpicOverview = Pick<Epic, 'id' | 'title'> & {
  /** Epics with the same number wait for none of each other. From 1. */
  stage: number
  waitsFor: string[]
  tasks: number
  /** The most of its tasks that its needs let run at the same time: 1 is a chain. */
  widest: number
  /** Time of its longest chain, and of one task after the other. */
  ms: number
  totalMs: number
}

export function planOverview(plan: Plan, slots: number, budgetUsd: number | null = null): PlanOverview {
  const graph = taskGraph(plan.tasks)
  const { levels, waves, ...analysis } = analysePlan(plan, slots, graph)
  const held = heldBack(plan)
  const inPlan = new Map(plan.tasks.map((task, position) => [task.id, { task, position }]))
  const batch = (tasks: string[], position: number): BatchOverview => ({
    number: position + 1,
    tasks,
    waitsFor: waitsFor(tasks, inPlan),
  })
  return {
    name: plan.name,
    objective: plan.objective ?? null,
    ...analysis,
    batches: levels.map(batch),
    waves: waves.map((tasks, position) => ({ ...batch(tasks, position), heldBack: held.get(position) ?? [] })),
    epics: epicOverviews(plan),
    never: neverRuns(plan, graph, budgetUsd),
  }
}

type InPlan = ReadonlyMap<string, { task: Task; position: number }>

/**
 * Needs outside the group, in the order of the plan. Tasks of one group may need each other if they share a worktree.
 */
function waitsFor(ids: readonly string[], inPlan: InPlan): string[] {
  const own = new Set(ids)
  const found = new Set<string>()
  for (const id of ids) {
    const task = inPlan.get(id)?.task
    for (const list of [task?.needs ?? [], task?.after ?? []])
      for (const other of list) if (!own.has(other)) found.add(other)
  }
  return [...found].sort((a, b) => (inPlan.get(a)?.position ?? 0) - (inPlan.get(b)?.position ?? 0))
}

function epicOverviews(plan: Plan): EpicOverview[] {
  // Unknown times count as in the plan as a whole.
  const unknown = medianEstimate(plan.tasks)
  const timed = plan.tasks.map((task) => ({ ...task, estimateMs: likelyMs(task) ?? unknown }))
  const members = Map.groupBy(timed, ({ epic }) => epic)
  const stages = stagesOf(plan.epics)
  return plan.epics.flatMap(({ id, title, needs }) => {
    const tasks = members.get(id)
    return tasks ? [{ id, title, stage: stages.get(id) ?? 1, waitsFor: needs, ...within(tasks) }] : []
  })
}

function within(members: readonly Task[]): Pick<EpicOverview, 'tasks' | 'widest' | 'ms' | 'totalMs'> {
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

function stagesOf(epics: readonly Epic[]): Map<string, number> {
  const known = new Map(epics.map((epic) => [epic.id, epic]))
  const stages = new Map<string, number>()
  const entered = new Set<string>()
  const stack = epics.map(({ id }) => id).reverse()
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    const needs = known.get(id)?.needs ?? []
    const open = needs.filter((need) => known.has(need) && !entered.has(need))
    if (!entered.has(id) && open.length > 0) stack.push(...open)
    else {
      const highest = needs.reduce((most, need) => Math.max(most, stages.get(need) ?? 0), 0)
      if (!stages.has(id)) stages.set(id, highest + 1)
      stack.pop()
    }
    entered.add(id)
  }
  return stages
}
