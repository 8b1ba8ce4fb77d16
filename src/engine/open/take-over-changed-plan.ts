// A plan that changed since its run began: the difference, and applying it when the run is resumed.

import type { Fact } from '../../event.ts'
import { mapped, ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { reopen, reopenable } from '../../scheduler/apply/reopen.ts'
import { comparePlan, type PlanDifference } from '../../scheduler/apply/replan.ts'
import { taskAt, topologicalOrder, unitAt } from '../../scheduler/graph.ts'
import { type RunState, record } from '../../scheduler/state.ts'
import { isBad, isDone, type TaskStatus } from '../../status.ts'
import type { RunRecord } from '../../store/views.ts'
import type { Plan } from '../../task.ts'
import { shown } from '../../workloads/document/field.ts'
import { type PlanFileTasks, withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import type { PlanFile } from '../../workloads/plan/translate-format.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { loadOrigin } from '../plan-file/saved-tasks.ts'
import { phaseOf } from '../plan-file/status-of-task.ts'
import { PLAN_LIMITS_NOTE, type PlanLimits } from './limits.ts'
import { readState } from './replay-journal.ts'
import { landedSince } from './tasks-to-retry.ts'

/** `onlyAgent`: named above its plan. `limits`: in its plan; null: it was not read from a plan file. */
type Resumable = { record: RunRecord; onlyAgent: string | undefined; limits: PlanLimits | null }

/** A resumable run, by default the newest; null: none. `over`: a finished run counts, too. */
export async function readResumable(
  workspace: Workspace,
  options: { run?: string | undefined; over?: boolean | undefined },
): Promise<Result<Resumable | null>> {
  return workspace.read<Resumable | null>(null, async (store) => {
    const isMeant = ({ run }: { run: string }) => options.run === undefined || run === options.run
    const found = (await store.runs()).find((run) => (run.resumable || options.over) && isMeant(run))
    const record = found && (await store.run(found.run))
    if (!record) return ok(null)
    const [agent, limits] = [await store.note(record.id, ONLY_AGENT), await store.note(record.id, PLAN_LIMITS_NOTE)]
    return ok({ record, onlyAgent: typeof agent === 'string' ? agent : undefined, limits: limits as PlanLimits | null })
  })
}

export const ONLY_AGENT = 'only-agent'

/**
 * Changes that resuming the run with this plan would make. `done`: tasks that are not in the plan because its file calls them
 * done.
 */
export async function readDifference(
  workspace: Workspace,
  options: {
    run: string
    plan: Plan
    again?: 'all' | readonly string[] | undefined
    done?: ReadonlySet<string> | undefined
  },
): Promise<Result<PlanDifference>> {
  const { run, plan, again, done } = options
  const found = await workspace.read(null, async (store) => ok(await readState(store, run)))
  if (!found.ok) return found
  if (!found.value) return refuse(`there is no run ${run}`)
  const { state } = found.value
  if (again) reopen(state, reopenable(state, again === 'all' ? null : again))
  return ok(comparePlan(state, plan, done).difference)
}

/**
 * The files of a run's plan without the statuses of the run: the remaining differences from its plan are made by people. Files have
 * absolute paths. `format` and `part`: as the run has read them.
 */
export async function readPlanBefore(
  workspace: Workspace,
  options: { run: string; files: readonly PlanFile[] },
): Promise<Result<{ files: PlanFile[]; format?: string; part?: string }>> {
  const { run, files } = options
  const kept = await workspace.readViews(null, async (store) => {
    const origin = await loadOrigin(store, run)
    return origin && { origin, tasks: await store.tasks(run) }
  })
  return mapped(kept, (found) => {
    if (!found) return { files: [...files] }
    const { origin, tasks } = found
    const keyOf = (path: string, source: string) => JSON.stringify([path, source])
    const taskOf = new Map(origin.open.map(({ path, source, task }) => [keyOf(path, source), task]))
    // An epic is done when its tasks are.
    const isPhaseDone = (id: string) => {
      const view = tasks.get(id)
      const parts = view ? [view] : [...tasks.values()].filter(({ epic }) => epic === id)
      return parts.length > 0 && parts.every((part) => phaseOf(part) === 'done')
    }
    const before = withTasksOpen(files, origin, (one, path) => isPhaseDone(taskOf.get(keyOf(path, one.source)) ?? ''))
    return { files: before, format: origin.format, ...(origin.part === null ? {} : { part: origin.part }) }
  })
}

/** Tasks that this run has not done and another run has since. Needed tasks come first. */
export function droppedFor(state: RunState, plan: Plan, since: ReadonlyMap<string, string>, again: string[]): Fact[] {
  const ids = new Set(plan.tasks.map(({ id }) => id))
  const order = topologicalOrder(state.graph).toReversed()
  const tasks = order.flatMap((unit) => unitAt(state.graph, unit).members.toReversed())
  return tasks.flatMap((index): Fact[] => {
    const { id } = taskAt(state.graph, index)
    const other = since.get(id)
    if (other === undefined || !ids.has(id) || again.includes(id)) return []
    const { state: current } = record(state, index)
    const isDropped = 'failure' in current && current.failure.reason === 'dropped'
    const isLeft = isOpen(state, id) || isBad(current.status)
    return isLeft && !isDropped
      ? [{ type: 'task.cancelled', task: id, request: null, dropped: landedSince(other) }]
      : []
  })
}

/** `next`: the plan to apply. `again`: tasks that were reopened. `done`: tasks the plan file calls done, so not in `next`. */
export function replanning(
  state: RunState,
  { now, next, again, done }: { now: Plan; next: Plan | null; again: string[] | null; done: ReadonlySet<string> },
): { plan: Plan; facts: Fact[]; tooLate: string[] } {
  const reopened = again ? { again } : {}
  if (!next) return { plan: now, facts: again ? [{ type: 'run.replanned', plan: now, ...reopened }] : [], tooLate: [] }
  const { plan, difference } = comparePlan(state, next, done)
  const kept = new Set(plan.tasks.map((task) => task.id))
  const gone = difference.removed.filter((task) => kept.has(task))
  const dropping = gone.map((task): Fact => {
    const dropped = done.has(task) ? 'it is done in the plan file' : 'it is not in the plan any more'
    return { type: 'task.cancelled', task, request: null, dropped }
  })
  return { plan, facts: [{ type: 'run.replanned', plan, ...reopened }, ...dropping], tooLate: difference.tooLate }
}

type TakenOver = {
  run: string
  origin: PlanFileTasks
  doneNeeds: ReadonlyMap<string, readonly string[]>
  since: ReadonlyMap<string, string>
  again: readonly string[] | null
  plans: readonly Plan[]
  kept: PlanFileTasks | null
}

/**
 * Tasks of a changed plan that need others which the plan file calls done and this run has not done. Somebody did them elsewhere, so
 * their work is not on its branch (I4).
 */
export function lackingNeeds(state: RunState, taken: TakenOver): Problem[] {
  const { run, origin, again } = taken
  const done = new Map(origin.done?.map(({ task, source }) => [task, source]))
  const open = new Map(origin.open.map(({ task, source }) => [task, source]))
  const opened = new Set(again)
  const pairs = [...taken.doneNeeds]
    .filter(([task]) => isOpen(state, task) || opened.has(task))
    .flatMap(([task, needs]) => needs.map((need) => ({ task, need })))
  const before = taken.kept?.done && new Set(taken.kept.done.map(({ task }) => task))
  // The run's own tasks were not done when it began.
  const itsOwn = new Set(taken.plans.flatMap(({ tasks }) => tasks.map(({ id }) => id)))
  const isThere = (task: string) => {
    const status = statusOf(state, task)
    return (status !== null && isDone(status)) || (before ? before.has(task) : !itsOwn.has(task))
  }
  const lacking = Map.groupBy(
    pairs.filter(({ need }) => done.has(need) && !isThere(need)),
    ({ need }) => need,
  )
  const landing = state.head === state.base ? '' : `\`espalier land ${run}\`, then `
  const anew = `${landing}a new run of the plan file starts with all that is on your branch`
  const command = again ? `espalier retry --run ${run}` : `espalier resume ${run}`
  const asItIs = `\`${command}\` without --replan continues with the plan of the run, and does it there as well`
  return [...lacking].map(([need, [first, ...others]]) => {
    const [it, needing] = [shown(done.get(need) ?? need), shown(open.get(first?.task ?? '') ?? first?.task ?? '')]
    const more = others.length === 0 ? ' needs it' : ` and ${others.length} more need it`
    const other = taken.since.get(need)
    const whose = other === undefined ? `not by run ${run}` : `by run ${other} and not by ${run}`
    const what = `${it} is done by the plan file, but ${whose}: its work is not on ${state.branch}, and ${needing}${more}`
    return problem([what, anew, ...(other === undefined ? [asItIs] : [])].join('\n  '))
  })
}

function isOpen(state: RunState, task: string): boolean {
  const status = statusOf(state, task)
  return status === null || status === 'pending' || status === 'ready'
}

function statusOf({ graph, tasks }: RunState, task: string): TaskStatus | null {
  return tasks[graph.taskIndex.get(task) ?? -1]?.state.status ?? null
}
