// A guess when a run may be finished, shown as `about`: by the estimates of its tasks, else by the time of finished attempts.
import { likelyMs, type Plan } from '../task.ts'
import type { RunView } from '../view.ts'
import { attemptMs } from './durations.ts'
import { edgesOf, topological } from './graph-edges.ts'

/** In ms, by task, if known. */
export type Estimates = ReadonlyMap<string, number>

export function estimatesOf({ tasks }: Plan): Estimates {
  return new Map(
    tasks.flatMap((task) => {
      const ms = likelyMs(task)
      return ms === null ? [] : [[task.id, ms] as const]
    }),
  )
}

/** Null: nothing to guess from, nothing left, or the guess has proved wrong. */
export function estimateLeftMs(
  { tasks, slots, paused = [] }: Pick<RunView, 'tasks' | 'slots' | 'paused'>,
  estimates: Estimates,
  now: number,
): number | null {
  const waiting = tasks.filter(({ status }) => status === 'pending' || status === 'ready')
  const running = tasks.filter(({ status }) => status === 'running')
  const open = [...waiting, ...running]
  const finished = tasks.flatMap(({ history }) =>
    history.filter(({ finishedAt, failure }) => finishedAt !== null && !failure),
  )
  const usualMs =
    mean(finished.map((attempt) => attemptMs(attempt, now))) ?? mean(open.flatMap(({ id }) => estimates.get(id) ?? []))
  if (usualMs === null || open.length === 0) return null
  const msOf = (id: string) => estimates.get(id) ?? usualMs
  const rests = running.map(({ id, history }) => ({ id, ms: msOf(id) - (now - (history.at(-1)?.startedAt ?? now)) }))
  // A task that takes twice its estimate says that nobody knows.
  if (rests.some(({ id, ms }) => ms < -msOf(id) || (waiting.length === 0 && ms <= 0))) return null
  const pausedMs = largest(paused.map(({ until }) => until - now))
  /** When each ends, at the earliest. */
  const ends = new Map(rests.map(({ id, ms }) => [id, Math.max(0, ms)]))
  const needs = new Map(waiting.map((task) => [task.id, task.needs]))
  const workMs = sum(ends.values()) + sum(waiting.map(({ id }) => msOf(id)))
  for (const id of topological([...needs.keys()], edgesOf(waiting)))
    ends.set(id, Math.max(pausedMs, largest((needs.get(id) ?? []).map((need) => ends.get(need) ?? 0))) + msOf(id))
  const spreadMs = workMs / Math.min(slots, open.length) + (running.length === 0 ? pausedMs : 0)
  const leftMs = Math.max(largest(ends.values()), spreadMs)
  return leftMs < SHORTEST_MS ? null : leftMs
}

/** Shorter is as good as now. */
const SHORTEST_MS = 1_000

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0)
}

/** At least 0. A loop, because a call takes no more than some 100,000 arguments. */
function largest(values: Iterable<number>): number {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}
