// `espalier plan show`: who may not run beside whom because of their claims.
import type { ClaimRow, ClaimsMatrix } from '../../internal.ts'
import { safeLine } from '../../text/safe.ts'
import { displayWidth, fit, padEnd, padStart, widest } from '../../text/width.ts'
import type { Palette } from '../terminal/palette.ts'

/** Of the names of the rows, and of what they claim: less is of no use to anybody. */
const NAME_COLUMNS = 28
const CLAIM_COLUMNS = 16
const CELL_COLUMNS = 3
/** Off a terminal there is no width: this much is readable in a file. */
const MOST_COLUMNS = 120

export function claimsMatrixLines(matrix: ClaimsMatrix, width: number, palette: Palette): string[] {
  if (matrix.rows.length === 0) return []
  const columns = Math.min(width, MOST_COLUMNS)
  const names = Math.min(NAME_COLUMNS, widest(matrix.rows.map((row) => rowName(row, NAME_COLUMNS))))
  const numbers = String(matrix.rows.length).length
  const label = 2 + numbers + 2 + names
  const room = Math.max(1, Math.floor((columns - label - 2 - CLAIM_COLUMNS) / CELL_COLUMNS))
  const places = mostConflicts(matrix, room)
  const rows = places.map((place) => matrix.rows[place] as ClaimRow)
  const signs = signsOf(matrix)
  const head = `${' '.repeat(label)}${rows.map((_, at) => padStart(String(at + 1), CELL_COLUMNS)).join('')}`
  const rest = columns - label - rows.length * CELL_COLUMNS - 2
  const lines = rows.map((row, at) => {
    const name = `  ${padStart(String(at + 1), numbers)}  ${padEnd(rowName(row, names), names)}`
    const cells = places.map((other) => padStart(signs.get(`${places[at]} ${other}`) ?? '', CELL_COLUMNS))
    return `${name}${cells.join('')}  ${palette.dim(fit(claimsOf(row), rest))}`.trimEnd()
  })
  const left = matrix.rows.length - rows.length + matrix.leftOut
  return [
    palette.strong('Claims: × never at the same time, · one after the other anyway'),
    palette.dim(head),
    ...lines,
    ...(left > 0 ? [palette.dim(fit(`  … and ${left} more with fewer conflicts`, columns))] : []),
  ]
}

function signsOf({ cells }: ClaimsMatrix): Map<string, string> {
  const signs = new Map<string, string>()
  for (const { a, b, kind } of cells) {
    const sign = kind === 'conflict' ? '×' : '·'
    signs.set(`${a} ${b}`, sign).set(`${b} ${a}`, sign)
  }
  return signs
}

/** Where there is no room for all rows, those with the most conflicts, in the order of the plan. */
function mostConflicts({ rows, cells }: ClaimsMatrix, room: number): number[] {
  const conflicts = rows.map(() => 0)
  for (const { a, b, kind } of cells)
    if (kind === 'conflict') for (const row of new Set([a, b])) conflicts[row] = (conflicts[row] ?? 0) + 1
  return rows
    .map((_, place) => place)
    .sort((a, b) => (conflicts[b] ?? 0) - (conflicts[a] ?? 0) || a - b)
    .slice(0, room)
    .sort((a, b) => a - b)
}

/** All of its tasks, if there is room. Else their number first: the end of a name may be cut off. */
function rowName({ tasks, count }: ClaimRow, columns: number): string {
  const all = tasks.join(', ')
  if (tasks.length === count && displayWidth(all) <= columns) return all
  return fit(count === 1 ? all : `${count} tasks: ${tasks[0]}, …`, columns)
}

function claimsOf({ write, read }: ClaimRow): string {
  const reads = read.length === 0 ? [] : [`reads ${read.join(' ')}`]
  return safeLine([...(write.length === 0 ? [] : [write.join(' ')]), ...reads].join(', '))
}
