// The *origin*: a note of the run with the tasks of its plan file as they were when it began or was replanned. Not part of the journal: the file
// belongs to people. Quick to load: `status` reads it.
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { Settings } from '../../config.ts'
import { runBranch } from '../../git/engine/ref-names.ts'
import type { Result } from '../../problem.ts'
import type { FileTask } from '../../store/plan-tasks.ts'
import type { Store } from '../../store/store.ts'
import type { Views } from '../../store/views.ts'
import type { RunView } from '../../view.ts'
import type { PlanFileTask, PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { isComparable } from '../../workloads/formats/status/write-status.ts'
import { readSettingsOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { phaseOf } from './status-of-task.ts'

/**
 * Keeps the statuses of the start, with the texts of now and the new tasks; all of now if the run continues with another part
 * of the file. `tooLate`: tasks that the run does not take over.
 */
export async function saveOrigin(
  { store, run, top }: { store: Store; run: string; top: string },
  now: PlanFileTasks,
  tooLate: readonly string[] = [],
): Promise<PlanFileTasks> {
  const kept = await loadOrigin(store, run)
  const before = kept?.format === now.format && kept.part === now.part ? kept : null
  const known = new Map(before?.open.map((one) => [one.task, one]))
  for (const one of now.open) {
    const old = known.get(one.task)
    if (!before || !tooLate.includes(one.task))
      known.set(one.task, old && isComparable(old.says) ? { ...old, says: one.says } : (old ?? one))
  }
  const origin = { ...(before ?? now), open: [...known.values()] }
  // Ledger first: rows of tasks that the run does not know yet do no harm.
  await store.putPlanTasks(run, runBranch(run).replace('refs/heads/', ''), await fileTasks(origin, origin.open, top))
  await store.putNote(run, ORIGIN, origin)
  return origin
}

const ORIGIN = 'plan-file'

/** The note as older versions have written it. */
type Older = { files: { path: string; entries: Omit<PlanFileTask, 'path'>[] }[] }

/** Null: the run has no plan file, or one whose format carries no status. */
export async function loadOrigin(store: Pick<Views, 'note'>, run: string): Promise<PlanFileTasks | null> {
  const note = (await store.note(run, ORIGIN)) as PlanFileTasks | (Older & Omit<PlanFileTasks, 'open'>) | null
  if (!note || !('files' in note)) return note
  const { files, ...origin } = note
  return { ...origin, open: files.flatMap(({ path, entries }) => entries.map((entry) => ({ ...entry, path }))) }
}

export async function readOrigin(workspace: Workspace, run: string): Promise<Result<PlanFileTasks | null>> {
  return workspace.readViews(null, (store) => loadOrigin(store, run))
}

// Name of a plan file in the ledger: the same in each checkout of a repository, through any link.

/** The path from the top of the checkout, as in git; the whole path of a file outside of it. */
export async function planFileName(path: string, top: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const inside = relative(top, real)
  return isAbsolute(inside) || inside.split(sep)[0] === '..' ? real : inside.split(sep).join('/')
}

export async function fileTasks(
  { format, part }: Pick<PlanFileTasks, 'format' | 'part'>,
  tasks: readonly PlanFileTask[],
  top: string,
): Promise<(FileTask & { task: string })[]> {
  const names = new Map<string, string>()
  for (const { path } of tasks) if (!names.has(path)) names.set(path, await planFileName(path, top))
  return tasks.map(({ path, source, says, task }) => {
    return { file: names.get(path) ?? path, format, part, source, says, task }
  })
}

/** Plan files in the user's repository that a run with these settings writes into, as git names them. */
export async function planFilesIn(
  top: string,
  origin: PlanFileTasks | null,
  { writeBack }: Pick<Settings, 'writeBack'>,
): Promise<string[]> {
  const paths = new Set(writeBack ? origin?.open.map(({ path }) => path) : [])
  const names = await Promise.all([...paths].map((path) => planFileName(path, top)))
  return names.filter((name) => !isAbsolute(name))
}

// People name a task by its id here, or by its name in the plan file (`T005`, `1.2`).

/** Ids of the tasks with this name. Several only if files of a plan use the same name. */
export async function tasksCalled(
  workspace: Workspace,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
  name: string,
): Promise<string[]> {
  const ids = new Set(tasks.map(({ id }) => id))
  if (ids.has(name)) return [name]
  const called = (await openTasks(workspace, run)).filter(({ source, task }) => source === name && ids.has(task))
  return [...new Set(called.map(({ task }) => task))]
}

/** Tasks that the plan file calls done because the run wrote so. */
export async function readDoneInPlanFile(
  workspace: Workspace,
  { run, tasks }: Pick<RunView, 'run' | 'tasks'>,
): Promise<ReadonlySet<string>> {
  const named = new Set((await openTasks(workspace, run)).map(({ task }) => task))
  if (named.size === 0) return named
  const settings = await readSettingsOf(workspace, { run })
  if (!settings.ok || !settings.value?.writeBack) return new Set()
  return new Set(tasks.filter((task) => named.has(task.id) && phaseOf(task) === 'done').map(({ id }) => id))
}

async function openTasks(workspace: Workspace, run: string): Promise<PlanFileTask[]> {
  const origin = await readOrigin(workspace, run)
  return origin.ok ? (origin.value?.open ?? []) : []
}
