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
import type { Workspace } from '../../workspace/workspace.ts'
import { readState } from './replay-journal.ts'
import { landedSince } from './tasks-to-retry.ts'

/** The record of a resumable run, by default the newest; null: none. `over`: a finished run counts, too. */
export async function readResumable(
  workspace: Workspace,
  options: { run?: string | undefined; over?: boolean | undefined } = {},
): Promise<Result<RunRecord | null>> {
  return workspace.read<RunRecord | null>(null, async (store) => {
    const isMeant = ({ run }: { run: string }) => options.run === undefined || run === options.run
    const found = (await store.runs()).find((run) => (run.resumable || options.over) && isMeant(run))
    return ok(found ? await store.run(found.run) : null)
  })
}

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

/** The note of a run with the agent that was named above its plan. */
export const ONLY_AGENT = 'only-agent'

export async function readOnlyAgent(workspace: Workspace, { run }: { run: string }): Promise<string | undefined> {
  const found = await workspace.readViews<unknown>(null, (views) => views.note(run, ONLY_AGENT))
  return found.ok && typeof found.value === 'string' ? found.value : undefined
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
type Replanning = {
  now: Plan
  next: Plan | null
  again: string[] | null
  done: ReadonlySet<string>
}

export function replanning(
  state: RunState,
  { now, next, again, done }: Replanning,
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
