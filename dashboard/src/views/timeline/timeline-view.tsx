// The workers of a run over time: a row for each slot, a bar for each attempt, marks for landings, the line of now, and what is
// to come by the estimates. Times in which nothing ran are cut out of the axis.
import './timeline.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useNow } from '../../data/now.ts'
import { useForecast } from '../../data/queries.ts'
import { formatDuration } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { type Bar, barsOf } from './bars.ts'

const ROW = 30
const THIN_ROW = 18
const MANY_ROWS = 16
const ZOOMS = [1, 1.5, 2.5, 4, 8, 16, 32]

export default function TimelineView() {
  const { ref, state, tasks, place, hrefOfTask } = useRun()
  const second = useNow()
  const now = state.run.engine ? second : (state.run.finishedAt ?? state.run.lastAt ?? second)
  const scroller = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(0)
  const forecast = useForecast(ref, state.run)
  const chart = useMemo(
    () => barsOf(state.run, tasks, now, forecast?.schedule ?? []),
    [state.run, tasks, now, forecast],
  )
  const closer = (by: number) => setZoom((before) => Math.max(0, Math.min(ZOOMS.length - 1, before + by)))
  useKeys([
    { keys: '+', what: 'Closer', run: () => closer(1), group: 'Timeline' },
    { keys: '-', what: 'Further away', run: () => closer(-1), group: 'Timeline' },
    { keys: 'ArrowLeft', what: 'Earlier', run: () => scroller.current?.scrollBy({ left: -200 }), group: 'Timeline' },
    { keys: 'ArrowRight', what: 'Later', run: () => scroller.current?.scrollBy({ left: 200 }), group: 'Timeline' },
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the zoom
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const at = (chart.axis.placeOf(now) / 100) * element.scrollWidth
    element.scrollLeft = Math.max(0, at - element.clientWidth / 2)
  }, [zoom])
  const row = chart.rows.length > MANY_ROWS ? THIN_ROW : ROW
  const isLive = state.run.engine !== null
  const lane = chart.isPlan ? 'worker' : 'slot'
  return (
    <div className="timeline">
      <div className="tools">
        <span className="soft">
          {chart.count} {chart.isPlan ? 'tasks' : 'attempts'} on {chart.rows.length} {lane}s in{' '}
          {formatDuration(chart.wallMs)}
        </span>
        <ul className="legend">
          {(chart.isPlan ? LEGEND.slice(-1) : LEGEND).map(([name, words]) => (
            <li key={name}>
              <i className={`swatch ${name}`} aria-hidden="true" /> {words}
            </li>
          ))}
        </ul>
        <span className="grow" />
        <button type="button" onClick={() => closer(-1)} disabled={zoom === 0} aria-label="Further away">
          −
        </button>
        <button type="button" onClick={() => closer(1)} disabled={zoom === ZOOMS.length - 1} aria-label="Closer">
          +
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className="plot" ref={scroller} tabIndex={0} role="region" aria-label="Timeline">
        <div className="names" aria-hidden="true">
          <div className="tick-row" />
          {chart.rows.map(({ slot, busy }) => (
            <div key={slot} style={{ height: row }}>
              <b>
                {lane} {slot}
              </b>{' '}
              <span className="soft">{Math.round(busy * 100)}%</span>
            </div>
          ))}
          {!chart.isPlan && (
            <div className="landing-row">
              <b>landed</b>
            </div>
          )}
        </div>
        <div className="bars" style={{ width: `calc(${(ZOOMS[zoom] ?? 1) * 100}% - 124px)` }}>
          <div className="tick-row">
            {chart.axis.ticks.map(({ left, label }) => (
              <span key={left} style={{ left: `${left}%` }}>
                {label}
              </span>
            ))}
          </div>
          {chart.rows.map(({ slot, bars }) => (
            <div key={slot} className="lane" style={{ height: row }}>
              {bars.map((bar) => (
                <BarLink key={bar.key} bar={bar} href={hrefOfTask(bar.task)} isShown={bar.task === place.task} />
              ))}
            </div>
          ))}
          {!chart.isPlan && (
            <div className="landing-row">
              {chart.landings.map(({ left, tasks }) => (
                <i key={left} style={{ left: `${left}%` }} title={`landed: ${tasks.join(', ')}`} />
              ))}
            </div>
          )}
          {chart.axis.cuts.map(({ left, width, ms }) => (
            <i
              key={left}
              className="cut"
              style={{ left: `${left}%`, width: `${width}%` }}
              title={`Nothing ran for ${formatDuration(ms)}`}
            />
          ))}
          {isLive && <i className="now" style={{ left: `${chart.axis.placeOf(now)}%` }} title="now" />}
        </div>
      </div>
    </div>
  )
}

const LEGEND = [
  ['good', 'changed'],
  ['calm', 'no change'],
  ['live', 'running'],
  ['bad', 'failed'],
  ['warn', 'not landed'],
  ['planned', 'to come, by the estimates'],
] as const

function BarLink({ bar, href, isShown }: { bar: Bar; href: string; isShown: boolean }) {
  const { left, width, tone, label, title } = bar
  return (
    <a
      className={`bar tone-${tone}${bar.isPlanned ? ' planned' : ''}${isShown ? ' shown' : ''} ${tone}-bar`}
      href={href}
      style={{ left: `${left}%`, width: `${Math.max(width, 0.15)}%` }}
      title={title}
    >
      <span>{label}</span>
    </a>
  )
}
