// What the stores have in common about the entries of suites.
import * as z from 'zod'
import type { EntryRecord } from './suite-store.ts'

export const entryRecord: z.ZodType<EntryRecord> = z.object({
  run: z.string(),
  id: z.string(),
  suite: z.string(),
  key: z.string(),
  at: z.number(),
  machine: z.string(),
  tree: z.string(),
  verdict: z.string(),
  tries: z.array(z.boolean()),
  durationMs: z.number().nonnegative(),
})

/** By key: what it took of late, on this machine where it ran here. The newest rows come first. */
export function durationsOf(rows: readonly Record<string, unknown>[], machine: string): Map<string, number> {
  const found = new Map<string, { here: number[]; elsewhere: number[] }>()
  for (const row of rows) {
    const key = String(row.key)
    const seen = found.get(key) ?? { here: [], elsewhere: [] }
    const list = row.machine === machine ? seen.here : seen.elsewhere
    if (list.length < MEASURED) list.push(Number(row.duration_ms))
    found.set(key, seen)
  }
  return new Map([...found].map(([key, { here, elsewhere }]) => [key, median(here.length > 0 ? here : elsewhere)]))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

const MEASURED = 9
export const KEPT_OF_EACH = 1_000
export const KEPT_FILES = 50_000
