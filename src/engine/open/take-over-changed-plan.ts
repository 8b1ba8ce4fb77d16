// A plan that changed since its run began: the difference, and applying it when the run is resumed.

import type { Fact } from '../../event.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { reopen, reopenable } from '../../scheduler/apply/reopen.ts'
import { comparePlan, type PlanDifference } from '../../scheduler/apply/replan.ts'
import { taskAt, topologicalOrder, unitAt } from '../../scheduler/graph.ts'
import { type RunState, record } from '../../scheduler/state.ts'
import { isBad } from '../../status.ts'
import type { RunRecord } from '../../store/store.ts'
import type { Plan } from '../../task.ts'
import { withTasksOpen } from '../../workloads/formats/status/plan-file-tasks.ts'
import type { PlanFile } from '../../workloads/plan/source.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { keptOrigin } from '../plan-file/kept-tasks.ts'
import { phaseOf } from '../plan-file/status-of-task.ts'
import { PLAN_LIMITS_NOTE, type PlanLimits } from './limits-in-plan.ts'
import { readState } from './replay-journal.ts'
import { landedSince } from './tasks-to-retry.ts'

/** `onlyAgent`: named above its plan. `limits`: in its plan; null: it was not read from a plan file. */
type Resumable = { record: RunRecord; onlyAgent: string | undefined; limits: PlanLimits | null }

/** A resumable run, by default the newest; null: none. `over`: a finished run counts, too. */
export async function readResumable(
  workspace: Workspace,
  options: { run?: string | undefined; over?: boolean | undefined } = {},
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

/** The note of a run with the agent that was named above its plan. */
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
  const found = await workspace.read<PlanDifference | null>(null, async (store) => {
    const { state } = (await readState(store, options.run)) ?? { state: null }
    if (!state) return ok(null)
    if (options.again) reopen(state, reopenable(state, options.again === 'all' ? null : options.again))
    return ok(comparePlan(state, options.plan, options.done).difference)
  })
  if (!found.ok) return found
  return found.value ? ok(found.value) : refuse(`there is no run ${options.run}`)
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
    const origin = await keptOrigin(store, run)
    return origin && { origin, tasks: await store.tasks(run) }
  })
  if (!kept.ok) return kept
  if (!kept.value) return ok({ files: [...files] })
  const { origin, tasks } = kept.value
  const taskAt = new Map(origin.open.map(({ path, source, task }) => [keyOf(path, source), task]))
  // An epic is done when its tasks are.
  const isDone = (id: string) => {
    const view = tasks.get(id)
    const parts = view ? [view] : [...tasks.values()].filter(({ epic }) => epic === id)
    return parts.length > 0 && parts.every((part) => phaseOf(part) === 'done')
  }
  const before = withTasksOpen(files, origin, ({ source }, path) => isDone(taskAt.get(keyOf(path, source)) ?? ''))
  return ok({ files: before, format: origin.format, ...(origin.part === null ? {} : { part: origin.part }) })
}

function keyOf(path: string, source: string): string {
  return JSON.stringify([path, source])
}

/** Tasks that this run has not done and another run has since. Needed tasks come first. */
export function droppedFor(state: RunState, plan: Plan, since: ReadonlyMap<string, string>, again: string[]): Fact[] {
  const ids = new Set(plan.tasks.map(({ id }) => id))
  const order = topologicalOrder(state.graph).toReversed()
  const tasks = order.flatMap((unit) => unitAt(state.graph, unit).members.toReversed())
  return tasks.flatMap((index): Fact[] => {
    const { id } = taskAt(state.graph, index)
    const other = since.get(id)
    const { state: current } = record(state, index)
    const isDropped = 'failure' in current && current.failure.reason === 'dropped'
    const { status } = current
    const isOpen = status === 'pending' || status === 'ready' || isBad(status)
    const isLeft = isOpen && !isDropped && ids.has(id) && !again.includes(id)
    if (other === undefined || !isLeft) return []
    return [{ type: 'task.cancelled', task: id, request: null, dropped: landedSince(other) }]
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
  const gone = difference.removed
    .filter((task) => kept.has(task))
    .map((task): Fact => {
      const dropped = done.has(task) ? 'it is done in the plan file' : 'it is not in the plan any more'
      return { type: 'task.cancelled', task, request: null, dropped }
    })
  const facts: Fact[] = [{ type: 'run.replanned', plan, ...reopened }, ...gone]
  return { plan, facts, tooLate: difference.tooLate }
}
