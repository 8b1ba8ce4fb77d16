// Claims that grow: in a run with `claims: extend`, a unit that changed more than it had claimed holds that too once
// its work is done. Nothing that collides with it starts any more; what runs already is let finish first.
//
// Why nothing waits for ever: a unit that waits here has finished and waits only for units at work, and those wait for
// nobody. Units that are done never wait for each other, whatever they hold.
import type { Failure, PathList } from '../../event.ts'
import type { AttemptView } from '../../view.ts'
import type { Unit } from '../graph.ts'
import { type RunState, unitState } from '../state.ts'
import { anyConflict, type Claim, claimOfPath, covers } from './overlap.ts'

/** Extended claims stay with the unit: a retry takes them from the start. */
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

/** Lands units first whose changes were declared: if two do not merge, the undeclared one repeats its work. */
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
