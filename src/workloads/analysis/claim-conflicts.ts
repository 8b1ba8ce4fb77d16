// Pairs of tasks that only their claims keep apart. Bounded: 100,000 tasks on one file make five billion pairs.
import { LIMITS } from '../../config.ts'
import { overlaps } from '../../scheduler/claims/overlap.ts'
import type { Task } from '../../task.ts'
import type { TaskGraph } from './task-graph.ts'

const BUDGET = {
  comparisons: 300_000,
  pairs: 200_000,
  steps: 50_000_000,
}

type Pair = { a: number; b: number; paths: string[] }

/**
 * `conflicts`: the first ones, in the order of the plan. `conflictsComplete`: false where the plan is too big to look at every
 * pair, and there may be more than were counted.
 */
export function claimConflicts(tasks: Task[], graph: TaskGraph) {
  const position = new Int32Array(tasks.length)
  graph.order.forEach((task, index) => {
    position[task] = index
  })
  const { pairs, complete } = conflictingPairs(tasks, position)
  const { free, complete: checked } = unordered(pairs, graph)
  const inOrder = free.map(({ a, b, paths }) => ({ first: Math.min(a, b), second: Math.max(a, b), paths }))
  inOrder.sort((x, y) => x.first - y.first || x.second - y.second)
  const conflicts = inOrder
    .slice(0, LIMITS.claimConflicts)
    .map(({ first, second, paths }) => ({ a: tasks[first]?.id ?? '', b: tasks[second]?.id ?? '', paths }))
  return { conflicts, conflictCount: free.length, conflictsComplete: complete && checked }
}

type Holder = { task: number; write: boolean }

/** `a` comes before `b` in the order of the graph. */
function conflictingPairs(tasks: Task[], position: Int32Array) {
  const held = tasks.flatMap(({ claims }, task): (Holder & { pattern: string })[] => [
    ...claims.write.map((pattern) => ({ task, write: true, pattern })),
    ...claims.read.map((pattern) => ({ task, write: false, pattern })),
  ])
  const holders = Map.groupBy(held, ({ pattern }) => pattern)
  // Keyed by a number, with plain lists of paths: there can be as many pairs as the budget allows.
  const pairs = new Map<number, Pair>()
  const budget = { ...BUDGET }
  for (const [one, other] of meetingPatterns([...holders.keys()], budget)) {
    const left = holders.get(one) ?? []
    const right = holders.get(other) ?? []
    for (let i = 0; i < left.length; i++) {
      for (let j = one === other ? i + 1 : 0; j < right.length; j++) {
        if (--budget.pairs < 0) return { pairs, complete: false }
        notePair(left[i], right[j], one, other)
      }
    }
  }
  return { pairs, complete: budget.comparisons >= 0 }

  function notePair(x: Holder | undefined, y: Holder | undefined, one: string, other: string): void {
    if (!x || !y || x.task === y.task || (!x.write && !y.write) || runTogether(tasks[x.task], tasks[y.task])) return
    const first = (position[x.task] ?? 0) < (position[y.task] ?? 0)
    const [a, b] = first ? [x.task, y.task] : [y.task, x.task]
    const key = a * tasks.length + b
    const pair = pairs.get(key)
    if (!pair) pairs.set(key, { a, b, paths: one === other ? [one] : [one, other] })
    else for (const path of [one, other]) if (!pair.paths.includes(path)) pair.paths.push(path)
  }
}

/** Tasks that share a worktree run one after another anyway. */
function runTogether(a: Task | undefined, b: Task | undefined): boolean {
  return a?.epic != null && a.epic === b?.epic && a.isolation === 'epic' && b.isolation === 'epic'
}

/** Bits in a number without its sign. */
const SOURCES_AT_ONCE = 31

/** Pairs that claims alone keep apart, without a way from one to the other: for 31 of the earlier tasks in one pass over the graph. */
function unordered(pairs: Map<number, Pair>, graph: TaskGraph) {
  const bySource = Map.groupBy(pairs.values(), ({ a }) => a)
  const sources = [...bySource.keys()].sort((x, y) => x - y)
  const cost = graph.order.length + graph.edges
  const free: Pair[] = []
  const reached = new Int32Array(graph.order.length)
  let steps = BUDGET.steps
  for (let from = 0; from < sources.length; from += SOURCES_AT_ONCE) {
    steps -= cost
    if (steps < 0 && from > 0) return { free, complete: false }
    const now = sources.slice(from, from + SOURCES_AT_ONCE)
    const bitOf = new Map(now.map((task, i) => [task, 1 << i]))
    for (const task of graph.order) {
      let bits = bitOf.get(task) ?? 0
      for (const need of graph.before[task] ?? []) bits |= reached[need] ?? 0
      reached[task] = bits
    }
    for (const [task, bit] of bitOf)
      for (const pair of bySource.get(task) ?? []) if (((reached[pair.b] ?? 0) & bit) === 0) free.push(pair)
  }
  return { free, complete: true }
}

// Finds patterns that can match the same path, without comparing each with each.

/** Compares patterns along their plain folders: only those on the way down. A used-up `budget` ends below zero. */
function* meetingPatterns(patterns: readonly string[], budget: { comparisons: number }): Generator<[string, string]> {
  const byFolder = new Map<string, string[]>()
  // Short ways first: what is above must be known before what is below looks for it.
  const ways = patterns.map((pattern) => ({ pattern, folders: plainFolders(pattern) }))
  ways.sort((x, y) => x.folders.length - y.folders.length)
  for (const { pattern, folders } of ways) {
    yield [pattern, pattern]
    for (let depth = 0; depth <= folders.length; depth++)
      for (const other of byFolder.get(folders.slice(0, depth).join('/')) ?? []) {
        if (--budget.comparisons < 0) return
        if (overlaps(pattern, other)) yield [other, pattern]
      }
    const beside = byFolder.get(folders.join('/'))
    if (beside) beside.push(pattern)
    else byFolder.set(folders.join('/'), [pattern])
  }
}

function plainFolders(pattern: string): string[] {
  // A brace can span folders (`{a/b,c}`), so the plain part ends before the segment where the first one opens.
  const segments = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const special = segments.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part))
  return special === -1 ? segments : segments.slice(0, special)
}
