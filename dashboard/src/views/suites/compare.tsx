// Two variants side by side: two agents, two models. What counts first is how often they pass.

import { useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { formatDuration, type MatrixCell, type MatrixTable, money, variantText } from '../../shared.ts'
import { percent } from './matrix.tsx'

export function Compare({ matrix }: { matrix: MatrixTable }) {
  const names = matrix.variants.map(({ variant }) => variantText(variant))
  const [first, setFirst] = useQueryWord('a', names[0] ?? '')
  const [second, setSecond] = useQueryWord('b', names[1] ?? '')
  useKeys([
    {
      keys: 'x',
      what: 'Swap what is compared',
      run: () => {
        setFirst(second)
        setSecond(first)
      },
      group: 'Suites',
    },
  ])
  const of = (list: readonly MatrixCell[], name: string, entry: string) =>
    list.find((cell) => cell.entry === entry && variantText(cell.variant) === name)
  const [a, b] = [of(matrix.variants, first, ''), of(matrix.variants, second, '')]
  const entries = [...new Set(matrix.cells.map(({ entry }) => entry))]
  return (
    <section className="panel" aria-labelledby="compare">
      <header>
        <h2 id="compare">Compare</h2>
        <span className="inline">
          <Choice label="First" names={names} value={first} onChange={setFirst} />
          <span className="soft">with</span>
          <Choice label="Second" names={names} value={second} onChange={setSecond} />
        </span>
      </header>
      {a && b && <p>{verdict(a, b, first, second)}</p>}
      <TableScroll label="Compare">
        <table className="compare">
          <thead>
            <tr>
              <th>Entry</th>
              <th className="number">{first}</th>
              <th className="number">{second}</th>
              <th className="number">Difference</th>
              <th className="number">Time</th>
              <th className="number">Cost</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row key={entry} name={entry} a={of(matrix.cells, first, entry)} b={of(matrix.cells, second, entry)} />
            ))}
          </tbody>
          {a && b && (
            <tfoot>
              <Row name="All entries" a={a} b={b} />
            </tfoot>
          )}
        </table>
      </TableScroll>
    </section>
  )
}

type ChoiceProps = { label: string; names: readonly string[]; value: string; onChange: (name: string) => void }

function Choice({ label, names, value, onChange }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}

/** Intervals that overlap prove nothing. */
function verdict(a: MatrixCell, b: MatrixCell, first: string, second: string): string {
  const rates = `${first} ${percent(a.rate)}, ${second} ${percent(b.rate)}`
  if (a.rate === b.rate) return `Both pass as often: ${rates}.`
  const better = a.rate > b.rate ? first : second
  const isSure = a.interval.low > b.interval.high || b.interval.low > a.interval.high
  return isSure
    ? `${better} passes more often: ${rates}.`
    : `${better} passes more often here (${rates}), but after so few tries that may be chance.`
}

function Row({ name, a, b }: { name: string; a: MatrixCell | undefined; b: MatrixCell | undefined }) {
  const gain = a && b ? b.rate - a.rate : 0
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="number">{a ? `${a.passed}/${a.looks}` : '–'}</td>
      <td className="number">{b ? `${b.passed}/${b.looks}` : '–'}</td>
      <td className={`number ${gain > 0 ? 'good' : gain < 0 ? 'bad' : 'soft'}`}>
        {gain === 0 ? 'same' : `${gain > 0 ? '+' : '−'}${percent(Math.abs(gain))}`}
      </td>
      <td className="number soft">
        {[a, b].map((cell) => (cell?.durationMs == null ? '–' : formatDuration(cell.durationMs))).join(' / ')}
      </td>
      <td className="number soft">{[a, b].map((cell) => (cell?.costUsd ? money(cell.costUsd) : '–')).join(' / ')}</td>
    </tr>
  )
}
