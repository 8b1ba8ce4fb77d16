// A row that is checked in full. Apart from row.ts because schemas take time to load, and `espalier status` has none.
import type { z } from 'zod'
import { DamagedRow, parseJson } from './row.ts'

export function checkedRow<T>(schema: z.ZodType<T>, text: unknown, what: string): T {
  const result = schema.safeParse(parseJson(text, what))
  if (!result.success) throw new DamagedRow(what)
  return result.data
}
