// How wide the column of the task ids is, in a table of so many columns.
import { widest } from './display-width.ts'

/** What the text at the end of a row keeps of a line that is not too narrow. */
const TEXT_WIDTH = 20
const SMALLEST = 8

/** `others`: what the columns take that are neither the id nor the text at the end. That text gives way before an id does. */
export function idWidthOf(ids: Iterable<string>, width: number, others: number): number {
  const room = Math.max(SMALLEST, Math.floor(width / 3), width - others - TEXT_WIDTH)
  return Math.min(room, widest(ids))
}
