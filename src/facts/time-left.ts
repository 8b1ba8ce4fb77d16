// A guess when a run may be finished, shown as `about`: by the estimates of its tasks, else by the time of finished attempts.
import { likelyMs, type Plan } from '../task.ts'
import type { TaskView } from '../view.ts'

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

/** Tasks that have still to start. */
type Left = {
  waiting: number
  usualMs: number
  totalMs: number
  /** Longest chain of tasks in which each needs the one before. */
  chainMs: number
  /** Longest chain behind each running task. */
  behindMs: ReadonlyMap<string, number>
}

type Measured = { count: number; totalMs: number }

/** Null: there is nothing to guess from. */
export function workLeft(tasks: readonly Task[], estimates: Estimates, measured: Measured): Left | null {
  const waiting = tasks.filter(({ status }) => status === 'pending' || status === 'ready')
  const running = tasks.filter(({ status }) => status === 'running')
  const usualMs =
    meanMs(measured) ?? meanMs(sumOf([...waiting, ...running].flatMap(({ id }) => estimates.get(id) ?? [])))
  if (usualMs === null) return null
  const msOf = (id: string) => estimates.get(id) ?? usualMs
  const dependents = Map.groupBy(
    waiting.flatMap(({ id, needs }) => needs.map((need) => ({ id, need }))),
    ({ need }) => need,
  )
  const from = new Map<string, number>()
  const behind = (id: string) => largest((dependents.get(id) ?? []).map((next) => from.get(next.id) ?? 0))
  for (const id of lastFirst(waiting, dependents)) from.set(id, msOf(id) + behind(id))
  return {
    waiting: waiting.length,
    usualMs,
    totalMs: sumOf(waiting.map(({ id }) => msOf(id))).totalMs,
    chainMs: largest(from.values()),
    behindMs: new Map(running.map(({ id }) => [id, behind(id)])),
  }
}

type Workload = {
  /** `id`: of the task. */
  running: readonly { id: string; elapsedMs: number; estimateMs: number | null }[]
  left: Left | null
  slots: number
  /** Remaining pause of the agents that all waiting tasks need. */
  pausedMs?: number
}

/** Null: nothing to guess from, nothing left, or the guess has proved wrong. */
export function estimateLeftMs({ running, left, slots, pausedMs = 0 }: Workload): number | null {
  if (left === null || running.length + left.waiting === 0) return null
  const rests = running.map(({ id, elapsedMs, estimateMs }) => ({ id, ms: (estimateMs ?? left.usualMs) - elapsedMs }))
  if (left.waiting === 0 && rests.some(({ ms }) => ms <= 0)) return null
  // A task that takes twice its estimate says that nobody knows.
  if (running.some(({ elapsedMs, estimateMs }) => elapsedMs > 2 * (estimateMs ?? left.usualMs))) return null
  const workMs = left.totalMs + sumOf(rests.map(({ ms }) => Math.max(0, ms))).totalMs
  const ends = rests.map(({ id, ms }) => Math.max(0, ms) + (left.behindMs.get(id) ?? 0))
  const leftMs = largest([left.chainMs, workMs / Math.min(slots, running.length + left.waiting), ...ends])
  const withPause = running.length === 0 ? leftMs + pausedMs : Math.max(leftMs, pausedMs + left.chainMs)
  return withPause < SHORTEST_MS ? null : withPause
}

/** Shorter is as good as now. */
const SHORTEST_MS = 1_000

type Task = Pick<TaskView, 'id' | 'status' | 'needs'>

/** Every task behind all that need it. */
function lastFirst(waiting: readonly Task[], dependents: ReadonlyMap<string, readonly { id: string }[]>): string[] {
  const ids = new Set(waiting.map(({ id }) => id))
  const missing = new Map(waiting.map(({ id, needs }) => [id, needs.filter((need) => ids.has(need)).length]))
  const inOrder = waiting.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id)
  // The loop also iterates over tasks that it adds.
  for (const id of inOrder)
    for (const { id: next } of dependents.get(id) ?? []) {
      const open = (missing.get(next) ?? 0) - 1
      missing.set(next, open)
      if (open === 0) inOrder.push(next)
    }
  return inOrder.reverse()
}

function sumOf(values: readonly number[]): Measured {
  return { count: values.length, totalMs: values.reduce((sum, ms) => sum + ms, 0) }
}

function meanMs({ count, totalMs }: Measured): number | null {
  return count === 0 ? null : totalMs / count
}

/** A loop, because a call takes no more than some 100,000 arguments. */
function largest(values: Iterable<number>): number {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}
