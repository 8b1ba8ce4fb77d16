// What the stores have in common about lessons and attempts.
import type { z } from 'zod'
import type { LessonChanges } from '../lesson.ts'

/** A row that makes no sense is left out: what was learned is a help, and nothing stands or falls with one of them. */
export function wholeRows<T>(schema: z.ZodType<T>, rows: readonly { data?: unknown }[]): T[] {
  return rows.flatMap((row) => {
    const read = schema.safeParse(jsonOf(row.data))
    return read.success ? [read.data] : []
  })
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

export function checkAudited({ saved, dropped, audit }: LessonChanges): void {
  const told = new Set(audit.map((entry) => entry.lesson))
  const untold = [...saved.map(({ id }) => id), ...dropped].find((id) => !told.has(id))
  if (untold !== undefined) throw new Error(`lesson ${untold} was changed without an entry in the audit`)
}

export const KEPT_EXPERIENCES = 5_000
export const KEPT_AUDIT = 10_000
