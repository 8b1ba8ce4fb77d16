// Batch by batch, as the documents define it: a task belongs to the earliest wave after all of its needs in which
// nothing conflicts with its claims. Who of two that conflict comes first: what the other needs, then the higher
// priority, then the plan's order.
import type { Plan } from '../../task.ts'
import { ClaimTable } from '../claims/table.ts'
import { buildGraph, type Unit } from '../graph.ts'
import { Heap } from './heap.ts'

export function assignWaves(plan: Plan): number[] {
  const graph = buildGraph(plan)
  const waves = new Waves(graph.units).of
  return graph.unitOf.map((unit) => waves[unit] as number)
}

/** The waves of a run. They keep what is claimed in each of them, so that units can be placed while it runs. */
export class Waves {
  readonly of: number[] = []
  /** The one whose units may start; how many in each have not come to rest; those that could start but for their wave. */
  current = 0
  readonly open: number[] = []
  readonly later: Unit[][] = []
  readonly #tables: (ClaimTable | undefined)[] = []
  /** For each pattern: a wave that has a writer of it → the next one worth a look. There may be as many as tasks. */
  readonly #taken = new Map<string, Map<number, number>>()

  constructor(units: readonly Unit[]) {
    this.place(units)
  }

  /** `units` follow, by their indexes, on those that were placed before. None of them goes into a wave that is over. */
  place(units: readonly Unit[]): void {
    const first = this.of.length
    const waiting: number[] = []
    const ready = new Heap<Unit>(byTurn)
    for (const unit of units) {
      this.of.push(this.current)
      const open = [...unit.needs, ...unit.after].filter((other) => other >= first).length
      waiting.push(open)
      if (open === 0) ready.push(unit)
    }
    for (let unit = ready.pop(); unit; unit = ready.pop()) {
      this.#put(unit, this.#firstFree(unit, this.#earliest(unit)))
      for (const next of [...unit.dependents, ...unit.followers]) {
        const left = (waiting[next - first] as number) - 1
        waiting[next - first] = left
        if (left === 0) ready.push(units[next - first] as Unit)
      }
    }
  }

  /** A unit has come to rest. */
  settled({ index }: Unit): void {
    const wave = this.of[index] as number
    this.open[wave] = (this.open[wave] as number) - 1
  }

  #put({ index }: Unit, wave: number): void {
    this.of[index] = wave
    while (this.open.length <= wave) {
      this.open.push(0)
      this.later.push([])
    }
    this.open[wave] = (this.open[wave] as number) + 1
  }

  #earliest({ needs, after }: Unit): number {
    let earliest = this.current
    for (const other of [...needs, ...after]) earliest = Math.max(earliest, (this.of[other] as number) + 1)
    return earliest
  }

  #firstFree(unit: Unit, from: number): number {
    if (unit.claims.length === 0) return from
    const written = unit.claims.filter((claim) => claim.mode === 'write').map((claim) => claim.pattern)
    for (let wave = from; ; wave++) {
      for (const pattern of written) wave = this.#withoutWriter(pattern, wave)
      const table = this.#tables[wave] ?? new ClaimTable()
      this.#tables[wave] = table
      if (unit.claims.some((claim) => table.blocker(claim) !== null)) continue
      table.hold(unit.index, unit.claims)
      for (const pattern of written)
        this.#taken.set(pattern, (this.#taken.get(pattern) ?? new Map()).set(wave, wave + 1))
      return wave
    }
  }

  #withoutWriter(pattern: string, from: number): number {
    const next = this.#taken.get(pattern)
    let wave = from
    for (let to = next?.get(wave); next && to !== undefined; to = next.get(wave)) {
      // Shortens the way for whoever comes later.
      next.set(wave, next.get(to) ?? to)
      wave = to
    }
    return wave
  }
}

function byTurn(a: Unit, b: Unit): number {
  return b.priority - a.priority || a.index - b.index
}
