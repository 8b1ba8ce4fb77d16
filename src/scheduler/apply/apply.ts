// `apply(state, event)`: what an event makes of a run's state. All that happens to a run comes through here; what needs no
// event, because it follows from the time, is in due.ts. No clock, no randomness, no I/O.

import type { Event, EventOf, Fact, Failure, Limits } from '../../event.ts'
import { isBad, isOver } from '../../status.ts'
import { budgetReached, lookAgain, ownBudgetUsedUp } from '../budgets/accounts.ts'
import { releaseAll } from '../budgets/affordable.ts'
import { learnedClaims } from '../claims/extended.ts'
import { held, released } from '../claims/holds.ts'
import { tryAgain } from '../dispatch/pauses.ts'
import { edgesInto, taskAt, type Unit, unitAt } from '../graph.ts'
import {
  dissolveBatch,
  halting,
  isAboutToLand,
  landed,
  landingBuilt,
  landingStarted,
  leaveBatch,
  unitOf,
  verified,
  verifying,
} from '../landing/apply.ts'
import { isAnswer, takeResolution, waitForPerson } from '../landing/conflict.ts'
import { indexOf, type RunState, record, unitState, WAITING } from '../state.ts'
import { asked, isHeard, noted } from './agent-notes.ts'
import {
  attemptFinished,
  attemptStarted,
  cameLate,
  goOn,
  spent,
  stalled,
  stirred,
  stopping,
  useUpTry,
  wellAgain,
} from './attempt.ts'
import { grow } from './grow.ts'
import { changePriority } from './priority.ts'
import { reopen } from './reopen.ts'
import { replan } from './replan.ts'
import { CANCELLED, stopEverything, stoppedForGood, stopStrictly } from './stop.ts'
import { admit, advanceWave, giveBack, moveTask, settle } from './transitions.ts'
import { letUnfitGo, workerJoined, workerLost } from './worker.ts'

export function apply(state: RunState, event: Event): RunState {
  countTime(state, event)
  switch (event.type) {
    case 'run.started':
      return started(state, event)
    case 'run.resumed':
      return resumed(state, event)
    case 'run.replanned':
      if (event.again) reopen(state, event.again)
      return replan(state, event.plan)
    case 'tasks.added':
      return grow(state, event)
    case 'slots.changed':
      state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
      setLimits(state, { ...state.limits, slots: event.slots })
      return state
    case 'priority.changed':
      return changePriority(state, event)
    case 'run.interrupted':
      state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
      state.stop ??= 'interrupt'
      return state
    case 'run.cancelled':
      return cancelRun(state, event)
    case 'task.cancelled':
      return cancelTask(state, event)
    case 'task.resolved':
      return resolved(state, event)
    case 'attempt.started':
      return attemptStarted(state, event)
    case 'attempt.stalled':
      return stalled(state, event)
    case 'attempt.stirred':
      return stirred(state, event)
    case 'attempt.stopping':
      return stopping(state, event)
    case 'attempt.overlapped':
      return state
    case 'attempt.noted':
      return noted(state, event)
    case 'attempt.asked':
      return asked(state, event)
    case 'attempt.spent':
      return spent(state, event)
    case 'budget.reached':
      budgetReached(state, event)
      return state
    case 'attempt.finished':
      return attemptFinished(state, event)
    case 'attempt.late':
      return cameLate(state, event)
    case 'landing.started':
      return landingStarted(state, event)
    case 'landing.built':
      return landingBuilt(state, event)
    case 'landing.verifying':
      return verifying(state, event)
    case 'landing.halting':
      return halting(state, event)
    case 'landing.verified':
      return verified(state, event)
    case 'landing.moving':
      state.batch.moving = event.commit
      return state
    case 'landing.landed':
      return landed(state, event)
    case 'landing.refused':
      return refused(state, event)
    case 'worker.joined':
      return workerJoined(state, event)
    case 'worker.lost':
      return workerLost(state, event)
    case 'claims.held':
      return held(state, event)
    case 'claims.released':
      return released(state, event)
    case 'run.finished':
      state.finished = event.status
      state.finishedAt = event.at
      return state
    default:
      return event satisfies never
  }
}

/** An engine that goes on with a run says so first; until then, since the last event, there was none. */
function countTime(state: RunState, { type, at }: Event): void {
  if (type === 'run.resumed' || type === 'run.replanned') state.idleMs += Math.max(0, at - state.lastAt)
  state.lastAt = at
}

/** The slots among them are those of the engine's own machine. */
function setLimits(state: RunState, limits: Limits): void {
  state.limits = limits
  state.workers.setLocal(limits)
  letUnfitGo(state, state.workers.local)
}

function started(state: RunState, event: EventOf<'run.started'>): RunState {
  Object.assign(state, { base: event.base, branch: event.branch, head: event.base, seed: event.seed })
  state.kind = event.kind ?? 'plan'
  setLimits(state, event.limits)
  state.startedAt = event.at
  for (const unit of state.graph.units) if (edgesInto(unit) === 0) admit(state, unit)
  advanceWave(state)
  return state
}

