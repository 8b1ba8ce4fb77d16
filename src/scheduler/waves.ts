// Batch by batch, as the documents define it: a task belongs to the earliest wave after all of its needs in which
// nothing conflicts with its claims. Deterministic: needs first, then the plan's order.
import type { Plan } from '../task.ts'
import { ClaimTable } from './claim-table.ts'
import { buildGraph, type Graph, topologicalOrder, type Unit } from './graph.ts'

/** The wave (from 0) of every task, by its index in the plan. */
export function assignWaves(plan: Plan): number[] {
  const graph = buildGraph(plan)
  const waves = unitWaves(graph)
  return graph.unitOf.map((unit) => waves[unit] as number)
}

export function unitWaves(graph: Graph): number[] {
  const earliest = new Array<number>(graph.units.length).fill(0)
  const wave = new Array<number>(graph.units.length).fill(0)
  const tables: ClaimTable[] = []
  for (const index of topologicalOrder(graph)) {
    const unit = graph.units[index] as Unit
    const at = firstFree(unit, earliest[index] as number, tables)
    wave[index] = at
    for (const next of [...unit.dependents, ...unit.followers])
      earliest[next] = Math.max(earliest[next] as number, at + 1)
  }
  return wave
}

function firstFree(unit: Unit, from: number, tables: ClaimTable[]): number {
  for (let at = from; ; at++) {
    const table = tables[at] ?? new ClaimTable()
    tables[at] ??= table
    if (unit.claims.some((claim) => table.blocker(claim) !== null)) continue
    table.hold(unit.index, unit.claims)
    return at
  }
}
