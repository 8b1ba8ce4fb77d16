// A run that stops before all is done: it was cancelled, or it is strict and a task failed. Part of `apply`.
import type { Failure } from '../../event.ts'
import { isOver } from '../../status.ts'
import { isAboutToLand } from '../landing/apply.ts'
import { type RunState, record, unitState } from '../state.ts'
import { endUnit, moveTask } from './transitions.ts'

export const CANCELLED: Failure = { reason: 'cancelled', message: 'cancelled on request' }

export function stopStrictly(state: RunState, cause: string, at: number): void {
  state.strictCause ??= cause
  stopEverything(state, 'strict', strictFailure(state), at)
}

/** True if the run was cancelled or stopped strictly. An interrupted run may be continued. */
export function stoppedForGood(state: RunState): boolean {
  return state.stop === 'cancel' || state.stop === 'strict'
}

export function strictFailure(state: RunState): Failure {
  const cause = state.strictCause ?? undefined
  return { reason: 'strict-stop', message: `stopped because ${cause} failed and the run is strict`, cause }
}

export function stoppedState(state: RunState, at: number) {
  const failure = state.stop === 'strict' ? strictFailure(state) : CANCELLED
  return { status: 'cancelled' as const, failure, at }
}

/** Starts no more units. Finished work still lands; running attempts are ended by decisions, one by one. */
export function stopEverything(state: RunState, stop: 'cancel' | 'strict', failure: Failure, at: number): void {
  if (stoppedForGood(state)) return
  state.stop = stop
  for (const unit of state.graph.units) {
    const { status } = unitState(state, unit.index)
    if (status === 'running' || status === 'settled') continue
    // Landing without verification takes milliseconds, so it finishes; a person who cancels should not have to wait for a
    // verification.
    if (status === 'landing' && (stop === 'strict' || !state.limits.landing.verify || isAboutToLand(state, unit.index)))
      continue
    if (stop === 'cancel') for (const member of unit.members) endFailed(state, member, at)
    endUnit(state, unit, { status: 'cancelled', failure, at })
  }
}

/** A task whose last try has failed, and that waits for the next one, has failed. */
function endFailed(state: RunState, index: number, at: number): void {
  const { state: current, history } = record(state, index)
  const last = history.at(-1)
  if (isOver(current.status) || !last?.failure || !last.countsAsTry) return
  moveTask(state, index, { status: 'failed', failure: last.failure, at })
}
