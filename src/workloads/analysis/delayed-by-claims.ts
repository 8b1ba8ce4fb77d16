// Tasks that run in a later wave than their needs ask for, because somebody in the waves before claims the same.

import { conflicts } from '../../scheduler/claims/overlap.ts'
import { ClaimTable } from '../../scheduler/claims/table.ts'
import { wavesOf } from '../../scheduler/dispatch/waves.ts'
import { buildGraph, type Graph, taskAt, type Unit, unitAt } from '../../scheduler/graph.ts'
import type { Plan } from '../../task.ts'

/** `by` is in the wave before, and claims something that meets `pattern`. Of tasks that share a worktree: the first. */
export type HeldBack = { task: string; by: string; pattern: string }

export function heldBack(plan: Plan): Map<number, HeldBack[]> {
  const graph = buildGraph(plan)
  const waves = wavesOf(graph).of
  const earliest = earliestWaves(graph, waves)
  const tables = claimsOfWaves(graph, waves)
  const held = new Map<number, HeldBack[]>()
  for (const unit of graph.units) {
    const wave = waves[unit.index] as number
    if (wave === earliest[unit.index]) continue
    const found = reasonOf(graph, unit, tables.get(wave - 1))
    if (!found) continue
    const known = held.get(wave)
    if (known) known.push(found)
    else held.set(wave, [found])
  }
  return held
}

function earliestWaves({ units }: Graph, waves: readonly number[]): number[] {
  const earliest = new Array<number>(units.length).fill(0)
  for (const { index, dependents, followers } of units)
    for (const list of [dependents, followers])
      for (const next of list) earliest[next] = Math.max(earliest[next] as number, (waves[index] as number) + 1)
  return earliest
}

function claimsOfWaves({ units }: Graph, waves: readonly number[]): Map<number, ClaimTable> {
  const tables = new Map<number, ClaimTable>()
  for (const { index, claims } of units) {
    if (claims.length === 0) continue
    const wave = waves[index] as number
    const table = tables.get(wave) ?? new ClaimTable()
    tables.set(wave, table)
    table.hold(index, claims)
  }
  return tables
}

function reasonOf(graph: Graph, unit: Unit, before: ClaimTable | undefined): HeldBack | null {
  for (const claim of unit.claims) {
    const by = before?.blocker(claim) ?? null
    if (by === null) continue
    const other = unitAt(graph, by)
    const theirs = other.claims.find((one) => conflicts(one, claim))
    return { task: idOf(graph, unit), by: idOf(graph, other), pattern: theirs?.pattern ?? claim.pattern }
  }
  return null
}

function idOf(graph: Graph, unit: Unit): string {
  return taskAt(graph, unit.members[0] as number).id
}
