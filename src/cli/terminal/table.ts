// Rows of cells whose columns stand below each other, in the width there is.
import { safeLine } from '../../text/safe.ts'
import { fit, padEnd, padStart, widest } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'

type TableLook = Look & {
  /** Columns of figures, which end below each other. Default: none. */
  isRight?: (column: number) => boolean
  indent?: number
}

/** `head`: the names of the columns; null: there are none. */
export function tableLines(
  head: readonly string[] | null,
  rows: readonly (readonly string[])[],
  { width, palette, isRight = () => false, indent = 0 }: TableLook,
): string[] {
  const all = head ? [head, ...rows] : rows
  const columns = all.reduce((most, row) => Math.max(most, row.length), 0)
  const widths = Array.from({ length: columns }, (_, column) => widest(all.map((row) => row[column] ?? '')))
  const lines = all.map((row) => {
    const cells = row.map((cell, column) => (isRight(column) ? padStart : padEnd)(cell, widths[column] ?? 0))
    return ' '.repeat(indent) + fit(cells.join('  ').trimEnd(), width - indent)
  })
  return head ? [palette.dim(lines[0] ?? ''), ...lines.slice(1)] : lines
}

/** With an empty line between them; empty ones are left out. */
export function blocks(all: readonly (readonly string[])[]): string[] {
  return all.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** A label in a column of so many columns, and the text behind it. */
export function labelled(label: string, columns: number, text: string, { width, palette }: Look): string {
  return `${palette.dim(padEnd(label, columns))} ${fit(safeLine(text), width - columns - 1)}`
}
