// What the stores have in common about lessons and attempts.
import type { z } from 'zod'
import { type Known, lesson } from '../lesson.ts'

/** A row that makes no sense is left out: what was learned is a help, and nothing stands or falls with one of them. */
export function wholeRows<T>(schema: z.ZodType<T>, rows: readonly { data?: unknown }[]): T[] {
  return rows.flatMap((row) => {
    const read = schema.safeParse(jsonOf(row.data))
    return read.success ? [read.data] : []
  })
}

export function knownOf(rows: readonly { data?: unknown }[]): Known {
  return new Map(wholeRows(lesson, rows).map((one) => [one.id, one]))
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

export const KEPT_EXPERIENCES = 5_000
