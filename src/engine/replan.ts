// A plan that changed since its run began: what the difference is, and taking it over when the run is resumed.
import { existsSync } from 'node:fs'
import type { Fact } from '../event.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { apply } from '../scheduler/apply.ts'
import { taskAt, topologicalOrder, unitAt } from '../scheduler/graph.ts'
import { reopen, reopenable } from '../scheduler/reopen.ts'
import { comparePlan, type PlanDifference } from '../scheduler/replan.ts'
import { emptyState, indexOf, type RunState, record } from '../scheduler/state.ts'
import { isResumable } from '../scheduler/view.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { RunRecord } from '../store/store.ts'
import type { Plan } from '../task.ts'
import { folderOf, type Where } from './read.ts'

/** The record of a run that can be resumed: by default the newest. Null if there is none. `over`: one that is over will do. */
export async function readResumable(
  where: Where & { run?: string | undefined; over?: boolean | undefined },
): Promise<Result<RunRecord | null>> {
  return withStore(where, null, async (store) => {
    const isMeant = ({ run }: { run: string }) => where.run === undefined || run === where.run
    const found = (await store.runs()).find((run) => (run.resumable || where.over) && isMeant(run))
    return found ? store.run(found.run) : null
  })
}

/** What resuming the run with this plan would change, or trying some tasks `again`. Nothing is written. */
export async function readDifference(
  where: Where & { run: string; plan: Plan; again?: 'all' | readonly string[] | undefined },
): Promise<Result<PlanDifference>> {
  const found = await withStore(where, null, async (store) => {
    const [record, events] = [await store.run(where.run), await store.events(where.run)]
    const [first] = events
    if (!record || first?.type !== 'run.started') return null
    const state = events.reduce<RunState>(apply, emptyState(record.plan, first.limits))
    if (where.again) reopen(state, reopenable(state, where.again === 'all' ? null : where.again))
    return comparePlan(state, where.plan).difference
  })
  if (!found.ok) return found
  return found.value ? ok(found.value) : refuse(`there is no run ${where.run}`)
}

export type Reopening = {
  run: string
  wanted: 'all' | readonly string[]
  /** What other runs have landed since, by the run: none of it is meant, unless it is named. */
  since: ReadonlyMap<string, string>
  /** Something else is to be done as well. */
  mayBeNone: boolean
}

/** Those of `wanted` that did not succeed, and what they block. */
export function tasksToReopen(state: RunState, { run, wanted, since, mayBeNone }: Reopening): Result<string[]> {
  const named = wanted === 'all' ? [] : wanted
  const unknown = named.find((task) => !state.graph.taskIndex.has(task))
  if (unknown !== undefined) return refuse(`run ${run} has no task ${unknown}: \`espalier status ${run}\` lists them`)
  const again = wanted === 'all' ? reopenable(state, null, [...since.keys()]) : reopenable(state, wanted)
  const other = named.find((task) => !again.includes(task))
  if (other !== undefined) {
    const { status } = record(state, indexOf(state, other)).state
    return refuse(`${other} is ${status}: only what failed, was blocked or cancelled can be tried again`)
  }
  if (again.length === 0 && !mayBeNone) return refuse(nothingToReopen(state, run, since))
  for (const task of named) {
    const lacks = lackingNeed(state, task, new Set(again))
    if (lacks !== null)
      return refuse(`${task} needs ${lacks}, which did not succeed either: name it too, or none for all of them`)
  }
  return ok(again)
}

function nothingToReopen(state: RunState, run: string, since: Reopening['since']): string {
  const [done] = reopenable(state, null).filter((task) => since.has(task))
  if (done !== undefined)
    return `nothing of run ${run} is left to try again: ${done} and the others were done by run ${since.get(done)} since`
  const goOn = isResumable(state) ? `; it is not over: \`espalier resume ${run}\` goes on with it` : ''
  return `nothing of run ${run} failed, was blocked or cancelled${goOn}`
}

/** What an old run has not begun and another one has done since. What needs another comes before it. */
export function droppedFor(state: RunState, plan: Plan, since: ReadonlyMap<string, string>, again: string[]): Fact[] {
  const ids = new Set(plan.tasks.map(({ id }) => id))
  const order = topologicalOrder(state.graph).toReversed()
  const tasks = order.flatMap((unit) => unitAt(state.graph, unit).members.toReversed())
  return tasks.flatMap((index): Fact[] => {
    const { id } = taskAt(state.graph, index)
    const other = since.get(id)
    const isOpen = OPEN.has(record(state, index).state.status) && ids.has(id) && !again.includes(id)
    if (other === undefined || !isOpen) return []
    return [{ type: 'task.cancelled', task: id, request: null, dropped: `run ${other} has landed it since` }]
  })
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'ready'])

/** What keeps a task from starting that is not tried again itself. */
function lackingNeed(state: RunState, task: string, again: ReadonlySet<string>): string | null {
  const unit = unitAt(state.graph, state.graph.unitOf[indexOf(state, task)] as number)
  const blockers = state.graph.units.filter(({ dependents }) => dependents.includes(unit.index))
  const members = blockers.flatMap((blocker) => blocker.members).map((member) => taskAt(state.graph, member).id)
  const lacks = members.find((id) => !again.has(id) && hasFailed(state, id))
  return lacks ?? null
}

function hasFailed(state: RunState, task: string): boolean {
  return reopenable(state, [task]).length > 0
}

/** `next`: the plan to take over; `again`: what is tried again, which was reopened before. Null: neither. */
export type Replanning = { now: Plan; next: Plan | null; again: string[] | null }

/** The facts that take a plan over, or try something again; and the plan of the run after them. */
export function replanning(
  state: RunState,
  { now, next, again }: Replanning,
): { plan: Plan; facts: Fact[]; tooLate: string[] } {
  const reopened = again ? { again } : {}
  if (!next) return { plan: now, facts: again ? [{ type: 'run.replanned', plan: now, again }] : [], tooLate: [] }
  const { plan, difference } = comparePlan(state, next)
  const kept = new Set(plan.tasks.map((task) => task.id))
  const gone = difference.removed
    .filter((task) => kept.has(task))
    .map((task): Fact => ({ type: 'task.cancelled', task, request: null, dropped: 'it is not in the plan any more' }))
  const facts: Fact[] = [{ type: 'run.replanned', plan, ...reopened }, ...gone]
  return { plan, facts, tooLate: difference.tooLate }
}

async function withStore<T>(
  where: Where,
  nothing: T,
  use: (store: Extract<ReturnType<typeof openSqliteStore>, { ok: true }>['value']) => Promise<T>,
): Promise<Result<T>> {
  const folder = await folderOf(where)
  if (!folder.ok) return folder
  if (!existsSync(folder.value.database)) return ok(nothing)
  const opened = openSqliteStore(folder.value.database, 'read')
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessDamaged(folder.value.database, async () => ok(await use(store)))
}
