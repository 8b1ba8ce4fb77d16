// What is kept with a run about its plan file: what the file said when the run began, and the statuses that the run has
// written since. Not part of the journal: it is about a file that belongs to people. Quick to load: `status` asks it.
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { Settings } from '../../config.ts'
import { runBranch } from '../../git/engine/refs.ts'
import type { Result } from '../../problem.ts'
import type { FileTask } from '../../store/ledger.ts'
import type { Store, Views } from '../../store/store.ts'
import type { RunView } from '../../view.ts'
import type { OriginFile, PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import { readSettingsOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { phaseOf } from './status-of-task.ts'

type OriginOf = { store: Store; run: string; top: string }

/** Adds the tasks that are new in the file. `tooLate`: those whose new text the run does not take over any more. */
export async function keepOrigin(
  { store, run, top }: OriginOf,
  now: PlanOrigin,
  tooLate: readonly string[] = [],
): Promise<PlanOrigin> {
  const before = await keptOrigin(store, run)
  const origin = before ? { ...before, files: mergedFiles(before.files, now.files, new Set(tooLate)) } : now
  // The ledger first: what it has of tasks that the run does not know yet does no harm.
  await store.putPlanTasks(run, runBranch(run).replace('refs/heads/', ''), (await fileTasks(origin, top)).open)
  await store.putNote(run, ORIGIN, origin)
  return origin
}

/** The statuses found at the start stay; the text is taken over with the plan. */
function mergedFiles(before: OriginFile[], now: OriginFile[], tooLate: ReadonlySet<string>): OriginFile[] {
  const entries = now.flatMap((file) => file.entries).filter(({ task }) => !tooLate.has(task))
  const saysNow = new Map(entries.map(({ task, says }) => [task, says]))
  const known = new Set(before.flatMap((file) => file.entries.map(({ task }) => task)))
  const files = new Map(
    before.map((file) => [file.path, file.entries.map((one) => ({ ...one, says: saysNow.get(one.task) ?? one.says }))]),
  )
  for (const file of now) {
    const added = file.entries.filter(({ task }) => !known.has(task))
    if (added.length > 0) files.set(file.path, [...(files.get(file.path) ?? []), ...added])
  }
  return [...files].map(([path, mine]) => ({ path, entries: mine }))
}

const ORIGIN = 'plan-file'
const WRITTEN = 'plan-file-written'

/** Null where the run has no such file, or one whose format carries no status. */
export async function keptOrigin(store: Pick<Views, 'note'>, run: string): Promise<PlanOrigin | null> {
  const note = (await store.note(run, ORIGIN)) as PlanOrigin | null | undefined
  return Array.isArray(note?.files) ? note : null
}

export async function readOrigin(workspace: Workspace, run: string): Promise<Result<PlanOrigin | null>> {
  return workspace.readViews(null, (store) => keptOrigin(store, run))
}

/** By task: the statuses that the run has written. */
export type Written = Record<string, string[]>

export async function keptWritten(store: Pick<Views, 'note'>, run: string): Promise<Written> {
  return ((await store.note(run, WRITTEN)) ?? {}) as Written
}

export async function keepWritten(store: Store, run: string, written: Written): Promise<void> {
  await store.putNote(run, WRITTEN, written)
}

// What plan files are called in the ledger: by one name in each checkout of a repository, whichever way a path leads there.

/** As git names it where it is in the checkout; otherwise its whole path. */
export async function planFileName(path: string, top: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const inside = relative(top, real)
  return isAbsolute(inside) || inside.split(sep)[0] === '..' ? real : inside.split(sep).join('/')
}

export async function fileTasks(
  { format, part, files, done = [] }: PlanOrigin,
  top: string,
): Promise<{ open: (FileTask & { task: string })[]; done: (FileTask & { task: string })[] }> {
  const names = new Map<string, string>()
  for (const { path } of [...files, ...done]) if (!names.has(path)) names.set(path, await planFileName(path, top))
  const named = (path: string, { task, source, says }: { task: string; source: string; says: string }) => {
    return { file: names.get(path) ?? path, format, part, source, says, task }
  }
  return {
    open: files.flatMap(({ path, entries }) => entries.map((entry) => named(path, entry))),
    done: done.map((one) => named(one.path, one)),
  }
}

/** The plan files in the user's repository that a run with these settings writes into, as git names them. */
export async function planFilesIn(
  top: string,
  origin: Pick<PlanOrigin, 'files'> | null,
  { writeBack }: Pick<Settings, 'writeBack'>,
): Promise<string[]> {
  const files = writeBack ? (origin?.files ?? []) : []
  const names = await Promise.all(files.map(({ path }) => planFileName(path, top)))
  return names.filter((name) => !isAbsolute(name))
}

// What people call a task: by its id here, or as the plan file of the run calls it (`T005`, `1.2`).

/** The ids of the tasks that are called so. More than one only where several files of a plan use the same name. */
export async function tasksCalled(
  workspace: Workspace,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
  name: string,
): Promise<string[]> {
  const ids = new Set(tasks.map(({ id }) => id))
  if (ids.has(name)) return [name]
  const called = (await entriesOf(workspace, run)).filter(({ source, task }) => source === name && ids.has(task))
  return [...new Set(called.map(({ task }) => task))]
}

/** Tasks that the plan file calls done because the run wrote that there. */
export async function readDoneInPlanFile(
  workspace: Workspace,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
): Promise<ReadonlySet<string>> {
  const named = new Set((await entriesOf(workspace, run)).map(({ task }) => task))
  if (named.size === 0) return named
  const settings = await readSettingsOf(workspace, { run })
  if (!settings.ok || !settings.value?.writeBack) return new Set()
  return new Set(tasks.filter((task) => named.has(task.id) && phaseOf(task) === 'done').map(({ id }) => id))
}

async function entriesOf(workspace: Workspace, run: string): Promise<OriginFile['entries']> {
  const origin = await readOrigin(workspace, run)
  return origin.ok ? (origin.value?.files.flatMap(({ entries }) => entries) ?? []) : []
}
