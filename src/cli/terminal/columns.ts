// How wide the column of the task ids is, in a table of so many columns.

import { widest } from '../../text/width.ts'

/** `others`: what the columns take that are neither the id nor the text at the end. In a narrow line that text gives way before an id does. */
export function idWidthOf(ids: Iterable<string>, width: number, others: number): number {
  const room = Math.max(SMALLEST, Math.floor(width / 3), width - others - textWidth(width))
  return Math.min(room, widest(ids))
}

/** Columns for the text at the end of a row: of what a line is wider than a narrow one, a third. */
function textWidth(width: number): number {
  return Number.isFinite(width) ? NARROW.text + Math.max(0, Math.floor((width - NARROW.width) / 3)) : 0
}

const NARROW = { width: 80, text: 20 }
const SMALLEST = 8

/** `0 B`, `512 B`, `1.5 MB`, `12 GB`: for people. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
