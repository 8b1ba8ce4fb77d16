// Entry by variant: how often it passed at the first try, what it took and cost. The interval tells how sure that is.
import { TableScroll } from '../../parts/table-scroll.tsx'
import { formatDuration, type MatrixCell, type MatrixTable, money, passAtText, variantText } from '../../shared.ts'

export function Matrix({ matrix }: { matrix: MatrixTable }) {
  const variants = [...new Map(matrix.cells.map((cell) => [variantText(cell.variant), cell.variant])).keys()]
  const entries = [...new Set(matrix.cells.map(({ entry }) => entry))]
  const cellOf = (entry: string, variant: string) =>
    matrix.cells.find((cell) => cell.entry === entry && variantText(cell.variant) === variant)
  return (
    <section className="panel" aria-labelledby="matrix">
      <header>
        <h2 id="matrix">Matrix</h2>
        <span className="soft">passed at the first try</span>
      </header>
      <TableScroll label="Matrix">
        <table className="matrix">
          <thead>
            <tr>
              <th>Entry</th>
              {variants.map((variant) => (
                <th key={variant}>{variant || 'all'}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry}>
                <th scope="row" className="mono">
                  {entry}
                </th>
                {variants.map((variant) => (
                  <Cell key={variant} cell={cellOf(entry, variant)} />
                ))}
              </tr>
            ))}
          </tbody>
          {matrix.variants.length > 1 && (
            <tfoot>
              <tr>
                <th scope="row">All entries</th>
                {variants.map((variant) => (
                  <Cell key={variant} cell={matrix.variants.find((one) => variantText(one.variant) === variant)} />
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </TableScroll>
    </section>
  )
}

function Cell({ cell }: { cell: MatrixCell | undefined }) {
  if (!cell || cell.looks === 0) return <td className="soft">–</td>
  const { passed, looks, interval, durationMs, costUsd } = cell
  const tone = passed === looks ? 'good' : passed === 0 ? 'bad' : 'warn'
  const mark = passed === looks ? '✓' : passed === 0 ? '✗' : '≈'
  const sure = `between ${percent(interval.low)} and ${percent(interval.high)} with 95% certainty`
  return (
    <td title={sure}>
      <b className={tone}>
        <span aria-hidden="true">{mark} </span>
        {passed}/{looks}
      </b>{' '}
      <span className="soft">
        {[durationMs === null ? '' : formatDuration(durationMs), costUsd > 0 ? money(costUsd) : '']
          .filter(Boolean)
          .join(', ')}
      </span>
      <small className="soft">{passAtText(cell)}</small>
    </td>
  )
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
