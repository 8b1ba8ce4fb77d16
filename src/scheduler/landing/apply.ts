// Events of the landing queue. Part of `apply`.
import type { EventOf } from '../../event.ts'
import { LOCAL } from '../../status.ts'
import { moveTask, settle, shortenBatch, waitAgain } from '../apply/transitions.ts'
import { taskAt, type Unit } from '../graph.ts'
import { indexOf, type RunState, record, unitState } from '../state.ts'

export function landingStarted(state: RunState, { items, onto, verify }: EventOf<'landing.started'>): RunState {
  const taken = items.map(({ tasks, commit }) => ({ unit: unitOf(state, tasks), work: commit }))
  for (const { unit } of taken) state.landingQueue.delete(unit)
  state.batch.building = { items: taken, onto, verify }
  return state
}

/**
 * Adds merged items to the batch, up to the first that was cancelled meanwhile: later ones were merged on top of it.
 */
export function landingBuilt(state: RunState, event: EventOf<'landing.built'>): RunState {
  const { batch } = state
  if (!batch.building) return state
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
  return state
}

export function verifying(state: RunState, event: EventOf<'landing.verifying'>): RunState {
  const { verification: number, commit, worker = LOCAL, slot } = event
  state.batch.lastVerification = number
  state.batch.verifications.push({ number, commit, worker, slot, halting: false, startedAt: event.at })
  return state
}

export function halting(state: RunState, event: EventOf<'landing.halting'>): RunState {
  const found = state.batch.verifications.find(({ number }) => number === event.verification)
  if (found) found.halting = true
  return state
}

export function verified(state: RunState, { verification, commit, verdict }: EventOf<'landing.verified'>): RunState {
  const { batch } = state
  const index = batch.verifications.findIndex(({ number }) => number === verification)
  if (index === -1) return state
  batch.verifications.splice(index, 1)
  const item = batch.items.find((one) => one.commit === commit)
  if (!item || !verdict) return state
  if (verdict.passed) {
    batch.flakes += item.failures
    Object.assign(item, { passed: true, failures: 0, failure: null })
  } else {
    item.failures++
    item.failure = verdict.failure
  }
  return state
}

export function landed(state: RunState, event: EventOf<'landing.landed'>): RunState {
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
    const isInIt = taskAt(state.graph, member).land && record(state, member).history.at(-1)?.commit
    moveTask(state, member, isInIt ? { status: 'landed', commit, at } : { status: 'passed', at })
  }
  settle(state, unit, null, null)
  return state
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
  // A refusal is also how the run learns that another process has moved the branch.
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

/** Merging again costs milliseconds, so nothing of a batch is taken over but a branch that may have moved already. */
export function dissolveBatch(state: RunState): void {
  const { batch } = state
  shortenBatch(state, batch.items.findIndex((item) => item.commit === batch.moving) + 1)
  for (const verification of batch.verifications) verification.halting = true
  if (!batch.building?.verify) return
  for (const { unit } of batch.building.items) waitAgain(state, unit)
  batch.building = null
}

export function unitOf(state: RunState, tasks: string[]): number {
  return state.graph.unitOf[indexOf(state, tasks[0] ?? '')] as number
}
