// Batch by batch, as the documents define it: a task belongs to the earliest wave after all of its needs in which
// nothing conflicts with its claims. Who of two that conflict comes first: what the other needs, then the higher
// priority, then the plan's order.
import type { Plan } from '../../task.ts'
import { ClaimTable } from '../claims/table.ts'
import { buildGraph, type Graph, taskAt, type Unit } from '../graph.ts'
import { Heap } from './heap.ts'

/** The wave (from 0) of every task, by its index in the plan. */
export function assignWaves(plan: Plan): number[] {
  const graph = buildGraph(plan)
  const waves = unitWaves(graph)
  return graph.unitOf.map((unit) => waves[unit] as number)
}

export function unitWaves(graph: Graph): number[] {
  const earliest = new Array<number>(graph.units.length).fill(0)
  const wave = new Array<number>(graph.units.length).fill(0)
  const tables: (ClaimTable | undefined)[] = []
  const taken = new TakenWaves()
  const waiting = graph.units.map(({ waitsFor }) => waitsFor)
  const turns = turnsOf(graph)
  const ready = new Heap<number>((index) => turns[index] as number)
  for (const { index, waitsFor } of graph.units) if (waitsFor === 0) ready.push(index)
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    const unit = graph.units[index] as Unit
    const at = firstFree(unit, earliest[index] as number, tables, taken)
    wave[index] = at
    for (const list of [unit.dependents, unit.followers]) {
      for (const next of list) {
        earliest[next] = Math.max(earliest[next] as number, at + 1)
        waiting[next] = (waiting[next] as number) - 1
        if (waiting[next] === 0) ready.push(next)
      }
    }
  }
  return wave
}

/** By priority, then the plan's order: no two have the same turn. */
function turnsOf(graph: Graph): number[] {
  const priority = graph.units.map(({ members }) =>
    members.reduce((most, member) => Math.max(most, taskAt(graph, member).priority), Number.NEGATIVE_INFINITY),
  )
  const turns = new Array<number>(priority.length)
  const order = [...priority.keys()].sort((a, b) => (priority[b] as number) - (priority[a] as number) || a - b)
  for (const [turn, index] of order.entries()) turns[index] = turn
  return turns
}

function firstFree(unit: Unit, from: number, tables: (ClaimTable | undefined)[], taken: TakenWaves): number {
  if (unit.claims.length === 0) return from
  const written = unit.claims.filter((claim) => claim.mode === 'write').map((claim) => claim.pattern)
  for (let at = from; ; at++) {
    at = taken.nextWithout(written, at)
    const table = tables[at] ?? new ClaimTable()
    tables[at] = table
    if (unit.claims.some((claim) => table.blocker(claim) !== null)) continue
    table.hold(unit.index, unit.claims)
    taken.add(written, at)
    return at
  }
}

/** Waves that already have a writer of exactly this pattern: skipped at once, however many there are. */
class TakenWaves {
  /** For each pattern: wave → the next one worth a look. */
  readonly #next = new Map<string, Map<number, number>>()

  nextWithout(patterns: string[], from: number): number {
    let at = from
    for (let moved = true; moved; ) {
      moved = false
      for (const pattern of patterns) {
        const free = this.#free(pattern, at)
        moved ||= free !== at
        at = free
      }
    }
    return at
  }

  add(patterns: string[], wave: number): void {
    for (const pattern of patterns) {
      const next = this.#next.get(pattern) ?? new Map<number, number>()
      next.set(wave, wave + 1)
      this.#next.set(pattern, next)
    }
  }

  #free(pattern: string, from: number): number {
    const next = this.#next.get(pattern)
    if (!next) return from
    const passed: number[] = []
    let at = from
    for (let to = next.get(at); to !== undefined; to = next.get(at)) {
      passed.push(at)
      at = to
    }
    for (const wave of passed) next.set(wave, at)
    return at
  }
}
