// Queries about runs, from any process, also while an engine writes. Reads the views of the store; takes no lock.
import { setTimeout as wait } from 'node:timers/promises'
import type { Settings } from '../config.ts'
import type { Event } from '../event.ts'
import { atWorkMs } from '../facts/durations.ts'
import { spendingOf } from '../facts/spending.ts'
import { mapped, ok, type Result, refuse } from '../problem.ts'
import type { Views } from '../store/views.ts'
import type { Plan, Task } from '../task.ts'
import { loadUnwritten } from '../unwritten-statuses.ts'
import type { RunInList, RunNow, RunSummary, RunView, TaskView } from '../view.ts'
import type { StateFolder } from './state-folder.ts'
import type { Workspace } from './workspace.ts'

/** Newest first. */
export async function listRuns(workspace: Workspace): Promise<Result<RunInList[]>> {
  return workspace.readViews([], async (store) => {
    const holder = workspace.engine ?? (await store.leading())
    return (await store.runs()).map((run) => ({ ...run, engine: workingOn(run, holder) }))
  })
}

/** A run, by default the one at work, else the newest. Null if there is none. */
export async function readRun(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<RunView | null>> {
  return workspace.readViews(null, async (store) => {
    // First: an engine that goes meanwhile has written all it had to.
    const holder = workspace.engine ?? (await store.leading())
    const { run } = options
    const summary =
      run === undefined ? runAtWork(await store.runs(holder ? undefined : 1), holder) : await store.view(run)
    return summary && (await viewOf(store, summary, holder))
  })
}

/** The run that an engine works on, else the newest. `runs`: newest first. One process may have worked on several. */
function runAtWork<R extends RunSummary>(runs: readonly R[], holder: RunView['engine']): R | null {
  const mine = runs.filter((run) => run.resumable && workingOn(run, holder) !== null)
  const [last = runs[0]] = mine.toSorted((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))
  return last ?? null
}

/** A run without its tasks: costs the same however large it is. */
export async function readSummary(workspace: Workspace, options: { run: string }): Promise<Result<RunNow | null>> {
  return workspace.readViews(null, async (store) => {
    const holder = workspace.engine ?? (await store.leading())
    const summary = await store.view(options.run)
    return summary && { ...atThisMoment(summary, holder), ...(await lacking(store, summary)) }
  })
}

/** One task of a run. Null: the run has none with that id. */
export async function readTaskView(
  workspace: Workspace,
  options: { run: string; task: string },
): Promise<Result<TaskView | null>> {
  return workspace.readViews(null, async (store) => {
    const known = await store.task(options.run, options.task)
    if (known) return known
    const planned = (await store.currentPlan(options.run))?.tasks.find(({ id }) => id === options.task)
    return planned ? untouched(planned) : null
  })
}

/** The tasks of a run that have changed since a cursor of the feed; null: all of them, in the order of the plan. */
export async function readChanges(
  workspace: Workspace,
  { run, after }: { run: string; after: number | null },
): Promise<Result<{ cursor: number; tasks: TaskView[] }>> {
  return workspace.readViews({ cursor: 0, tasks: [] }, async (store) => {
    const changed = await store.changedTasks(run, after ?? 0)
    if (after !== null) return changed
    const known = new Map(changed.tasks.map((task) => [task.id, task]))
    const plan = await store.currentPlan(run)
    return { cursor: changed.cursor, tasks: (plan?.tasks ?? []).map((task) => known.get(task.id) ?? untouched(task)) }
  })
}

/**
 * Views of a run: at once, after each write (but not more often than `everyMs`), and that often if only time has passed. Null
 * once it is removed.
 */
export async function* watchRun(
  workspace: Workspace,
  { run, everyMs, signal }: { run: string; everyMs: number; signal?: AbortSignal | undefined },
): AsyncGenerator<Result<RunView | null>, void, void> {
  let view: RunView | null = null
  for await (const changed of workspace.changes({ atLeastEveryMs: everyMs, signal })) {
    const holder = workspace.engine
    // The last writes of an engine that has gone are read once more.
    const now: Result<RunView | null> =
      view && !changed && holder ? ok(atThisMoment(view, holder)) : await readRun(workspace, { run })
    yield now
    if (!now.ok) return
    view = now.value
    await wait(everyMs, undefined, { signal }).catch(() => {})
  }
}

export async function readPlanOf(workspace: Workspace, options: { run: string }): Promise<Result<Plan | null>> {
  return workspace.readViews(null, (store) => store.currentPlan(options.run))
}

export type ReadRun = { view: RunView; plan: Plan | null; folder: StateFolder }

export async function readKnownRun(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<RunView>> {
  const found = await readRun(workspace, options)
  if (!found.ok) return found
  if (found.value) return ok(found.value)
  return refuse(options.run ? `there is no run ${options.run}` : 'there is no run yet')
}

export async function readWithPlan(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<ReadRun>> {
  const found = await readKnownRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  return mapped(await readPlanOf(workspace, view), (plan) => ({ view, plan, folder: workspace.folder }))
}

export async function readSettingsOf(workspace: Workspace, options: { run: string }): Promise<Result<Settings | null>> {
  return workspace.readViews(null, async (store) => (await store.run(options.run))?.settings ?? null)
}

export async function readEvents(
  workspace: Workspace,
  options: { run: string; after?: number | undefined; atMost?: number | undefined },
): Promise<Result<Event[]>> {
  const { run, after = 0, atMost } = options
  return workspace.read<Event[]>([], async (store) => ok(await store.events(run, after, atMost)))
}

/** A run may say that it runs although its engine was killed. */
function workingOn({ enginePid }: RunSummary, holder: RunView['engine']): RunView['engine'] {
  return holder?.pid === enginePid ? holder : null
}

async function viewOf(store: Views, summary: RunSummary, holder: RunView['engine']): Promise<RunView> {
  const [plan, known] = [await store.currentPlan(summary.run), await store.tasks(summary.run)]
  const tasks = (plan?.tasks ?? []).map((task) => known.get(task.id) ?? untouched(task))
  const spending = spendingOf(tasks, plan)
  return {
    ...atThisMoment(summary, holder),
    tasks,
    ...(spending.tasks.length > 0 ? { spending } : {}),
    ...(await lacking(store, summary)),
  }
}

/** Statuses that the plan file lacks. */
async function lacking(store: Views, { run }: RunSummary): Promise<Pick<RunView, 'unwritten'>> {
  const unwritten = await loadUnwritten(store, run)
  return unwritten ? { unwritten } : {}
}

/** Adds the parts that change without a write: whether the engine lives, and the time. */
function atThisMoment<T extends RunSummary>(
  view: T,
  holder: RunView['engine'],
): T & Pick<RunView, 'engine' | 'durationMs'> {
  const engine = workingOn(view, holder)
  return { ...view, engine, durationMs: atWorkMs(view, engine ? Date.now() : (view.lastAt ?? Date.now())) }
}

/** A task that has not been queued yet. */
export function untouched({ id, title, epic, needs }: Task): TaskView {
  return {
    ...{ id, title, epic, needs, status: 'pending', outcome: null, attempts: 0, history: [] },
    ...{ startedAt: null, finishedAt: null, durationMs: null, retryAt: null, stalledSince: null },
    ...{ landedCommit: null, landedAt: null, failure: null, conflict: null },
  }
}
