// Sections of reports on the terminal, fitted to its width; the same content as in Markdown and pages.
import { type Cell, filled, type ReportSection } from '../../reports/sections/section.ts'
import type { Summary } from '../../reports/summary.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { fit, hanging, widest, wrap } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'
import { PAINTS } from './glyph.ts'
import { blocks, tableLines } from './table.ts'

/** Rows of one table; --json has all of them. */
const SHOWN = 40
/** Largest share of the width for any column but the last. Off a terminal the width counts as `WIDE`. */
const COLUMN_SHARE = 0.35
const WIDE = 160

/** `name`: what the report is about. `above`: a line before it. */
export function reportLines(
  name: string,
  { title, detail, figures, sections }: Pick<Summary, 'title' | 'detail' | 'figures' | 'sections'>,
  look: Look,
  above = '',
): string[] {
  const first = `${look.palette.strong(name)}  ${fit(title, look.width - name.length - 2)}`
  const head = [...(above ? [above] : []), first, ...(detail ? hanging(detail, look.width, 2) : [])]
  return blocks([head, tableLines(null, figures, look), sectionLines(sections, look)])
}

export function sectionLines(sections: readonly (ReportSection | null)[], look: Look): string[] {
  return blocks(filled(sections).map((section) => linesOf(section, look)))
}

function linesOf(section: ReportSection, look: Look): string[] {
  const { title, words = [], head = [], rows = [], list = [], leftOut = 0 } = section
  const { width, palette } = look
  const left = leftOut + Math.max(0, rows.length - SHOWN) + Math.max(0, list.length - SHOWN)
  const entries = list.slice(0, SHOWN).map((entry) => cellText(entry, width, look))
  return [
    palette.strong(fit(title, width)),
    ...words.flatMap((text) => wrap(safeLine(text), width - 2)).map((text) => `  ${text}`),
    ...rowLines(head, rows.slice(0, SHOWN), look),
    ...entries.flatMap((text) => hanging(text, width - 2, 2)).map((text) => `  ${text}`),
    ...(left > 0 ? [palette.dim(fit(`  … and ${left} more; --json has all of them`, width))] : []),
  ]
}

/** Omits empty columns, and the last columns if there is no room for them. */
function rowLines(head: readonly string[], rows: readonly (readonly Cell[])[], look: Look): string[] {
  const { width, palette } = look
  const most = Math.floor(Math.min(width, WIDE) * COLUMN_SHARE)
  const all = head.flatMap((name, column) => {
    const texts = rows.map((row) => fit(cellText(row[column] ?? '', most, look), most))
    const isFigure = texts.every((text) => FIGURE.test(text))
    return texts.some((text) => text !== '') ? [{ name, column, texts, isFigure }] : []
  })
  let room = width - GAP
  const shown = all.filter(({ name, texts, isFigure }) => {
    const columns = widest([name, ...texts])
    room -= columns + GAP
    return room + GAP + (isFigure ? 0 : columns - SMALLEST) >= 0
  })
  const last = shown.at(-1)
  if (!last) return []
  // The last column may use the rest of the width.
  last.texts = rows.map((row) => cellText(row[last.column] ?? '', width, look))
  const cells = rows.map((_, index) => shown.map(({ texts }) => texts[index] ?? ''))
  const lines = tableLines(
    shown.map(({ name }) => name),
    cells,
    { ...look, isRight: (column) => shown[column]?.isFigure ?? false, indent: GAP },
  )
  const hidden = all.filter((one) => !shown.includes(one)).map(({ name }) => name)
  return hidden.length === 0 ? lines : [...lines, palette.dim(fit(`  … no room for: ${hidden.join(', ')}`, width))]
}

const GAP = 2
/** Narrowest readable column of text. */
const SMALLEST = 8
/** `12`, `1h 05m`, `$0.10`, `45%`, `1.10 ×`, `5m 00s (5%)`; or nothing. */
const FIGURE = /^([+−$]?\d[\d.,]*( ?(ms|s|m|h|d|%|×))?( \d+[smh])?( \(\d+%\))?)?$/

/** `room`: columns for names of tasks. Keeps spaces at both ends of a text: they separate it from its neighbours. */
function cellText(cell: Cell, room: number, { palette }: Look): string {
  const pieces = [cell].flat() as Exclude<Cell, readonly unknown[]>[]
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece.replace(/\S.*\S|\S/s, safeLine)
    if ('code' in piece) return safeLine(piece.code)
    if ('ownRow' in piece) return piece.ownRow
    if ('sign' in piece) return palette[PAINTS[piece.tone]](piece.sign)
    return nameList(piece.tasks, Math.min(room, WIDE))
  })
  return texts.join('')
}
