// Claims that a unit gains during its run: its agent asks for them, its work exceeds its claims (with `claims: extend`), or it
// conflicts with landed work. They stay with the unit: a retry takes them from the start.
//
// Why there is no deadlock:
// - An agent gets the requested claims at once or not at all: waiting for them while holding others could make a circle.
// - A unit that exceeded its claims also holds the added ones once its work is done. No conflicting unit starts any more, and
//   those that run already finish first. So it waits only for running units, which wait for no other. Finished units never
//   wait for each other, whatever they hold.
import type { Fact, Failure, PathList } from '../../event.ts'
import type { Claims } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import { taskAt, type Unit, unitAt } from '../graph.ts'
import { indexOf, type RunState, unitState } from '../state.ts'
import { endHolds, personBehind } from './held-by-people.ts'
import { anyConflict, type Claim, claimOfPath, covers, toClaims } from './overlap.ts'

type Asked = Extract<Fact, { type: 'attempt.asked' }>

export function answered(state: RunState, asked: Asked, now: number): Asked {
  endHolds(state, now)
  const unit = state.graph.unitOf[indexOf(state, asked.task)] as number
  const claims = toClaims({ write: asked.paths, read: [] })
  const holder = claims.map((claim) => state.claims.blocker(claim, unit)).find((found) => found !== null)
  return { ...asked, holder: holder === undefined || holder === null ? null : nameOf(state, holder) }
}

/** Adds granted paths to the claims of a unit: held until its work has landed, and taken again on a retry. */
export function grant(state: RunState, unit: Unit, paths: readonly string[]): void {
  const known = new Set(unit.claims.filter(({ mode }) => mode === 'write').map(({ pattern }) => pattern))
  const claims = toClaims({ write: paths.filter((path) => !known.has(path)), read: [] })
  if (claims.length === 0) return
  unit.claims = [...unit.claims, ...claims]
  state.claims.hold(unit.index, claims)
}

export function grantedTo(history: readonly AttemptView[]): string[] {
  const granted = history.flatMap(({ asked = [] }) => asked.filter(({ holder }) => holder === null))
  return [...new Set(granted.flatMap(({ paths }) => paths))]
}

/** The claims of a task with those it was granted. A task without claims has declared nothing, so it stays without. */
export function withGranted(claims: Claims, granted: readonly string[]): Claims {
  if (claims.write.length + claims.read.length === 0) return claims
  return { ...claims, write: [...new Set([...claims.write, ...granted])] }
}

function nameOf(state: RunState, holder: number): string {
  const person = personBehind(state, holder)
  return person === null ? taskBehind(state, holder) : `${person} (a person)`
}

/** The task that holds the claims of a unit. In a shared worktree: the running one. */
export function taskBehind(state: RunState, unit: number): string {
  const { members } = unitAt(state.graph, unit)
  return taskAt(state.graph, members.find((member) => state.running.has(member)) ?? (members[0] as number)).id
}

export function extendClaims(state: RunState, unit: Unit, { paths }: PathList): void {
  const beyond = paths.filter((path) => !covers(unit.claims, path)).map(claimOfPath)
  if (beyond.length === 0) return
  const mine = unitState(state, unit.index)
  mine.extended = [...mine.extended, ...beyond]
  unit.claims = [...unit.claims, ...beyond]
  state.claims.hold(unit.index, beyond)
}

export function waitsForOthers(state: RunState, unit: number): boolean {
  const { extended } = unitState(state, unit)
  if (extended.length === 0) return false
  for (const other of state.workers.atWork)
    if (other !== unit && anyConflict(extended, (state.graph.units[other] as Unit).claims)) return true
  return false
}

/** Lands units without undeclared changes first: if two do not merge, the undeclared one repeats its work. */
export function declaredFirst(state: RunState): (a: number, b: number) => number {
  const late = (unit: number) => (unitState(state, unit).extended.length > 0 ? 1 : 0)
  return (a, b) => late(a) - late(b) || a - b
}

// Claims for the paths of a conflict: without them, four units that conflict over one file would start together again.

export function learnedClaims(failure: Failure | null): Claim[] {
  return failure?.reason === 'conflict' ? (failure.paths ?? []).map(claimOfPath) : []
}

export function learnedBefore(history: readonly AttemptView[]): Claim[] {
  return history.flatMap(({ failure }) => learnedClaims(failure))
}
