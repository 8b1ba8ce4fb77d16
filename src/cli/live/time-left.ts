// When a run may be finished: by what its tasks are estimated to take, in the plan or by earlier runs, and where nothing is
// known of one, by how long the finished attempts took. A guess, and always shown as `about`; where there is nothing to
// guess from, or the guess has proved wrong, nothing is shown.
import type { TaskView } from '../../status.ts'
import { likelyMs, type Plan } from '../../task.ts'

type Workload = {
  measured: { count: number; totalMs: number }
  /** How long the running attempts have been at it, and what they are estimated to take. `id`: of the task. */
  running: { id: string; elapsedMs: number; estimateMs: number | null }[]
  left: Left
  slots: number
}

/** Tasks that have still to start. */
export type Left = {
  waiting: number
  /** Of these, those that have an estimate. */
  estimated: { count: number; totalMs: number }
  /** The longest chain of them in which each needs the one before. */
  chain: Chain
  /** The same, of those that wait for a running one; by the id of that one. */
  behind: ReadonlyMap<string, Chain>
}

/** What is estimated of it, and how many of it have no estimate. */
type Chain = { estimatedMs: number; unknown: number }

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
  const chainMs = (chain: Chain | undefined) => (chain ? chain.estimatedMs + chain.unknown * meanMs : 0)
  const spreadMs = Math.max(chainMs(left.chain), workMs / Math.min(slots, tasksLeft))
  const endsMs = running.map(({ id }, at) => Math.max(0, rests[at] ?? 0) + chainMs(left.behind.get(id)))
  const leftMs = endsMs.reduce((longest, endMs) => Math.max(longest, endMs), spreadMs)
  return leftMs < SHORTEST_MS ? null : leftMs
}

/** Of a task without an estimate: as the finished ones, else as the others are estimated. */
function usualMs(measured: Workload['measured'], running: Workload['running'], { estimated }: Left): number | null {
  if (measured.count > 0) return measured.totalMs / measured.count
  const known = running.flatMap(({ estimateMs }) => estimateMs ?? [])
  const count = estimated.count + known.length
  return count === 0 ? null : known.reduce((sum, ms) => sum + ms, estimated.totalMs) / count
}

/** In ms, by task; not of those of which nothing is known. */
export type Estimates = ReadonlyMap<string, number>

export function estimatesOf({ tasks }: Plan): Estimates {
  return new Map(
    tasks.flatMap((task) => {
      const ms = likelyMs(task)
      return ms === null ? [] : [[task.id, ms] as const]
    }),
  )
}

type Waiting = Pick<TaskView, 'id' | 'status' | 'needs'>

export function workLeft(tasks: readonly Waiting[], estimates: Estimates): Left {
  const waiting = tasks.filter(({ status }) => status === 'pending' || status === 'ready')
  const known = waiting.flatMap(({ id }) => estimates.get(id) ?? [])
  const estimated = { count: known.length, totalMs: known.reduce((sum, ms) => sum + ms, 0) }
  return { waiting: waiting.length, estimated, ...longestChains(tasks, waiting, estimates) }
}

type Chains = Pick<Left, 'chain' | 'behind'>

/** By time, where one without an estimate counts as the mean of those that have one; without any, by number. */
function longestChains(tasks: readonly Waiting[], waiting: readonly Waiting[], estimates: Estimates): Chains {
  const all = waiting.flatMap(({ id }) => estimates.get(id) ?? [])
  const usual = all.length === 0 ? 1 : all.reduce((sum, ms) => sum + ms, 0) / all.length
  const dependents = new Map<string, string[]>()
  for (const { id, needs } of waiting)
    for (const need of needs) {
      const known = dependents.get(need)
      if (known) known.push(id)
      else dependents.set(need, [id])
    }
  const from = new Map<string, Weighed>()
  const longestOf = (ids: readonly string[]) =>
    ids.reduce<Weighed>((longest, id) => heavier(from.get(id) ?? NO_CHAIN, longest), NO_CHAIN)
  const behind = (id: string) => longestOf(dependents.get(id) ?? [])
  for (const id of lastFirst(waiting, dependents)) {
    const { estimatedMs, unknown, weight } = behind(id)
    const ms = estimates.get(id)
    const known = ms === undefined ? { estimatedMs, unknown: unknown + 1 } : { estimatedMs: estimatedMs + ms, unknown }
    from.set(id, { ...known, weight: weight + (ms ?? usual) })
  }
  const running = tasks.filter(({ status }) => status === 'running')
  return {
    chain: plain(longestOf([...from.keys()])),
    behind: new Map(running.map(({ id }) => [id, plain(behind(id))])),
  }
}

type Weighed = Chain & { weight: number }

const NO_CHAIN: Weighed = { estimatedMs: 0, unknown: 0, weight: 0 }

function heavier(one: Weighed, other: Weighed): Weighed {
  return one.weight > other.weight ? one : other
}

function plain({ estimatedMs, unknown }: Weighed): Chain {
  return { estimatedMs, unknown }
}

/** Every task behind all that need it. */
function lastFirst(waiting: readonly Waiting[], dependents: ReadonlyMap<string, readonly string[]>): string[] {
  const ids = new Set(waiting.map(({ id }) => id))
  const missing = new Map(waiting.map(({ id, needs }) => [id, needs.filter((need) => ids.has(need)).length]))
  const inOrder = waiting.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id)
  for (let at = 0; at < inOrder.length; at++)
    for (const next of dependents.get(inOrder[at] as string) ?? []) {
      const open = (missing.get(next) ?? 0) - 1
      missing.set(next, open)
      if (open === 0) inOrder.push(next)
    }
  return inOrder.reverse()
}
