// Aligned tables, fitted to the width of the terminal.
import { safeLine } from '../../text/safe.ts'
import { fit, padEnd, padStart, widest } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'

type TableLook = Look & {
  /** Columns aligned to the right. Default: none. */
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

/** Joins blocks with an empty line between them; omits empty ones. */
export function blocks(all: readonly (readonly string[])[]): string[] {
  return all.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

/** A label padded to `columns`, and the text after it. */
export function labelled(label: string, columns: number, text: string, { width, palette }: Look): string {
  return `${palette.dim(padEnd(label, columns))} ${fit(safeLine(text), width - columns - 1)}`
}

/** `others`: width of all columns except the id and the text at the end. On a narrow terminal the text shrinks before the id. */
export function idWidthOf(ids: Iterable<string>, width: number, others: number): number {
  const room = Math.max(SMALLEST, Math.floor(width / 3), width - others - textWidth(width))
  return Math.min(room, widest(ids))
}

/** Width of the text at the end of a row: 20 in a narrow line, plus a third of any further width. */
function textWidth(width: number): number {
  return Number.isFinite(width) ? NARROW.text + Math.max(0, Math.floor((width - NARROW.width) / 3)) : 0
}

const NARROW = { width: 80, text: 20 }
const SMALLEST = 8

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
