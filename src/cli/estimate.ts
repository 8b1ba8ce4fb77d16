// When a run may be finished: by what its tasks are estimated to take, in the plan or by earlier runs, and where nothing is
// known of one, by how long the finished attempts took. A guess, and always shown as `about`; where there is nothing to
// guess from, or the guess has proved wrong, nothing is shown.
import type { TaskView } from '../status.ts'

type Workload = {
  measured: { count: number; totalMs: number }
  /** How long the running attempts have been at it, and what they are estimated to take. */
  running: { elapsedMs: number; estimateMs: number | null }[]
  left: Left
  slots: number
}

/** Tasks that have still to start. */
export type Left = {
  waiting: number
  /** Of these, those that have an estimate. */
  estimated: { count: number; totalMs: number }
  /** The longest chain of them in which each needs the one before: what is estimated of it, and how many have no estimate. */
  chain: { estimatedMs: number; unknown: number }
}

/** Less than this is as good as now. */
const SHORTEST_MS = 1_000

/** Null while there is nothing to guess from, when nothing is left, or when the last ones take longer than was guessed. */
export function estimateLeftMs({ measured, running, left, slots }: Workload): number | null {
  const tasksLeft = running.length + left.waiting
  if (tasksLeft === 0) return null
  const meanMs = usualMs(measured, running, left)
  if (meanMs === null) return null
  const rests = running.map(({ elapsedMs, estimateMs }) => (estimateMs ?? meanMs) - elapsedMs)
  if (left.waiting === 0 && rests.some((restMs) => restMs <= 0)) return null
  const waitingMs = left.estimated.totalMs + (left.waiting - left.estimated.count) * meanMs
  const workMs = rests.reduce((sum, restMs) => sum + Math.max(0, restMs), waitingMs)
  const chainMs = left.chain.estimatedMs + left.chain.unknown * meanMs
  const spreadMs = Math.max(chainMs, workMs / Math.min(slots, tasksLeft))
  const leftMs = rests.reduce((longest, restMs) => Math.max(longest, restMs), spreadMs)
  return leftMs < SHORTEST_MS ? null : leftMs
}

/** Of a task without an estimate: as the finished ones, else as the others are estimated. */
function usualMs(measured: Workload['measured'], running: Workload['running'], { estimated }: Left): number | null {
  if (measured.count > 0) return measured.totalMs / measured.count
  const known = running.flatMap(({ estimateMs }) => estimateMs ?? [])
  const count = estimated.count + known.length
  return count === 0 ? null : known.reduce((sum, ms) => sum + ms, estimated.totalMs) / count
}

type Waiting = Pick<TaskView, 'id' | 'status' | 'needs'>

/** `estimates`: in ms, by task. */
export function workLeft(tasks: readonly Waiting[], estimates: ReadonlyMap<string, number>): Left {
  const waiting = tasks.filter(({ status }) => status === 'pending' || status === 'ready')
  const known = waiting.flatMap(({ id }) => estimates.get(id) ?? [])
  const estimated = { count: known.length, totalMs: known.reduce((sum, ms) => sum + ms, 0) }
  return { waiting: waiting.length, estimated, chain: longestChain(waiting, estimates) }
}

/** By time, where one without an estimate counts as the mean of those that have one; without any, by number. */
function longestChain(waiting: readonly Waiting[], estimates: ReadonlyMap<string, number>): Left['chain'] {
  const all = waiting.flatMap(({ id }) => estimates.get(id) ?? [])
  const usual = all.length === 0 ? 1 : all.reduce((sum, ms) => sum + ms, 0) / all.length
  const missing = new Map(waiting.map(({ id }) => [id, 0]))
  const dependents = new Map<string, string[]>()
  for (const { id, needs } of waiting) {
    const open = needs.filter((need) => missing.has(need))
    missing.set(id, open.length)
    for (const need of open) dependents.set(need, [...(dependents.get(need) ?? []), id])
  }
  type Chain = Left['chain'] & { weight: number }
  const none: Chain = { estimatedMs: 0, unknown: 0, weight: 0 }
  const before = new Map<string, Chain>()
  let longest = none
  const ready = waiting.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id)
  for (let at = 0; at < ready.length; at++) {
    const id = ready[at] as string
    const ms = estimates.get(id)
    const { estimatedMs, unknown, weight } = before.get(id) ?? none
    const mine: Chain = {
      estimatedMs: estimatedMs + (ms ?? 0),
      unknown: unknown + (ms === undefined ? 1 : 0),
      weight: weight + (ms ?? usual),
    }
    if (mine.weight > longest.weight) longest = mine
    for (const next of dependents.get(id) ?? []) {
      if ((before.get(next) ?? none).weight < mine.weight) before.set(next, mine)
      const open = (missing.get(next) ?? 0) - 1
      missing.set(next, open)
      if (open === 0) ready.push(next)
    }
  }
  return { estimatedMs: longest.estimatedMs, unknown: longest.unknown }
}
