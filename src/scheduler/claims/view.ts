// Claims held in a run, and the tasks that wait for them.

import { LIMITS } from '../../config.ts'
import type { ClaimCheck, ClaimHolder, ClaimsView, ClaimWait, HeldClaim } from '../../held-claims.ts'
import type { Task } from '../../task.ts'
import { firstNames } from '../../text/name-list.ts'
import { dispatchOrder, taskAt, type Unit } from '../graph.ts'
import { type RunState, readyUnits, record, unitState } from '../state.ts'
import { taskBehind } from './gained.ts'
import { endHolds, personBehind } from './held-by-people.ts'
import { type Claim, claimOfPath, conflicts, toClaims } from './overlap.ts'

/** Lists claims of tasks. Claims of people exist outside of runs. */
export function claimsView(state: RunState, run: string, now: number): ClaimsView {
  endHolds(state, now)
  const holding = state.graph.units.filter(({ index }) => state.claims.holds(index))
  const atWork = state.graph.units.filter(({ members }) => members.some((member) => state.running.has(member)))
  const waits = claimWaits(state)
  return {
    run,
    held: holding.flatMap((unit) => unit.claims.map((claim) => heldClaim(state, unit, claim))),
    waiting: waits.slice(0, LIMITS.claimWaits),
    waitingCount: waits.length,
    undeclared: atWork.filter(({ claims }) => claims.length === 0).map(({ index }) => taskBehind(state, index)),
  }
}

/** Waiting tasks in the order in which they will start. */
export function claimWaits(state: RunState): ClaimWait[] {
  return readyUnits(state)
    .sort(dispatchOrder)
    .flatMap((unit) => waitOf(state, unit) ?? [])
}

function heldClaim(state: RunState, unit: Unit, claim: Claim): HeldClaim {
  const { pattern: glob, mode } = claim
  const holder = { kind: 'task' as const, name: taskBehind(state, unit.index) }
  return { holder, glob, mode, since: sinceOf(state, unit), until: null, origin: originOf(state, unit, claim) }
}

/** The start of the unit's first task, when all its claims are taken. */
function sinceOf(state: RunState, { members: [first = 0] }: Unit): number {
  return record(state, first).history.at(-1)?.startedAt ?? state.startedAt
}

function originOf(state: RunState, { index, members }: Unit, claim: Claim): HeldClaim['origin'] {
  const { pattern, mode } = claim
  if (unitState(state, index).extended.includes(claim)) return 'extended'
  if (members.some((member) => taskAt(state.graph, member).claims[mode].includes(pattern))) return 'plan'
  const asked = members.flatMap((member) => record(state, member).history.flatMap((attempt) => attempt.asked ?? []))
  return asked.some(({ holder, paths }) => holder === null && paths.includes(pattern)) ? 'asked' : 'learned'
}

function waitOf(state: RunState, unit: Unit): ClaimWait | null {
  for (const claim of unit.claims) {
    const holder = state.claims.blocker(claim)
    if (holder !== null)
      return { task: taskBehind(state, unit.index), glob: claim.pattern, holder: whoIs(state, holder) }
  }
  return null
}

function whoIs(state: RunState, holder: number): ClaimHolder {
  const person = personBehind(state, holder)
  if (person !== null) return { kind: 'person', name: person }
  return { kind: 'task', name: taskBehind(state, holder) }
}

export function checkClaims(
  view: ClaimsView,
  { paths, as, open }: { paths: readonly string[]; as: string | null; open: readonly Task[] },
): ClaimCheck {
  const others = view.held.filter(({ holder }) => holder.name !== as)
  const found = paths.flatMap((path) => others.filter((held) => meets(path, held)).map((held) => ({ ...held, path })))
  const warnings = [
    ...view.undeclared
      .filter((task) => task !== as)
      .map((task) => `${task} is running without a claim and may change anything`),
    ...paths.flatMap((path) => {
      const later = open.filter(({ id, claims }) => id !== as && wants(path, toClaims(claims))).map(({ id }) => id)
      return later.length > 0 ? [`${path} is claimed by what is to start later: ${firstNames(later, SHOWN)}`] : []
    }),
  ]
  const has = found.length > 0
  return { has_conflicts: has, conflicts: found, warnings, can_proceed: !has }
}

function meets(path: string, { glob, mode }: HeldClaim): boolean {
  return wants(path, toClaims({ write: [], read: [], [mode]: [glob] }))
}

function wants(path: string, claims: readonly Claim[]): boolean {
  const mine = claimOfPath(path)
  return claims.some((claim) => conflicts(mine, claim))
}

const SHOWN = 5
