// Lines over time or over a count. The numbers also stand in a table beside it, so that nobody depends on the drawing.
import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { useTheme } from '../app/theme.ts'
import type { Tone } from '../shared.ts'

export type Line = {
  label: string
  tone: Tone
  values: (number | null)[]
  look: 'line' | 'steps' | 'dashes' | 'points'
}

type Props = {
  /** What it shows, in words. */
  label: string
  xs: number[]
  lines: readonly Line[]
  /** Seconds since the epoch, or a plain number. */
  x: 'time' | 'count'
  yText: (value: number) => string
  xText?: (value: number) => string
  /** What its lines across may be apart; where they are to be round in another way than ten is. */
  ySteps?: number[]
  height?: number
  isFromZero?: boolean
}

export function Chart({ label, xs, lines, x, yText, xText, ySteps, height = 190, isFromZero = true }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [theme] = useTheme()
  const texts = useRef({ yText, xText })
  texts.current = { yText, xText }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  useEffect(() => {
    const parent = place.current
    if (!parent) return
    const draw = () => {
      const style = getComputedStyle(parent)
      const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
      const axis = {
        stroke: colour('soft'),
        font: '11px system-ui, sans-serif',
        grid: { stroke: colour('line'), width: 1 },
        ticks: { stroke: colour('line'), width: 1, size: 4 },
      }
      return new uPlot(
        {
          ...{ width: Math.max(200, parent.clientWidth), height, cursor: { drag: { x: false, y: false } } },
          legend: { show: true, live: true },
          scales: { x: { time: x === 'time' }, y: { range: (_, low, high) => rangeOf(low, high, isFromZero) } },
          axes: [
            { ...axis, ...(x === 'count' ? { incrs: COUNTS } : { values: (_, ticks) => timeTexts(ticks), space: 70 }) },
            {
              ...axis,
              ...(ySteps ? { incrs: ySteps } : {}),
              size: 62,
              values: (_, ticks) => ticks.map((tick) => texts.current.yText(tick)),
            },
          ],
          series: [xSeries(x, texts), ...lines.map((line) => seriesOf(line, colour, texts))],
        },
        [xs, ...lines.map(({ values }) => values)] as uPlot.AlignedData,
        parent,
      )
    }
    let plot = draw()
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    const size = new ResizeObserver(() => plot.setSize({ width: Math.max(200, parent.clientWidth), height }))
    size.observe(parent)
    return () => {
      size.disconnect()
      dark.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [xs, lines, x, ySteps, height, isFromZero, theme])
  return <div ref={place} className="chart" role="img" aria-label={label} />
}

type Texts = { current: { yText: (value: number) => string; xText?: ((value: number) => string) | undefined } }

function xSeries(x: 'time' | 'count', texts: Texts): uPlot.Series {
  const text = (value: number) =>
    texts.current.xText?.(value) ?? (x === 'time' ? new Date(value * 1000).toLocaleTimeString() : String(value))
  return { label: '', value: (_, value) => (value == null ? '' : text(value)) }
}

function seriesOf({ label, tone, look }: Line, colour: (name: string) => string, texts: Texts): uPlot.Series {
  const stroke = colour(tone)
  return {
    ...{ label, stroke, width: look === 'points' ? 0 : 2, spanGaps: look !== 'points' },
    ...(look === 'dashes' ? { dash: [6, 5] } : {}),
    ...(look === 'steps' && uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
    points: look === 'points' ? { show: true, size: 6, fill: stroke } : { show: false },
    value: (_, value) => (value == null ? '' : texts.current.yText(value)),
  }
}

/** No more than it takes to tell two of them apart. */
function timeTexts(ticks: readonly number[]): string[] {
  const [first = 0, second = first + 60] = ticks
  const isLong = (ticks.at(-1) ?? first) - first > 86_400
  return ticks.map((tick) => {
    const at = new Date(tick * 1000)
    const time = at.toLocaleTimeString([], {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(second - first < 60 ? { second: '2-digit' } : {}),
    })
    return isLong ? `${at.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${time}` : time
  })
}

const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

function rangeOf(low: number | null, high: number | null, isFromZero: boolean): [number, number] {
  const [from, to] = [low ?? 0, high ?? 1]
  const rest = (to - from || Math.abs(to) || 1) * 0.08
  return [isFromZero ? Math.min(0, from) : from - rest, to + rest]
}
