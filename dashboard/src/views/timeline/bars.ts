// Attempts as bars on an axis of time, and what is to come.
import type { RunNow } from '../../data/queries.ts'
import {
  type Answer,
  type AttemptView,
  attemptTone,
  attemptWord,
  formatDuration,
  type TaskView,
  type Tone,
} from '../../shared.ts'
import { type TimeAxis, timeAxis } from './time-axis.ts'

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
  /** Attempts; of a plan tasks. */
  count: number
  wallMs: number
  /** Nothing has started: all of it is to come. */
  isPlan: boolean
}

type Planned = Answer<'runs.forecast'>['schedule'][number]

type Run = Pick<RunNow, 'startedAt' | 'slots'>

export function barsOf(run: Run, tasks: readonly TaskView[], now: number, forecast: readonly Planned[]): Chart {
  const all = tasks.flatMap((task) => task.history.map((attempt) => ({ task, attempt })))
  const last = tasks.reduce((most, { landedAt }) => Math.max(most, landedAt ?? 0), now)
  const waiting = new Set(
    tasks.filter(({ history, status }) => history.length === 0 || status === 'ready').map(({ id }) => id),
  )
  const running = new Map(
    all.filter(({ attempt }) => attempt.finishedAt === null).map(({ task, attempt }) => [task.id, attempt.slot]),
  )
  const slotOf = slotsOfWorkers(forecast, running)
  // Of what runs, the rest.
  const toCome = forecast.flatMap((one): (Planned & { isRest: boolean })[] => {
    const planned = { ...one, worker: slotOf(one.worker), isRest: false }
    if (waiting.has(one.task)) return [planned]
    const slot = running.get(one.task)
    return slot !== undefined && one.to > now ? [{ ...planned, worker: slot, from: now, isRest: true }] : []
  })
  const end = toCome.reduce((most, { to }) => Math.max(most, to), last)
  const axis = timeAxis(run.startedAt, Math.max(end, run.startedAt + 1_000), quietGaps(run, all, now))
  const slots = all.reduce((most, { attempt }) => Math.max(most, attempt.slot), run.slots)
  const bySlot = Map.groupBy(all, ({ attempt }) => attempt.slot)
  const plannedBySlot = Map.groupBy(toCome, ({ worker }) => worker)
  const isPlan = all.length === 0
  const wallMs = Math.max(1, (isPlan ? end : now) - run.startedAt)
  const rows = Array.from({ length: slots }, (_, index) => {
    const slot = index + 1
    const own = bySlot.get(slot) ?? []
    const coming = plannedBySlot.get(slot) ?? []
    const busyMs = own.reduce((sum, { attempt }) => sum + (attempt.finishedAt ?? now) - attempt.startedAt, 0)
    const comingMs = coming.reduce((sum, { from, to }) => sum + to - from, 0)
    const bars = own.map(({ task, attempt }) => attemptBar(task, attempt, axis, now))
    const planned = coming.map((one) => plannedBar(one, axis, now))
    return { slot, busy: Math.min(1, (isPlan ? comingMs : busyMs) / wallMs), bars: [...bars, ...planned] }
  })
  return { axis, rows, landings: landingsOf(tasks, axis), count: isPlan ? toCome.length : all.length, wallMs, isPlan }
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

/** The forecast numbers workers as it likes: a worker is the slot of what it runs now, the others follow in order. */
function slotsOfWorkers(forecast: readonly Planned[], running: ReadonlyMap<string, number>) {
  const slots = new Map<number, number>()
  for (const { task, worker } of forecast) {
    const slot = running.get(task)
    if (slot !== undefined && !slots.has(worker)) slots.set(worker, slot)
  }
  const taken = new Set(slots.values())
  let next = 1
  for (const worker of new Set(forecast.map((one) => one.worker).sort((a, b) => a - b))) {
    if (slots.has(worker)) continue
    while (taken.has(next)) next++
    slots.set(worker, next++)
  }
  return (worker: number) => slots.get(worker) ?? worker
}

function plannedBar({ task, from, to, isRest }: Planned & { isRest: boolean }, axis: TimeAxis, now: number): Bar {
  const left = axis.placeOf(from)
  const title = isRest
    ? `${task}: about ${formatDuration(to - from)} left`
    : `${task}: probably in ${formatDuration(Math.max(0, from - now))}, for ${formatDuration(to - from)}`
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
