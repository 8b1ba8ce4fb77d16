// Time to place, in percent of the plot. Long times in which nothing ran (a run that was resumed the next morning)
// are cut out of the axis, so that the work stays readable.

import { formatDuration } from '../../shared.ts'

type Gap = { from: number; to: number }
export type TimeAxis = {
  /** 0 at the start of the run, 100 at its end. */
  placeOf(time: number): number
  ticks: { left: number; label: string }[]
  cuts: { left: number; width: number; ms: number }[]
}

/** A gap is cut if it is longer than this share of the whole, and than this time. */
const CUT_SHARE = 0.2
const CUT_MS = 60_000
/** What a cut takes of the plot, in percent. */
const CUT_WIDTH = 4
const TICKS = 9
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[100, 200, 500, SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY, 365 * DAY],
]

export function timeAxis(start: number, end: number, gaps: Gap[]): TimeAxis {
  const span = Math.max(1, end - start)
  const long = gaps.filter((gap) => gap.to - gap.from > Math.max(CUT_MS, span * CUT_SHARE))
  const longMs = long.reduce((total, gap) => total + gap.to - gap.from, 0)
  // Where nothing ran at all, nothing is left to show without them.
  const [cuts, cutMs] = longMs < span ? [long, longMs] : [[], 0]
  const shown = Math.max(1, span - cutMs)
  const scale = (100 - CUT_WIDTH * cuts.length) / shown
  const placeOf = (time: number) => {
    const clamped = Math.min(end, Math.max(start, time))
    let place = (clamped - start) * scale
    for (const cut of cuts) {
      const inside = Math.min(Math.max(clamped - cut.from, 0), cut.to - cut.from)
      place += (inside / (cut.to - cut.from)) * CUT_WIDTH - inside * scale
    }
    return place
  }
  const step = STEPS.find((candidate) => shown / candidate <= TICKS) ?? shown
  const ticks: { left: number; label: string }[] = []
  for (let time = start; time <= end && ticks.length <= 2 * TICKS; ) {
    const cut = cuts.find((candidate) => time > candidate.from && time < candidate.to)
    if (cut) {
      time = start + Math.ceil((cut.to - start) / step) * step
      continue
    }
    const left = placeOf(time)
    if (left <= 98) ticks.push({ left, label: formatDuration(time - start) })
    time += step
  }
  return {
    placeOf,
    ticks,
    cuts: cuts.map((cut) => ({ left: placeOf(cut.from), width: CUT_WIDTH, ms: cut.to - cut.from })),
  }
}
