// A plan that changed since its run began: what the difference is, and taking it over when the run is resumed.
import { existsSync } from 'node:fs'
import type { Fact } from '../event.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { apply } from '../scheduler/apply.ts'
import { comparePlan, type PlanDifference } from '../scheduler/replan.ts'
import { emptyState, type RunState } from '../scheduler/state.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { RunRecord } from '../store/store.ts'
import type { Plan } from '../task.ts'
import { folderOf, type Where } from './read.ts'

/** The record of a run that can be resumed: by default the newest. Null if there is none. */
export async function readResumable(where: Where & { run?: string | undefined }): Promise<Result<RunRecord | null>> {
  return withStore(where, null, async (store) => {
    const id = where.run ?? (await store.runs()).find((run) => run.resumable)?.run
    return id === undefined ? null : store.run(id)
  })
}

/** What resuming the run with this plan would change. Nothing is written. */
export async function readDifference(where: Where & { run: string; plan: Plan }): Promise<Result<PlanDifference>> {
  const found = await withStore(where, null, async (store) => {
    const [record, events] = [await store.run(where.run), await store.events(where.run)]
    const [first] = events
    if (!record || first?.type !== 'run.started') return null
    const state = events.reduce<RunState>(apply, emptyState(record.plan, first.limits))
    return comparePlan(state, where.plan).difference
  })
  if (!found.ok) return found
  return found.value ? ok(found.value) : refuse(`there is no run ${where.run}`)
}

/** The facts that take `next` over. */
export function replanning(state: RunState, next: Plan): { plan: Plan; facts: Fact[] } {
  const { plan, difference } = comparePlan(state, next)
  const kept = new Set(plan.tasks.map((task) => task.id))
  const gone = difference.removed
    .filter((task) => kept.has(task))
    .map((task): Fact => ({ type: 'task.cancelled', task, request: null }))
  return { plan, facts: [{ type: 'run.replanned', plan }, ...gone] }
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
