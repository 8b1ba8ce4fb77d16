// What the plan file of a run said when it began: kept with the run, for every engine that works on it.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { mergedOrigin, type PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
import { keepFile } from './keep-file.ts'
import { originFile, type StateFolder } from './state-folder.ts'

const schema = z.object({
  format: z.string(),
  part: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      entries: z.array(z.object({ task: z.string(), source: z.string(), status: z.string(), says: z.string() })),
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
  const file = originFile(folder, run)
  const { format, part, files } = mergedOrigin(await keptOrigin(folder, run), origin, new Set(tooLate))
  const merged = { format, part, files }
  await keepFile(file, `${JSON.stringify(merged)}\n`)
  return merged
}

/** Null where the run has no such file, or one whose format carries no status. */
export async function keptOrigin(folder: StateFolder, run: string): Promise<PlanOrigin | null> {
  const text = await readFile(originFile(folder, run), 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = schema.safeParse(json(text))
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
