// Claims that an agent asks for while it works. It gets them at once or not at all: whoever waited for them while
// holding others could wait in a circle.
import type { Fact } from '../../event.ts'
import type { Claims } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import { taskAt, type Unit, unitAt } from '../graph.ts'
import { indexOf, type RunState } from '../state.ts'
import { endHolds, personBehind } from './holds.ts'
import { toClaims } from './overlap.ts'

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

/** The claims of a task with what it was granted. One that claims nothing has declared nothing, whatever it asked for. */
export function withGranted(claims: Claims, granted: readonly string[]): Claims {
  if (claims.write.length + claims.read.length === 0) return claims
  return { ...claims, write: [...new Set([...claims.write, ...granted])] }
}

function nameOf(state: RunState, holder: number): string {
  const person = personBehind(state, holder)
  return person === null ? taskBehind(state, holder) : `${person} (a person)`
}

/** The task that holds the claims of a unit. Of those that share a worktree: the one at work. */
export function taskBehind(state: RunState, unit: number): string {
  const { members } = unitAt(state.graph, unit)
  return taskAt(state.graph, members.find((member) => state.running.has(member)) ?? (members[0] as number)).id
}
