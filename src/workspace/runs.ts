// Looking at runs from any process, also while an engine writes. Reads the views of the store; takes no lock.
import { existsSync } from 'node:fs'
import type { Settings } from '../config.ts'
import type { Event } from '../event.ts'
import { atWorkMs } from '../facts/at-work.ts'
import { spendingOf } from '../facts/spending.ts'
import { ok, type Result, refuse } from '../problem.ts'
import type { ListedRun, RunSummary, RunView, TaskView } from '../status.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import type { Views } from '../store/store.ts'
import type { Plan, Task } from '../task.ts'
import type { StateFolder } from './folder.ts'
import { keptUnwritten } from './kept-unwritten.ts'
import { engineAt, folderOf, reading, type Where } from './read.ts'

/** Newest first. */
export async function listRuns(where: Where): Promise<Result<(ListedRun & Pick<RunView, 'engine'>)[]>> {
  return reading(where, [], async (store, folder) => {
    const holder = engineAt(folder)
    return (await store.runs()).map((run) => ({ ...run, engine: workingOn(run, holder) }))
  })
}

/** By default the newest. Null if there is none. */
export async function readRun(where: Where & { run?: string | undefined }): Promise<Result<RunView | null>> {
  return reading(where, null, async (store, folder) => {
    const summary = where.run === undefined ? ((await store.runs())[0] ?? null) : await store.view(where.run)
    return summary && (await viewOf(store, folder, summary))
  })
}

export async function readPlanOf(where: Where & { run: string }): Promise<Result<Plan | null>> {
  return reading(where, null, async (store) => (await store.run(where.run))?.currentPlan ?? null)
}

/** A run with its plan and where it is kept, for whoever tells of it. */
export type ReadRun = { view: RunView; plan: Plan | null; folder: StateFolder }

/** Refuses where there is none. */
export async function readWithPlan(where: Where & { run?: string | undefined }): Promise<Result<ReadRun>> {
  const found = await readRun(where)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(where.run ? `there is no run ${where.run}` : 'there is no run yet')
  const [plan, folder] = [await readPlanOf({ ...where, run: view.run }), await folderOf(where)]
  if (!plan.ok) return plan
  return folder.ok ? ok({ view, plan: plan.value, folder: folder.value }) : folder
}

/** The settings it was started with. */
export async function readSettingsOf(where: Where & { run: string }): Promise<Result<Settings | null>> {
  return reading(where, null, async (store) => (await store.run(where.run))?.settings ?? null)
}

export async function readEvents(where: Where & { run: string; after?: number | undefined }): Promise<Result<Event[]>> {
  const folder = await folderOf(where)
  if (!folder.ok) return folder
  if (!existsSync(folder.value.database)) return ok([])
  // Loaded here: it checks every event, and the rest of this file has to be quick to load.
  const { openSqliteStore } = await import('../store/sqlite/store.ts')
  const opened = openSqliteStore(folder.value.database, 'read')
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessDamaged(folder.value.database, async () => ok(await store.events(where.run, where.after ?? 0)))
}

/** A run may say that it runs although its engine was killed. */
function workingOn({ enginePid }: RunSummary, holder: RunView['engine']): RunView['engine'] {
  return holder?.pid === enginePid ? holder : null
}

async function viewOf(store: Views, folder: StateFolder, summary: RunSummary): Promise<RunView> {
  const [record, known] = [await store.run(summary.run), await store.tasks(summary.run)]
  const engine = workingOn(summary, engineAt(folder))
  const plan = record?.currentPlan ?? null
  const tasks = (plan?.tasks ?? []).map((task) => known.get(task.id) ?? untouched(task))
  const spending = spendingOf(tasks, plan)
  const unwritten = await keptUnwritten(folder, summary.run)
  return {
    ...summary,
    engine,
    durationMs: atWorkMs(summary, engine ? Date.now() : (summary.lastAt ?? Date.now())),
    tasks,
    ...(record?.planFile ? { planFile: record.planFile } : {}),
    ...(spending.tasks.length > 0 ? { spending } : {}),
    ...(unwritten ? { unwritten } : {}),
  }
}

function untouched({ id, title, epic, needs }: Task): TaskView {
  return {
    id,
    title,
    epic,
    needs,
    status: 'pending',
    outcome: null,
    attempts: 0,
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    landedCommit: null,
    landedAt: null,
    failure: null,
    conflict: null,
    retryAt: null,
    stalledSince: null,
    history: [],
  }
}
