// The timeline of workers: a row per worker, a bar per task. Lengths along the time are in
// percent, so that the drawing fills whatever width it gets while its text keeps its size.

import { formatDuration } from '../../text/duration.ts'
import type { Tone } from '../../text/status-look.ts'
import type { ScheduledTask } from '../../workloads/analysis/simulate.ts'
import { html, line } from '../html/escape.ts'
import { percent } from '../wording.ts'
import { type TimeAxis, timeAxis } from './time-axis.ts'

/** Workers shown; a run with more says so. */
const MAX_ROWS = 100
/** Narrower neighbours than this many percent become one bar: nobody could tell them apart. */
const MERGE_PERCENT = 0.15
/** A bar narrower than this has no room for a name. */
const LABEL_PERCENT = 4
const AXIS_HEIGHT = 24

export type Bar = { left: number; width: number; tone: Tone; label: string; title: string; count: number }

export function plannedTimeline(schedule: readonly ScheduledTask[], workers: number, endMs: number): string {
  const axis = timeAxis(0, endMs, [])
  const byWorker = Map.groupBy(schedule, ({ worker }) => worker)
  const rows = Array.from({ length: workers }, (_, index) => {
    const own = (byWorker.get(index + 1) ?? []).toSorted((a, b) => a.fromMs - b.fromMs)
    const bars = mergedBars(own.map((one) => plannedBar(one, axis)))
    const busyMs = own.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
    return { name: `worker ${index + 1}`, utilisation: endMs > 0 ? busyMs / endMs : 0, bars }
  })
  const label = `Timeline: ${schedule.length} tasks on ${workers} workers in ${formatDuration(endMs)}.`
  return drawTimeline({ axis, rows, label })
}

function plannedBar({ task, fromMs, toMs }: ScheduledTask, axis: TimeAxis): Bar {
  const left = axis.placeOf(fromMs)
  const title = `${task}: from ${formatDuration(fromMs)} to ${formatDuration(toMs)}`
  return { left, width: axis.placeOf(toMs) - left, tone: 'calm', label: task, title, count: 1 }
}

type Drawing = {
  axis: TimeAxis
  rows: { name: string; utilisation: number; bars: Bar[] }[]
  label: string
}

export function drawTimeline({ axis, rows: all, label }: Drawing): string {
  const rows = all.slice(0, MAX_ROWS)
  const row = rows.length <= 12 ? 30 : rows.length <= 40 ? 18 : 11
  const height = AXIS_HEIGHT + rows.length * row
  const names = rows.map(({ name, utilisation }) => {
    const small = row < 14 ? ';font-size:9px' : ''
    return `<div style="height:${row}px${small}"><b>${name}</b><span>${percent(utilisation)}</span></div>`
  })
  const bars = rows.map((one, index) => {
    const top = AXIS_HEIGHT + index * row
    const lane = `<rect class="lane" x="0" y="${top + 1}" width="100%" height="${row - 2}" rx="3"/>`
    return lane + one.bars.map((bar) => drawBar(bar, top, row)).join('')
  })
  return [
    '<div class="scroll" tabindex="0"><div class="tl">',
    `<div class="names" aria-hidden="true"><div style="height:${AXIS_HEIGHT}px"><span></span><span>busy</span></div>`,
    `${names.join('')}</div>`,
    `<div class="plot"><svg height="${height}" role="img" aria-label="${html(label)}">`,
    grid(axis, height),
    ...bars,
    '</svg></div></div></div>',
    all.length > MAX_ROWS ? `<p class="note">The first ${MAX_ROWS} of ${all.length} workers.</p>` : '',
  ].join('')
}

function mergedBars(all: Bar[]): Bar[] {
  const bars: Bar[] = []
  const tiny = (one: Bar) => one.count > 1 || one.width < MERGE_PERCENT
  for (const bar of all) {
    const last = bars.at(-1)
    const near = last && bar.left - (last.left + last.width) < MERGE_PERCENT
    if (!last || !near || !tiny(last) || !tiny(bar) || last.tone !== bar.tone) {
      bars.push(bar)
      continue
    }
    last.width = bar.left + bar.width - last.left
    last.count += 1
    last.label = `${last.count} tasks`
    last.title = last.label
  }
  return bars
}

function drawBar(bar: Bar, top: number, row: number): string {
  const height = row - (row > 14 ? 8 : 4)
  const y = top + (row - height) / 2
  const place = `x="${number(bar.left)}%" width="${number(Math.max(bar.width, 0.12))}%"`
  const corner = row > 14 ? 4 : 2
  const title = `<title>${html(bar.title)}</title>`
  const shape = `<rect class="b ${bar.tone}" ${place} y="${y}" height="${height}" rx="${corner}"/>`
  const named = bar.width >= LABEL_PERCENT && height >= 20
  // The inner svg cuts the name off at the end of the bar, whatever the width of the page.
  const label = named
    ? `<svg ${place} y="${y}" height="${height}" style="overflow:hidden;width:${number(bar.width)}%"><text class="bl" x="7" y="${height / 2 + 4}">${html(fit(bar))}</text></svg>`
    : ''
  return `<g>${title}${shape}${label}</g>`
}

/** A plot is about 1,050 pixels wide on a desk, and a character about 6.7. */
function fit({ label, width }: Bar): string {
  const room = Math.floor((width * 10.5 - 12) / 6.7)
  return line(label, Math.max(2, room))
}

function grid(axis: TimeAxis, height: number): string {
  return axis.ticks
    .map(({ left, label }) => {
      const x = `${number(left)}%`
      const anchor = left < 1 ? 'start' : 'middle'
      return `<line class="grid" x1="${x}" x2="${x}" y1="${AXIS_HEIGHT - 5}" y2="${height - 4}"/><text x="${x}" y="13" text-anchor="${anchor}">${label}</text>`
    })
    .join('')
}

function number(value: number): string {
  return String(Number(value.toFixed(3)))
}
