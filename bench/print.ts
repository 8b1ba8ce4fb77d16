// Reports as text: one aligned table after the other, then the bars.
import { type Bar, holds, type Report, type Table } from './benchmark.ts'

export function reportText({ tables, bars }: Report): string {
  const parts = tables.map((table) => `${table.title}\n${tableText(table)}`)
  if (bars.length > 0)
    parts.push(tableText({ title: '', columns: ['bar', 'measured', 'limit', ''], rows: bars.map(barRow) }))
  return `${parts.join('\n\n')}\n`
}

export function tableText({ columns, rows }: Table): string {
  const cells = [columns, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)))]
  const widths = columns.map((_, n) => Math.max(...cells.map((row) => (row[n] ?? '').length)))
  const line = (row: string[], at: number) =>
    row
      .map((cell, n) =>
        n > 0 && (at === 0 || isFigure(cell)) ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return cells.map((row, at) => `  ${line(row, at)}`).join('\n')
}

/** Three significant digits, and no exponent. */
export function figure(value: number): string {
  const size = Math.abs(value)
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

function barRow(bar: Bar): string[] {
  const unit = bar.unit ? ` ${bar.unit}` : ''
  return [
    bar.what,
    figure(bar.measured) + unit,
    `${bar.kind} ${figure(bar.limit)}${unit}`,
    holds(bar) ? 'pass' : 'FAIL',
  ]
}

function isFigure(cell: string): boolean {
  return /^[-\d]/.test(cell)
}
