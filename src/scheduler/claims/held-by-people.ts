// Claims that people hold. The claim table treats them like units: no unit starts that claims some of the same paths. Started
// units continue and land, because they came first.

import type { EventOf } from '../../event.ts'
import type { Plan } from '../../task.ts'
import type { Hold } from '../../view.ts'
import { buildGraph, taskAt, type Unit } from '../graph.ts'
import type { RunState } from '../state.ts'
import { anyConflict, type Claim, toClaims } from './overlap.ts'

export function held(state: RunState, { hold: id, name, glob, since, until }: EventOf<'claims.held'>): void {
  if (!state.holds.has(id)) addHold(state, { id, name, glob, since, until })
}

export function addHold(state: RunState, hold: Hold): void {
  state.holds.set(hold.id, hold)
  state.claims.hold(holderOf(hold.id), claimsOf(hold.glob))
}

export function released(state: RunState, { hold }: EventOf<'claims.released'>): void {
  letGo(state, hold)
}

/** Drops holds that have expired. No event records this: it follows from the events and the time. */
export function endHolds(state: RunState, now: number): void {
  for (const { id, until } of state.holds.values()) if (until <= now) letGo(state, id)
}

export function holdEnds({ holds }: RunState): number[] {
  return [...holds.values()].map(({ until }) => until)
}

/** Returns a test for units that claim paths held by a person: they may start when the hold ends. */
export function heldByPeople({ holds }: RunState): (unit: Unit) => boolean {
  const theirs = [...holds.values()].flatMap(({ glob }) => claimsOf(glob))
  return ({ claims }) => anyConflict(claims, theirs)
}

export function personBehind({ holds }: RunState, holder: number): string | null {
  return holds.get(-holder)?.name ?? null
}

/** The number of a hold as a holder in the claim table, where units count from 0 and holds from -1 down. */
function holderOf(hold: number): number {
  return -hold
}

/** A person's hold is exclusive: no task may change these paths, nor read them half edited. */
function claimsOf(glob: string): Claim[] {
  return toClaims({ write: [glob], read: [] })
}

function letGo(state: RunState, id: number): void {
  if (!state.holds.delete(id)) return
  state.claims.release(holderOf(id))
  state.ready.released(holderOf(id))
}

/** The hold that each task waits for. Of several, the one that lasts longest. */
export function waitsForHolds(plan: Plan, holds: readonly Hold[]): Map<string, Hold> {
  const waits = new Map<string, Hold>()
  if (holds.length === 0) return waits
  const longestFirst = holds.toSorted((a, b) => b.until - a.until)
  const theirs = longestFirst.map((hold) => ({ hold, claims: claimsOf(hold.glob) }))
  const graph = buildGraph(plan)
  for (const { claims, members } of graph.units) {
    const met = theirs.find((their) => anyConflict(claims, their.claims))
    if (met) for (const member of members) waits.set(taskAt(graph, member).id, met.hold)
  }
  return waits
}
