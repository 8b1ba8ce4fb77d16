// How entries fared over time, over all runs: what is flaky or broken first.

import { useMemo, useState } from 'react'
import { useSuiteHistory } from '../../data/project-queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { type EntryHistory, formatDuration } from '../../shared.ts'
import { percent } from './matrix.tsx'
import { Sparkline } from './sparkline.tsx'

const KINDS = ['flaky', 'broken', 'unknown', 'stable'] as const
const TONES = { flaky: 'warn', broken: 'bad', unknown: 'mute', stable: 'good' } as const
const LOOKS = 40
const MOST = 100

export function History({ project }: { project: string }) {
  const history = useSuiteHistory(project, LOOKS)
  const [isAll, setAll] = useState(false)
  const sorted = useMemo(
    () => history.data?.toSorted((a, b) => KINDS.indexOf(a.stability.kind) - KINDS.indexOf(b.stability.kind)) ?? [],
    [history.data],
  )
  const flaky = sorted.filter(({ stability }) => stability.kind === 'flaky').length
  if (history.error) return <Failure error={history.error} onRetry={() => void history.refetch()} />
  if (sorted.length === 0) return null
  const shown = isAll ? sorted : sorted.slice(0, MOST)
  return (
    <section className="panel" aria-labelledby="history">
      <header>
        <h2 id="history">
          Over time <span className="soft">{flaky > 0 ? `${flaky} flaky` : 'nothing is flaky'}</span>
        </h2>
        <span className="soft">each mark is a run, as high as it took; the newest is right</span>
      </header>
      <TableScroll label="Over time">
        <table>
          <thead>
            <tr>
              <th>Entry</th>
              <th>Stability</th>
              <th className="number">Fails</th>
              <th className="number">Usually</th>
              <th>Runs</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row key={one.key} of={one} />
            ))}
          </tbody>
        </table>
      </TableScroll>
      {sorted.length > shown.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {sorted.length}
        </button>
      )}
    </section>
  )
}

function Row({ of: { key, stability, medianMs, records } }: { of: EntryHistory }) {
  const { kind, failureRate, interval, tries } = stability
  return (
    <tr>
      <th scope="row" className="wrap">
        {key}
      </th>
      <td>
        <b className={TONES[kind]}>{kind}</b>
      </td>
      <td
        className="number"
        title={`between ${percent(interval.low)} and ${percent(interval.high)}, by ${tries} tries`}
      >
        {failureRate === 0 ? '–' : percent(failureRate)}
      </td>
      <td className="number">{medianMs === null ? '–' : formatDuration(medianMs)}</td>
      <td>
        <Sparkline records={records} />
      </td>
    </tr>
  )
}
