// Events of the landing queue. Part of `apply`.
import type { DiffStat, EventOf, Failure } from '../../event.ts'
import { LOCAL } from '../../status.ts'
import { moveTask, queueForLanding, settle, shortenBatch, waitAgain } from '../apply/transitions.ts'
import { taskAt, type Unit } from '../graph.ts'
import { indexOf, type RunState, record, unitState } from '../state.ts'
import { emptyBatch } from './batch.ts'

export function landingStarted(state: RunState, { items, onto, verify }: EventOf<'landing.started'>): void {
  const taken = items.map(({ tasks, commit }) => ({ unit: unitOf(state, tasks), work: commit }))
  for (const { unit } of taken) state.landingQueue.delete(unit)
  state.batch.building = { items: taken, onto, verify }
}

/**
 * Adds merged items to the batch, up to the first that was cancelled meanwhile: later ones were merged on top of it.
 */
export function landingBuilt(state: RunState, event: EventOf<'landing.built'>): void {
  const { batch } = state
  if (!batch.building) return
  const { items, onto } = batch.building
  batch.building = null
  const left = new Map(items.map((item) => [item.unit, item.work]))
  const fits = onto === (batch.items.at(-1)?.commit ?? state.head)
  for (const { tasks, commit } of fits ? event.items : []) {
    const unit = unitOf(state, tasks)
    const work = left.get(unit)
    if (work === undefined || unitState(state, unit).status !== 'landing') break
    left.delete(unit)
    batch.items.push({ unit, work, commit, passed: false, failures: 0, failure: null })
  }
  for (const unit of left.keys()) {
    waitAgain(state, unit)
    if (fits && batch.items.length > 0) batch.deferred.add(unit)
  }
}

export function verifying(state: RunState, event: EventOf<'landing.verifying'>): void {
  const { verification: number, commit, worker = LOCAL, slot } = event
  state.batch.lastVerification = number
  state.batch.verifications.push({ number, commit, worker, slot, halting: false, startedAt: event.at })
}

export function halting(state: RunState, event: EventOf<'landing.halting'>): void {
  const found = state.batch.verifications.find(({ number }) => number === event.verification)
  if (found) found.halting = true
}

export function verified(state: RunState, { verification, commit, verdict }: EventOf<'landing.verified'>): void {
  const { batch } = state
  const index = batch.verifications.findIndex(({ number }) => number === verification)
  if (index === -1) return
  batch.verifications.splice(index, 1)
  const item = batch.items.find((one) => one.commit === commit)
  if (!item || !verdict) return
  if (verdict.passed) {
    batch.flakes += item.failures
    Object.assign(item, { passed: true, failures: 0, failure: null })
  } else {
    item.failures++
    item.failure = verdict.failure
  }
}

export function landed(state: RunState, event: EventOf<'landing.landed'>): void {
  const { batch } = state
  const unit = unitOf(state, event.tasks)
  const { commit, at } = event
  state.head = commit
  takeOut(state, unit)
  batch.items = batch.items.filter((item) => item.unit !== unit)
  batch.deferred.clear()
  batch.landed++
  if (batch.moving === commit) batch.moving = null
  const { members } = state.graph.units[unit] as Unit
  for (const member of members) {
    moveTask(state, member, landedWith(state, member) ? { status: 'landed', commit, at } : { status: 'passed', at })
  }
  settle(state, unit, null, null)
}

/** True if the unit's landing commit contains work of this task. */
function landedWith(state: RunState, member: number): boolean {
  return taskAt(state.graph, member).land && Boolean(record(state, member).history.at(-1)?.commit)
}

export function leaveBatch(state: RunState, unit: number): void {
  const { batch } = state
  takeOut(state, unit)
  const index = batch.items.findIndex((item) => item.unit === unit)
  if (index !== -1) {
    batch.items.splice(index, 1)
    shortenBatch(state, index)
    batch.ejected++
  }
  // A refusal may also mean that another process has moved the branch.
  if (!batch.items.some((item) => item.commit === batch.moving)) batch.moving = null
}

function takeOut({ batch }: RunState, unit: number): void {
  const { building } = batch
  if (!building) return
  building.items = building.items.filter((item) => item.unit !== unit)
  if (building.items.length === 0 && !building.verify) batch.building = null
}

/** True if the branch is being moved past this unit, or is about to be: too late to cancel it. */
export function isAboutToLand(state: RunState, unit: number): boolean {
  const { items, moving, building } = state.batch
  if (building && !building.verify && building.items.some((item) => item.unit === unit)) return true
  const index = items.findIndex((item) => item.unit === unit)
  return moving !== null && index !== -1 && index <= items.findIndex((item) => item.commit === moving)
}

/** Dissolves the batch, because merging again costs milliseconds. Only items that the branch may have passed already stay. */
export function dissolveBatch(state: RunState): void {
  const { batch } = state
  shortenBatch(state, batch.items.findIndex((item) => item.commit === batch.moving) + 1)
  for (const verification of batch.verifications) verification.halting = true
  if (!batch.building?.verify) return
  for (const { unit } of batch.building.items) waitAgain(state, unit)
  batch.building = null
}

/** Puts the branch back to a commit that is left. What was being merged, verified or moved is gone, too. */
export function putBack(state: RunState, head: string): void {
  const { items, building, lastVerification, landed, ejected, flakes } = state.batch
  state.head = head
  state.batch = { ...emptyBatch(), lastVerification, landed, ejected, flakes }
  for (const { unit } of [...items, ...(building?.items ?? [])]) waitAgain(state, unit)
}

export function unitOf(state: RunState, tasks: string[]): number {
  return state.graph.unitOf[indexOf(state, tasks[0] ?? '')] as number
}

// A unit in conflict with landed work that waits for a person. It has no slot but keeps its claims: until it has landed or
// is given up, no other unit may change the same paths (I5), or a resolution would conflict again. So units that claim
// these paths or need this one wait too; the rest of the run continues until nothing else can start.

export function waitForPerson(state: RunState, unit: Unit, resolves: Conflict, failure: Failure, at: number): void {
  Object.assign(unitState(state, unit.index), { status: 'conflict', resolves })
  for (const member of unit.members) moveTask(state, member, { status: 'conflict', failure, since: at })
}

type Conflict = { commit: string; onto: string }

/** True if the event resolves the current conflict, not an earlier one of the same task. */
export function isAnswer(state: RunState, { task, conflict }: { task: string; conflict: string }): boolean {
  const { status, resolves } = unitState(state, state.graph.unitOf[indexOf(state, task)] as number)
  return status === 'conflict' && resolves?.commit === conflict
}

export function takeResolution(state: RunState, unit: Unit, commit: string, diff: DiffStat | null): void {
  unitState(state, unit.index).head = commit
  for (const member of unit.members)
    moveTask(state, member, { status: 'landing', commit: record(state, member).history.at(-1)?.commit ?? null })
  const worked = unit.members.findLast((member) => landedWith(state, member))
  const attempt = record(state, worked ?? -1)?.history.at(-1)
  if (attempt) Object.assign(attempt, { commit, diff: diff ?? attempt.diff })
  queueForLanding(state, unit)
}
