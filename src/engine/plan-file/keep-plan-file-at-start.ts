// What the plan file of a run said when it began: kept with the run, for every engine that works on it.
import { isAbsolute } from 'node:path'
import * as z from 'zod'
import { runBranch } from '../../git/engine/refs.ts'
import type { Result } from '../../problem.ts'
import type { TaskView } from '../../status.ts'
import type { Store, Views } from '../../store/store.ts'
import {
  mergedOrigin,
  type PlanOrigin,
  statusFileOf,
  type WordsLeft,
  withWordsLeft,
} from '../../workloads/formats/write-back/plan-file-at-start.ts'
import { keptUnwritten } from '../../workspace/unwritten-statuses.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { fileTasks, planFileName } from './plan-file-name-in-ledger.ts'
import { phaseOf } from './status-of-task.ts'

export const originSchema = z.object({
  format: z.string(),
  part: z.string().nullable(),
  doneBefore: z.array(z.string()).optional(),
  files: z.array(
    z.object({
      path: z.string(),
      entries: z.array(
        z.object({
          task: z.string(),
          source: z.string(),
          status: z.string(),
          says: z.string(),
          left: z.array(z.string()).optional(),
          numberless: z.string().optional(),
        }),
      ),
    }),
  ),
})

export type OriginOf = { store: Store; run: string; top: string }

/** `tooLate`: tasks whose words the run does not take over any more. */
export async function keepOrigin(
  of: OriginOf,
  origin: PlanOrigin,
  tooLate: readonly string[] = [],
): Promise<PlanOrigin> {
  const before = await keptOrigin(of.store, of.run)
  const { format, part, files } = mergedOrigin(before, origin, new Set(tooLate))
  const doneBefore = before ? before.doneBefore : origin.done?.map(({ task }) => task)
  const merged = { format, part, doneBefore, files }
  await replaceOrigin(of, merged)
  return merged
}

/** For tasks about to be tried again, whose end this run, or others (`byOthers`), wrote into the file. */
export async function keepWordsLeft(
  of: OriginOf,
  tasks: readonly TaskView[],
  byOthers: WordsLeft['byOthers'],
): Promise<void> {
  const { store, run } = of
  const origin = await keptOrigin(store, run)
  const format = origin && statusFileOf(origin.format)
  if (!origin || !format || tasks.length + byOthers.size === 0) return
  const unwritten = new Set((await keptUnwritten(store, run))?.files.map(({ file }) => file))
  const ended = new Map(tasks.map((task) => [task.id, phaseOf(task)]))
  await replaceOrigin(of, withWordsLeft(origin, format, { ended, byOthers, unwritten }))
}

/** The ledger first: what it has of tasks that nobody knows yet does no harm. */
export async function replaceOrigin({ store, run, top }: OriginOf, origin: PlanOrigin): Promise<void> {
  const { open } = await fileTasks(origin, top)
  await store.putPlanTasks(run, runBranch(run).replace('refs/heads/', ''), open)
  await store.putNote(run, NAME, origin)
}

const NAME = 'plan-file'

/** Null where the run has no such file, or one whose format carries no status. */
export async function keptOrigin(store: Pick<Views, 'note'>, run: string): Promise<PlanOrigin | null> {
  const parsed = originSchema.safeParse(await store.note(run, NAME))
  return parsed.success ? parsed.data : null
}

export async function readOrigin(workspace: Workspace, run: string): Promise<Result<PlanOrigin | null>> {
  return workspace.readViews(null, (store) => keptOrigin(store, run))
}

// The plan files of a run that lie in the user's repository, as git names them. The run writes into them how its tasks stand.

export async function planFilesIn(
  top: string,
  origin: { files: readonly { path: string }[] } | null,
): Promise<string[]> {
  const names = await Promise.all((origin?.files ?? []).map(({ path }) => planFileName(path, top)))
  return names.filter((name) => !isAbsolute(name))
}
