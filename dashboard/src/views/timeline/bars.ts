// Attempts as bars on an axis of time, and what is to come.
import type { RunNow } from '../../data/queries.ts'
import {
  type AttemptView,
  attemptTone,
  attemptWord,
  estimatesOf,
  formatDuration,
  type Plan,
  type TaskView,
  type TimeAxis,
  type Tone,
  timeAxis,
} from '../../shared.ts'

export type Bar = {
  key: string
  task: string
  left: number
  width: number
  tone: Tone
  label: string
  title: string
  isPlanned: boolean
}

export type Chart = {
  axis: TimeAxis
  rows: { slot: number; busy: number; bars: Bar[] }[]
  landings: { left: number; tasks: string[] }[]
  attempts: number
  wallMs: number
}

/** Of one task that has not started: when it probably runs, and where. */
export type Planned = { task: string; slot: number; from: number; to: number }

type Run = Pick<RunNow, 'startedAt' | 'slots'>

export function barsOf(run: Run, tasks: readonly TaskView[], now: number, forecast: readonly Planned[] | null): Chart {
  const all = tasks.flatMap((task) => task.history.map((attempt) => ({ task, attempt })))
  const last = tasks.reduce((most, { landedAt }) => Math.max(most, landedAt ?? 0), now)
  const end = forecast?.reduce((most, { to }) => Math.max(most, to), last) ?? last
  const axis = timeAxis(run.startedAt, Math.max(end, run.startedAt + 1_000), quietGaps(run, all, now))
  const slots = all.reduce((most, { attempt }) => Math.max(most, attempt.slot), run.slots)
  const bySlot = Map.groupBy(all, ({ attempt }) => attempt.slot)
  const plannedBySlot = Map.groupBy(forecast ?? [], ({ slot }) => slot)
  const wallMs = Math.max(1, now - run.startedAt)
  const rows = Array.from({ length: slots }, (_, index) => {
    const slot = index + 1
    const own = bySlot.get(slot) ?? []
    const busyMs = own.reduce((sum, { attempt }) => sum + (attempt.finishedAt ?? now) - attempt.startedAt, 0)
    const bars = own.map(({ task, attempt }) => attemptBar(task, attempt, axis, now))
    const planned = (plannedBySlot.get(slot) ?? []).map((one) => plannedBar(one, axis, now))
    return { slot, busy: Math.min(1, busyMs / wallMs), bars: [...bars, ...planned] }
  })
  return { axis, rows, landings: landingsOf(tasks, axis), attempts: all.length, wallMs }
}

function attemptBar({ id, title }: TaskView, attempt: AttemptView, axis: TimeAxis, now: number): Bar {
  const left = axis.placeOf(attempt.startedAt)
  const end = attempt.finishedAt ?? now
  return {
    key: `${id} ${attempt.attempt}`,
    task: id,
    left,
    width: axis.placeOf(end) - left,
    tone: attemptTone(attempt),
    label: attempt.attempt > 1 ? `${id} #${attempt.attempt}` : id,
    title: `${id}, attempt ${attempt.attempt}: ${attemptWord(attempt)}, ${formatDuration(end - attempt.startedAt)}\n${title}`,
    isPlanned: false,
  }
}

function plannedBar({ task, from, to }: Planned, axis: TimeAxis, now: number): Bar {
  const left = axis.placeOf(from)
  const title = `${task}: probably in ${formatDuration(Math.max(0, from - now))}, for ${formatDuration(to - from)}`
  return {
    key: `${task} planned`,
    task,
    left,
    width: axis.placeOf(to) - left,
    tone: 'mute',
    label: task,
    title,
    isPlanned: true,
  }
}

function landingsOf(tasks: readonly TaskView[], axis: TimeAxis): Chart['landings'] {
  // As fine as the eye.
  const landed = tasks.flatMap(({ id, landedAt }) =>
    landedAt === null ? [] : [{ id, left: Math.round(axis.placeOf(landedAt) * 5) / 5 }],
  )
  return [...Map.groupBy(landed, ({ left }) => left)].map(([left, there]) => ({
    left,
    tasks: there.map(({ id }) => id),
  }))
}

function quietGaps({ startedAt }: Run, all: readonly { attempt: AttemptView }[], now: number) {
  const busy = all
    .map(({ attempt }) => ({ from: attempt.startedAt, to: attempt.finishedAt ?? now }))
    .sort((a, b) => a.from - b.from)
  const gaps: { from: number; to: number }[] = []
  let free = startedAt
  for (const { from, to } of busy) {
    if (from > free) gaps.push({ from: free, to: from })
    free = Math.max(free, to)
  }
  return gaps
}

/** What waits, put on the slots one after the other as they come free, each after what it needs. A guess, as all estimates are. */
export function forecastBars(run: Run, tasks: readonly TaskView[], plan: Plan | null): Planned[] {
  const now = Date.now()
  const estimates = plan ? estimatesOf(plan) : new Map<string, number>()
  const took = tasks.flatMap(({ history }) =>
    history.flatMap(({ startedAt, finishedAt, failure }) => (finishedAt && !failure ? [finishedAt - startedAt] : [])),
  )
  const known = took.length > 0 ? took : [...estimates.values()]
  if (known.length === 0) return []
  const usual = known.reduce((sum, ms) => sum + ms, 0) / known.length
  const msOf = (id: string) => estimates.get(id) ?? usual
  const free = new Array<number>(run.slots).fill(now)
  const ends = new Map<string, number>()
  for (const { id, status, history } of tasks) {
    const last = history.at(-1)
    if (status !== 'running' || !last) continue
    const end = Math.max(now, last.startedAt + msOf(id))
    ends.set(id, end)
    if (last.slot <= free.length) free[last.slot - 1] = end
  }
  const waiting = tasks.filter(({ status }) => status === 'pending' || status === 'ready').slice(0, MOST_PLANNED)
  const open = new Set(waiting.map(({ id }) => id))
  const planned: Planned[] = []
  for (let left = waiting; left.length > 0; ) {
    const next = left.filter(({ needs }) => !needs.some((need) => open.has(need)))
    if (next.length === 0) break // what it needs is not among the first
    for (const { id, needs } of next) {
      const slot = free.indexOf(Math.min(...free))
      const from = needs.reduce((most, need) => Math.max(most, ends.get(need) ?? 0), free[slot] ?? now)
      const to = from + msOf(id)
      planned.push({ task: id, slot: slot + 1, from, to })
      free[slot] = to
      ends.set(id, to)
    }
    for (const { id } of next) open.delete(id)
    left = left.filter(({ id }) => open.has(id))
  }
  return planned
}

const MOST_PLANNED = 300
