// How wide the column of the task ids is, in a table of so many columns.
import { widest } from '../text/width.ts'

/** `others`: what the columns take that are neither the id nor the text at the end. In a narrow line that text gives way before an id does. */
export function idWidthOf(ids: Iterable<string>, width: number, others: number): number {
  const room = Math.max(SMALLEST, Math.floor(width / 3), width - others - textWidth(width))
  return Math.min(room, widest(ids))
}

/** What the text at the end of a row keeps: of what a line has more than a narrow one, a third. */
function textWidth(width: number): number {
  return Number.isFinite(width) ? NARROW.text + Math.max(0, Math.floor((width - NARROW.width) / 3)) : 0
}

const NARROW = { width: 80, text: 20 }
const SMALLEST = 8
