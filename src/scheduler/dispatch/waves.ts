// Runs batch by batch, as the documents define it: a task belongs to the earliest wave after all of its needs in which
// nothing conflicts with its claims. Of two tasks in conflict, the earlier is the one that the other needs, then the one of
// higher priority, then the first in the plan.
import type { Plan } from '../../task.ts'
import { ClaimTable } from '../claims/table.ts'
import { buildGraph, type Unit } from '../graph.ts'
import { Heap } from './heap.ts'

export function assignWaves(plan: Plan): number[] {
  const graph = buildGraph(plan)
  const waves = new Waves(graph.units).of
  return graph.unitOf.map((unit) => waves[unit] as number)
}

/** The waves of a run. They keep the claims of each wave, so that units can be added during the run. */
export class Waves {
  readonly of: number[] = []
  /** The wave whose units may start; the number of unsettled units per wave; units that wait only for their wave. */
  current = 0
  readonly open: number[] = []
  readonly later: Unit[][] = []
  readonly #tables: (ClaimTable | undefined)[] = []
  /** For each pattern: a wave with a writer of it → the next wave to try. There may be as many waves as tasks. */
  readonly #taken = new Map<string, Map<number, number>>()

  constructor(units: readonly Unit[]) {
    this.place(units)
  }

  /** Adds units, whose indexes follow on those of earlier units. None is put into a wave that is over. */
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

  /** Counts a settled unit. */
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
      // Shortens the path for later searches.
      next.set(wave, next.get(to) ?? to)
      wave = to
    }
    return wave
  }
}

function byTurn(a: Unit, b: Unit): number {
  return b.priority - a.priority || a.index - b.index
}