/** An interrupted run goes on; a cancelled or strictly stopped one stays stopped. */
function resumed(state: RunState, event: EventOf<'run.resumed'>): RunState {
  setLimits(state, { ...event.limits, schedule: state.limits.schedule })
  if (state.stop === 'interrupt') state.stop = null
  dissolveBatch(state)
  tryAgain(state)
  // A changed budget may hold back other units, or none.
  releaseAll(state)
  lookAgain(state)
  for (const index of state.running) {
    const task = record(state, index).state
    if (task.status !== 'running') continue
    if (task.stopping === 'interrupted') goOn(state, index, task)
    // Another engine looks for itself, with limits of its own.
    if (task.stopping !== 'stalled') wellAgain(state, index, task)
  }
  if (state.finished === 'waiting' || (state.finished === 'cancelled' && state.stop === null)) {
    state.finished = null
    state.finishedAt = null
  }
  return state
}

function cancelRun(state: RunState, event: EventOf<'run.cancelled'>): RunState {
  state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  stopEverything(state, 'cancel', { reason: 'cancelled', message: 'the run was cancelled' }, event.at)
  return state
}

function cancelTask(state: RunState, event: EventOf<'task.cancelled'>): RunState {
  state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  const index = indexOf(state, event.task)
  const unit = state.graph.unitOf[index] as number
  const { state: current } = record(state, index)
  const { status } = current
  // Drops tasks that failed earlier and are no longer wanted. They were already settled.
  if (event.dropped !== undefined && isBad(status))
    moveTask(state, index, {
      status: 'cancelled',
      failure: failureOf(event),
      at: 'at' in current ? current.at : event.at,
    })
  if (isOver(status) || isAboutToLand(state, unit)) return state
  const alive = unitAt(state.graph, unit).members.find((member) => state.running.has(member))
  if (alive !== undefined) state.cancelling.add(alive)
  else settle(state, unit, index, { status: 'cancelled', failure: failureOf(event), at: event.at })
  return state
}

function failureOf({ dropped }: EventOf<'task.cancelled'>): Failure {
  return dropped === undefined ? CANCELLED : { reason: 'dropped', message: dropped }
}

function refused(state: RunState, event: EventOf<'landing.refused'>): RunState {
  const unit = unitAt(state.graph, unitOf(state, event.tasks))
  const mine = unitState(state, unit.index)
  leaveBatch(state, unit.index)
  if (mine.status !== 'landing') return state // cancelled while it was being merged
  const { conflict } = event
  if (conflict?.by === 'person' && !stoppedForGood(state)) return waitForPerson(state, unit, conflict, event)
  const isUsedUp = useUpTry(state, unit.members)
  const again = !isUsedUp && unit.members.every((member) => !ownBudgetUsedUp(state, member))
  if (event.retry && again && !stoppedForGood(state)) {
    didNotLand(state, unit, event.failure)
    Object.assign(mine, {
      next: 0,
      head: null,
      resolves: conflict ? { commit: conflict.commit, onto: conflict.onto } : null,
    })
    for (const member of unit.members) moveTask(state, member, WAITING)
    giveBack(state, unit)
    unit.claims = [...unit.claims, ...learnedClaims(event.failure)]
    admit(state, unit)
  } else sendAway(state, unit, event.failure, event.at)
  return state
}

function resolved(state: RunState, event: EventOf<'task.resolved'>): RunState {
  state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  const index = indexOf(state, event.task)
  const unit = unitAt(state.graph, state.graph.unitOf[index] as number)
  const { state: task } = record(state, index)
  if (!isAnswer(state, event) || task.status !== 'conflict') return state
  if (event.commit === null) sendAway(state, unit, task.failure, event.at)
  else takeResolution(state, unit, event.commit, event.diff)
  return state
}

function didNotLand(state: RunState, unit: Unit, failure: Failure): void {
  for (const member of unit.members) {
    const attempt = record(state, member).history.at(-1)
    if (attempt) attempt.failure = failure
  }
}

function sendAway(state: RunState, unit: Unit, failure: Failure, at: number): void {
  const first = unit.members[0] as number
  didNotLand(state, unit, failure)
  settle(state, unit.index, first, { status: 'failed', failure, at })
  if (state.limits.strict) stopStrictly(state, taskAt(state.graph, first).id, at)
}

/**
 * A fact that comes too late, or a second time, is not written: `apply` would do nothing for it. A result of an attempt that
 * is not the one alive is refused (I2).
 */
export function isStale(state: RunState, fact: Fact): boolean {
  if (fact.type === 'task.resolved') return !isAnswer(state, fact)
  if (fact.type === 'claims.held') return state.holds.has(fact.hold)
  if (fact.type === 'claims.released') return !state.holds.has(fact.hold)
  if (fact.type === 'attempt.noted' || fact.type === 'attempt.asked') return !isHeard(state, fact)
  if (!OF_ONE_ATTEMPT.has(fact.type) || !('task' in fact && 'attempt' in fact)) return false
  const current = record(state, state.graph.taskIndex.get(fact.task) ?? -1).state
  if (current.status !== 'running' || current.attempt !== fact.attempt) return true
  if (fact.type === 'attempt.stalled') return current.stalledSince !== null || current.stopping !== null
  return fact.type === 'attempt.stirred' && current.stalledSince === null && current.stopping !== 'budget'
}

const OF_ONE_ATTEMPT: ReadonlySet<Fact['type']> = new Set([
  'attempt.finished',
  'attempt.stalled',
  'attempt.stirred',
  'attempt.spent',
])
