// What the plan file of a run said when it began: kept with the run, for every engine that works on it.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { mergedOrigin, type PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'
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

export async function keepOrigin(folder: StateFolder, run: string, origin: PlanOrigin): Promise<PlanOrigin> {
  const file = originFile(folder, run)
  const merged = mergedOrigin(await keptOrigin(folder, run), origin)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${JSON.stringify(merged)}\n`, { mode: 0o600 })
  return merged
}

/** Null where the run has no such file, or one whose format carries no status. */
export async function keptOrigin(folder: StateFolder, run: string): Promise<PlanOrigin | null> {
  const text = await readFile(originFile(folder, run), 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = schema.safeParse(json(text))
  return parsed.success ? parsed.data : null
}

/** Null for what a crash left half written: the run goes on without writing back. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
