// Time against workers, as a drawing: the two schedules and the bound below which no schedule gets.
import { formatDuration } from '../duration.ts'
import type { SimulatedRow, Simulation } from '../workloads/simulate-plan.ts'
import { html } from './escape.ts'
import { timeAxis } from './time-axis.ts'
import { plural } from './wording.ts'

const WIDTH = 960
const HEIGHT = 330
/** Left: for the times; right: for the names of the lines. */
const PLOT = { left: 74, right: 104, top: 18, bottom: 42 }

type Series = { name: string; tone: 'good' | 'warn' | 'mute'; dashed: boolean; of: (row: SimulatedRow) => number }

/** The first one is drawn last, on top of the others. */
const SERIES: Series[] = [
  { name: 'eager', tone: 'good', dashed: false, of: (row) => row.eager.makespanMs },
  { name: 'waves', tone: 'warn', dashed: false, of: (row) => row.waves.makespanMs },
  { name: 'at best', tone: 'mute', dashed: true, of: (row) => row.lowerBoundMs },
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
    `<text x="${WIDTH - PLOT.right + 12}" y="${HEIGHT - PLOT.bottom + 18}">workers</text>`,
    ...rows.map((row, at) => workersLabel(row, x(at), row.workers === enough)),
    ...SERIES.toReversed().map((series) => drawSeries(series, rows, x, y)),
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
  const line = `<polyline class="l ${series.tone}${series.dashed ? ' dashed' : ''}" points="${points.map((point) => `${point.x},${point.y}`).join(' ')}"/>`
  const dots = points.map((point) => {
    const title = `<title>${plural(point.row.workers, 'worker')}, ${series.name}: ${formatDuration(series.of(point.row))}</title>`
    // A shape for each, for those who do not see the colours.
    const shape =
      series.tone === 'good'
        ? `<circle class="p good" cx="${point.x}" cy="${point.y}" r="4.5"/>`
        : `<rect class="p ${series.tone}" x="${round(point.x - 4)}" y="${round(point.y - 4)}" width="8" height="8"/>`
    return series.dashed ? '' : `<g>${title}${shape}</g>`
  })
  return line + dots.join('')
}

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
