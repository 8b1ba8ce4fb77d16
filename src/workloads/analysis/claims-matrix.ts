// Who may not run beside whom because of their claims, as a matrix. Tasks that claim the same are one row, so that two
// hundred tasks that all write to one folder are one line that says so.
import { LIMITS } from '../../config.ts'
import type { Task } from '../../task.ts'
import type { ClaimPairs, Pair } from './claim-conflicts.ts'

export type ClaimsMatrix = {
  /** In the order of the plan. Where there are too many, those with the most conflicts. */
  rows: ClaimRow[]
  /** Of pairs of rows, each once; `a` and `b` are places in `rows`, and may be the same. */
  cells: ClaimCell[]
  /** Rows that have conflicts too and are not shown. */
  leftOut: number
  /** False: the plan is too big to look at every pair. */
  complete: boolean
}

export type ClaimRow = {
  /** The first of them; `count` says how many there are. */
  tasks: string[]
  count: number
  write: string[]
  read: string[]
}

/** `conflict`: some of them could run at the same time but for their claims. `ordered`: they need each other anyway. */
export type ClaimCell = { a: number; b: number; kind: 'conflict' | 'ordered' }

/** Tasks named of one row, and patterns of its claims. */
const NAMED = 20

export function claimsMatrix(tasks: Task[], { free, ordered, complete }: ClaimPairs): ClaimsMatrix {
  const groupOf = groupByClaims(tasks)
  const conflicts = countByGroup(free, groupOf)
  const chosen = [...conflicts.keys()]
    .sort((a, b) => (conflicts.get(b) ?? 0) - (conflicts.get(a) ?? 0) || a - b)
    .slice(0, LIMITS.claimRows)
    .sort((a, b) => a - b)
  return {
    rows: rowsOf(tasks, groupOf, chosen),
    cells: cellsOf({ free, ordered }, groupOf, chosen),
    leftOut: conflicts.size - chosen.length,
    complete,
  }
}

/** For each task the first one that claims the same. */
function groupByClaims(tasks: Task[]): number[] {
  const first = new Map<string, number>()
  return tasks.map(({ claims }, at) => {
    const key = JSON.stringify([claims.write.toSorted(), claims.read.toSorted()])
    const known = first.get(key) ?? at
    first.set(key, known)
    return known
  })
}

function countByGroup(pairs: readonly Pair[], groupOf: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { a, b } of pairs) {
    const [one, other] = [groupOf[a] as number, groupOf[b] as number]
    counts.set(one, (counts.get(one) ?? 0) + 1)
    if (other !== one) counts.set(other, (counts.get(other) ?? 0) + 1)
  }
  return counts
}

function rowsOf(tasks: Task[], groupOf: readonly number[], chosen: readonly number[]): ClaimRow[] {
  const rows = new Map(
    chosen.map((group): [number, ClaimRow] => {
      const { write = [], read = [] } = tasks[group]?.claims ?? {}
      return [group, { tasks: [], count: 0, write: write.slice(0, NAMED), read: read.slice(0, NAMED) }]
    }),
  )
  tasks.forEach(({ id }, at) => {
    const row = rows.get(groupOf[at] as number)
    if (!row) return
    row.count++
    if (row.tasks.length < NAMED) row.tasks.push(id)
  })
  return [...rows.values()]
}

function cellsOf(
  { free, ordered }: Pick<ClaimPairs, 'free' | 'ordered'>,
  groupOf: readonly number[],
  chosen: readonly number[],
): ClaimCell[] {
  const place = new Map(chosen.map((group, at) => [group, at]))
  const cells = new Map<number, ClaimCell>()
  const note = ({ a, b }: Pair, kind: ClaimCell['kind']) => {
    const [one, other] = [place.get(groupOf[a] as number), place.get(groupOf[b] as number)]
    if (one === undefined || other === undefined) return
    const [low, high] = [Math.min(one, other), Math.max(one, other)]
    const key = low * chosen.length + high
    if (!cells.has(key)) cells.set(key, { a: low, b: high, kind })
  }
  for (const pair of free) note(pair, 'conflict')
  for (const pair of ordered) note(pair, 'ordered')
  return [...cells.values()].sort((x, y) => x.a - y.a || x.b - y.b)
}
