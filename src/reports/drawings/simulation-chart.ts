// Time against workers, as a drawing: the two schedules and the bound below which no schedule gets.
import { formatDuration } from '../../text/duration.ts'
import type { SimulatedRow, Simulation } from '../../workloads/analysis/simulate.ts'
import { html } from '../html/escape.ts'
import { plural } from '../wording.ts'
import { timeAxis } from './time-axis.ts'

const WIDTH = 960
const HEIGHT = 330
/** Left: for the times; right: for the names of the lines; top: for the name of the axis. */
const PLOT = { left: 84, right: 84, top: 38, bottom: 42 }

/** `line`: how it is drawn, so that nobody has to tell them apart by colour. */
type Series = {
  name: string
  tone: 'good' | 'warn' | 'mute'
  line: 'solid' | 'dashed' | 'dotted'
  of: (row: SimulatedRow) => number
}

/** The first one is drawn last, on top of the others. */
const SERIES: Series[] = [
  { name: 'eager', tone: 'good', line: 'solid', of: (row) => row.eager.makespanMs },
  { name: 'waves', tone: 'warn', line: 'dashed', of: (row) => row.waves.makespanMs },
  { name: 'at best', tone: 'mute', line: 'dotted', of: (row) => row.lowerBoundMs },
]

export function simulationChart({ rows, enough }: Simulation): string {
  const most = rows.reduce((max, row) => Math.max(max, row.eager.makespanMs, row.waves.makespanMs), 1)
  const axis = timeAxis(0, most, [])
  const step = (WIDTH - PLOT.left - PLOT.right) / Math.max(1, rows.length - 1)
  const x = (at: number) => round(PLOT.left + (rows.length === 1 ? step / 2 : at * step))
  const y = (ms: number) => round(HEIGHT - PLOT.bottom - (axis.at(ms) / 100) * (HEIGHT - PLOT.top - PLOT.bottom))
  const label = `Time with ${rows.map(({ workers, eager }) => `${plural(workers, 'worker')}: ${formatDuration(eager.makespanMs)}`).join(', ')}. The table below has the same figures.`
  return [
    '<div class="scroll" tabindex="0">',
    `<svg class="ch" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${html(label)}">`,
    ...axis.ticks.map(({ left, label: text }) => {
      const at = round(HEIGHT - PLOT.bottom - (left / 100) * (HEIGHT - PLOT.top - PLOT.bottom))
      return `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${at}" y2="${at}"/><text x="${PLOT.left - 10}" y="${at + 4}" text-anchor="end">${text}</text>`
    }),
    `<text x="${PLOT.left - 10}" y="14" text-anchor="end">time</text>`,
    `<text x="${PLOT.left - 14}" y="${HEIGHT - PLOT.bottom + 18}" text-anchor="end">workers</text>`,
    ...rows.map((row, at) => workersLabel(row, x(at), row.workers === enough)),
    ...SERIES.toReversed().map((series) => drawSeries(series, rows, x, y)),
    ...rows.map((row, at) => values(row, x(at), y, anchorAt(at, rows.length))),
    ...names(rows, x, y),
    '</svg></div>',
  ].join('')
}

function workersLabel({ workers }: SimulatedRow, x: number, isEnough: boolean): string {
  const bottom = HEIGHT - PLOT.bottom
  const line = isEnough ? `<line class="enough" x1="${x}" x2="${x}" y1="${PLOT.top}" y2="${bottom}"/>` : ''
  const words = isEnough ? `<text class="strong" x="${x}" y="${bottom + 34}" text-anchor="middle">enough</text>` : ''
  return `${line}<text class="strong" x="${x}" y="${bottom + 18}" text-anchor="middle">${workers}</text>${words}`
}

function drawSeries(series: Series, rows: SimulatedRow[], x: (at: number) => number, y: (ms: number) => number) {
  const points = rows.map((row, at) => ({ row, x: x(at), y: y(series.of(row)) }))
  const line = `<polyline class="l ${series.tone} ${series.line}" points="${points.map((point) => `${point.x},${point.y}`).join(' ')}"/>`
  const dots = points.map((point) => {
    const title = `<title>${plural(point.row.workers, 'worker')}, ${series.name}: ${formatDuration(series.of(point.row))}</title>`
    // A shape for each, for those who do not see the colours.
    const shape =
      series.tone === 'good'
        ? `<circle class="p good" cx="${point.x}" cy="${point.y}" r="4.5"/>`
        : `<rect class="p ${series.tone}" x="${round(point.x - 4)}" y="${round(point.y - 4)}" width="8" height="8"/>`
    return series.line === 'dotted' ? '' : `<g>${title}${shape}</g>`
  })
  return line + dots.join('')
}

/** The longer time above its point and the shorter below; one for both where they are the same. */
function values({ eager, waves }: SimulatedRow, x: number, y: (ms: number) => number, anchor: Anchor): string {
  const times = [...new Set([eager.makespanMs, waves.makespanMs])].sort((a, b) => b - a)
  const places = times.map((ms, at) => ({ ms, at: round(at === 0 ? y(ms) - VALUE_ABOVE : y(ms) + VALUE_BELOW) }))
  return places
    .filter(({ at }) => at < HEIGHT - PLOT.bottom) // below the axis are the workers; the table has all values
    .map(({ ms, at }) => {
      return `<text class="v" x="${x + SHIFT[anchor]}" y="${at}" text-anchor="${anchor}">${formatDuration(ms)}</text>`
    })
    .join('')
}

type Anchor = 'start' | 'middle' | 'end'

/** The values of the first and the last point stay inside, where nothing else is written. */
function anchorAt(at: number, all: number): Anchor {
  if (all === 1) return 'middle'
  if (at === 0) return 'start'
  return at === all - 1 ? 'end' : 'middle'
}

const SHIFT: Record<Anchor, number> = { start: -4, middle: 0, end: 4 }

/** From the middle of a point to the line its value is written on. */
const VALUE_ABOVE = 10
const VALUE_BELOW = 20

const NAME_HEIGHT = 16

/** At the ends of the lines, moved apart where these meet. */
function names(rows: SimulatedRow[], x: (at: number) => number, y: (ms: number) => number): string[] {
  const last = rows.at(-1)
  if (!last) return []
  const ends = SERIES.map((series) => ({ series, at: y(series.of(last)) })).sort((a, b) => b.at - a.at)
  let lowest = HEIGHT - PLOT.bottom
  return ends.map(({ series, at }) => {
    const place = Math.min(at, lowest)
    lowest = place - NAME_HEIGHT
    return `<text class="name ${series.tone}" x="${x(rows.length - 1) + 12}" y="${round(place + 4)}">${series.name}</text>`
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
