// What the plan file of a run said when it began: kept with the run, for every engine that works on it.
import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { TaskView } from '../../status.ts'
import {
  mergedOrigin,
  type PlanOrigin,
  statusFileOf,
  type WordsLeft,
  withWordsLeft,
} from '../../workloads/formats/status/plan-origin.ts'
import { originFile, type StateFolder } from '../../workspace/folder.ts'
import { keptUnwritten } from '../../workspace/kept-unwritten.ts'
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

/** `tooLate`: tasks whose words the run does not take over any more. */
export async function keepOrigin(
  folder: StateFolder,
  run: string,
  origin: PlanOrigin,
  tooLate: readonly string[] = [],
): Promise<PlanOrigin> {
  const before = await keptOrigin(folder, run)
  const { format, part, files } = mergedOrigin(before, origin, new Set(tooLate))
  const doneBefore = before ? before.doneBefore : origin.done?.map(({ task }) => task)
  const merged = { format, part, doneBefore, files }
  await replaceOrigin(folder, run, merged)
  return merged
}

/**
 * These tasks are about to be tried again, in a run that has written how they ended; `byOthers`: other runs have, of tasks that
 * this one goes on with. Nothing where it has no such file.
 */
export async function keepWordsLeft(
  folder: StateFolder,
  run: string,
  tasks: readonly TaskView[],
  byOthers: WordsLeft['byOthers'],
): Promise<void> {
  const origin = await keptOrigin(folder, run)
  const format = origin && statusFileOf(origin.format)
  if (!origin || !format || tasks.length + byOthers.size === 0) return
  const unwritten = new Set((await keptUnwritten(folder, run))?.files.map(({ file }) => file))
  const ended = new Map(tasks.map((task) => [task.id, phaseOf(task)]))
  await replaceOrigin(folder, run, withWordsLeft(origin, format, { ended, byOthers, unwritten }))
}

export async function replaceOrigin(folder: StateFolder, run: string, origin: PlanOrigin): Promise<void> {
  await writeAtomically(originFile(folder, run), `${JSON.stringify(origin)}\n`)
}

/** Null where the run has no such file, or one whose format carries no status. */
export async function keptOrigin(folder: StateFolder, run: string): Promise<PlanOrigin | null> {
  const text = await readFile(originFile(folder, run), 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = originSchema.safeParse(json(text))
  return parsed.success ? parsed.data : null
}

/** Null for what makes no sense: the run goes on without writing back. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// The plan files of a run that lie in the user's repository, as git names them. The run writes into them how its tasks stand.

export async function planFilesIn(
  top: string,
  origin: { files: readonly { path: string }[] } | null,
): Promise<string[]> {
  const paths = (origin?.files ?? []).map(({ path }) => realpath(path).catch(() => path))
  const found = (await Promise.all(paths)).map((path) => relative(top, path))
  return found
    .filter((path) => !isAbsolute(path) && path.split(sep)[0] !== '..')
    .map((path) => path.split(sep).join('/'))
}
