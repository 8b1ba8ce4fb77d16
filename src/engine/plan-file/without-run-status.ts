// The files of a run's plan without what the run has written into them: what differs then is what people changed.
import { ok, type Result } from '../../problem.ts'
import type { TaskView } from '../../status.ts'
import {
  type OriginFile,
  type PlanOrigin,
  statusFileOf,
  type Written,
  withoutStatus,
} from '../../workloads/formats/write-back/plan-file-at-start.ts'
import type { PlanFile } from '../../workloads/plan/source.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { keptOrigin } from './keep-plan-file-at-start.ts'
import { phaseOf, writtenStatus } from './status-of-task.ts'

/** `format` and `part`: as the run has read them. Files are named by their whole path. */
export type PlanBefore = { files: PlanFile[]; format?: string; part?: string }

export async function readPlanBefore(
  workspace: Workspace,
  options: { run: string; files: readonly PlanFile[] },
): Promise<Result<PlanBefore>> {
  const { run, files } = options
  const kept = await workspace.readViews(null, async (store) => {
    const origin = await keptOrigin(store, run)
    return origin && { origin, tasks: await store.tasks(run) }
  })
  if (!kept.ok) return kept
  if (!kept.value) return ok({ files: [...files] })
  const { origin, tasks } = kept.value
  const { format, part } = origin
  const before = files.map((file) => taken(file, origin, tasks))
  return ok({ files: before, format, ...(part === null ? {} : { part }) })
}

/** The files as if nothing in them were done yet: only then it can be read from them what needs what is done. */
export function withDoneOpen(files: readonly PlanFile[], { format, part, done = [] }: PlanOrigin): PlanFile[] {
  const known = statusFileOf(format)
  if (!known || done.length === 0) return [...files]
  const byFile = Map.groupBy(done, ({ path }) => path)
  return files.map((file) => {
    const written = (byFile.get(file.file) ?? []).map(({ source }) => ({ source, isDone: true }))
    const text = written.length > 0 ? withoutStatus(known, file, { written, part }) : ok(file.text)
    return text.ok ? { ...file, text: text.value } : file
  })
}

function taken(file: PlanFile, { format, part, files }: PlanOrigin, tasks: Map<string, TaskView>): PlanFile {
  const known = statusFileOf(format)
  const entries = files.find(({ path }) => path === file.file)?.entries ?? []
  if (!known || entries.length === 0) return file
  const text = withoutStatus(known, file, { written: entries.flatMap((entry) => writtenOf(entry, tasks)), part })
  return text.ok ? { ...file, text: text.value } : file
}

/** One that is the sum of others is written when they are: it has no view of its own. */
function writtenOf({ task, source }: OriginFile['entries'][number], tasks: Map<string, TaskView>): Written[] {
  const view = tasks.get(task)
  const parts = view ? [view] : [...tasks.values()].filter(({ epic }) => epic === task)
  const isWritten = parts.length > 0 && parts.every((part) => writtenStatus(part) !== null)
  return isWritten ? [{ source, isDone: parts.every((part) => phaseOf(part) === 'done') }] : []
}
