// Values in the JSON files of other formats, and how loosely some programs write them.
import type { Document, Path } from '../../document/place.ts'

export type Item = { value: Record<string, unknown>; path: Path }

export type Named = { text: string; path: Path }

/** As it is written: `2.10` is another task than `2.1`. */
export function numberName(value: number, path: Path, { numeral }: Pick<Document, 'numeral'>): string {
  const written = Number.isSafeInteger(value) ? null : numeral?.(path)
  return written ?? String(value)
}

/** Some programs write numbers as texts: `"5"` is 5. Anything else stays as it is. */
export function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Also as a text, or as a database prints it: 1 and 0. Null for anything else. */
export function truthOf(value: unknown): boolean | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true' || numberIn(word) === 1) return true
  return word === false || word === 'false' || numberIn(word) === 0 ? false : null
}
