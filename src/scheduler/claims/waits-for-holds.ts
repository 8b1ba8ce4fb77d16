// Which tasks of a plan cannot start while people hold what they hold: by the claims of the plan alone, for whoever tells
// of a run. Those that a task got since are not looked at.
import type { Hold } from '../../claim.ts'
import type { Plan } from '../../task.ts'
import { buildGraph, taskAt } from '../graph.ts'
import { conflicts, toClaims } from './overlap.ts'

/** By task. Where several hold some of what it claims: the one that lasts longest. */
export function waitsForHolds(plan: Plan, holds: readonly Hold[]): Map<string, Hold> {
  const waits = new Map<string, Hold>()
  if (holds.length === 0) return waits
  const longestFirst = holds.toSorted((a, b) => b.until - a.until)
  const theirs = longestFirst.map((hold) => ({ hold, claims: toClaims({ write: [hold.glob], read: [] }) }))
  const graph = buildGraph(plan)
  for (const { claims, members } of graph.units) {
    const met = theirs.find((their) => claims.some((mine) => their.claims.some((one) => conflicts(mine, one))))
    if (met) for (const member of members) waits.set(taskAt(graph, member).id, met.hold)
  }
  return waits
}
