// `apply(state, event)`: the effect of an event on the state of a run. All changes of a run are made here, except for those that
// need no event because they follow from the time (timed-changes.ts). No clock, no randomness, no I/O.

import type { Event, EventOf, EventType, Fact, Failure, Limits } from '../../event.ts'
import { isBad, isOver } from '../../status.ts'
import { budgetReached, lookAgain, ownBudgetUsedUp } from '../budgets/accounts.ts'
import { releaseAll } from '../budgets/affordable.ts'
import { learnedClaims } from '../claims/gained.ts'
import { held, released } from '../claims/held-by-people.ts'
import { tryAgain } from '../dispatch/pauses.ts'
import { edgesInto, taskAt, type Unit, unitAt } from '../graph.ts'
import {
  dissolveBatch,
  halting,
  isAboutToLand,
  isAnswer,
  landed,
  landingBuilt,
  landingStarted,
  leaveBatch,
  putBack,
  takeResolution,
  unitOf,
  verified,
  verifying,
  waitForPerson,
} from '../landing/apply.ts'
import { indexOf, type RunState, record, unitState, WAITING } from '../state.ts'
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
import { asked, isHeard, noted } from './notes-and-claim-requests.ts'
import { changePriority } from './priority.ts'
import { reopen } from './reopen.ts'
import { replan } from './replan.ts'
import { CANCELLED, stopEverything, stoppedForGood, stopStrictly } from './stop.ts'
import { admit, advanceWave, giveBack, moveTask, settle } from './transitions.ts'
import { letUnfitGo, workerJoined, workerLost } from './worker.ts'

export function apply(state: RunState, event: Event): RunState {
  // An engine that continues a run writes one of these first: before it, the run had no engine.
  if (event.type === 'run.resumed' || event.type === 'run.replanned')
    state.idleMs += Math.max(0, event.at - state.lastAt)
  state.lastAt = event.at
  if ('request' in event) state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  const effect: (state: RunState, event: never) => void = EFFECTS[event.type]
  effect(state, event as never)
  return state
}

const EFFECTS: { readonly [T in EventType]: (state: RunState, event: EventOf<T>) => void } = {
  'run.started': started,
  'run.resumed': resumed,
  'run.replanned': replanned,
  'tasks.added': grow,
  'slots.changed': (state, { slots }) => setLimits(state, { ...state.limits, slots }),
  'priority.changed': changePriority,
  'run.interrupted': (state) => {
    state.stop ??= 'interrupt'
  },
  'run.cancelled': cancelRun,
  'task.cancelled': cancelTask,
  'task.resolved': resolved,
  'attempt.started': attemptStarted,
  'attempt.stalled': stalled,
  'attempt.stirred': stirred,
  'attempt.stopping': stopping,
  'attempt.overlapped': () => {},
  'attempt.noted': noted,
  'attempt.asked': asked,
  'attempt.spent': spent,
  'budget.reached': budgetReached,
  'attempt.finished': attemptFinished,
  'attempt.late': cameLate,
  'landing.started': landingStarted,
  'landing.built': landingBuilt,
  'landing.verifying': verifying,
  'landing.halting': halting,
  'landing.verified': verified,
  'landing.moving': ({ batch }, { commit }) => {
    batch.moving = commit
  },
  'landing.landed': landed,
  'landing.refused': refused,
  'worker.joined': workerJoined,
  'worker.lost': workerLost,
  'claims.held': held,
  'claims.released': released,
  'run.finished': (state, { status, at }) => {
    Object.assign(state, { finished: status, finishedAt: at })
  },
}

/** Sets the limits. Their slots are those of the engine's own machine. */
function setLimits(state: RunState, limits: Limits): void {
  state.limits = limits
  state.workers.setLocal(limits)
  letUnfitGo(state, state.workers.local)
}

function started(state: RunState, event: EventOf<'run.started'>): void {
  Object.assign(state, { base: event.base, branch: event.branch, head: event.base, seed: event.seed })
  state.kind = event.kind ?? 'plan'
  setLimits(state, event.limits)
  state.startedAt = event.at
  for (const unit of state.graph.units) if (edgesInto(unit) === 0) admit(state, unit)
  advanceWave(state)
}

/** Continues an interrupted run; a cancelled or strictly stopped one stays stopped. */
function resumed(state: RunState, event: EventOf<'run.resumed'>): void {
  setLimits(state, { ...event.limits, schedule: state.limits.schedule })
  if (state.stop === 'interrupt') state.stop = null
  dissolveBatch(state)
  tryAgain(state)
  // A changed budget may hold back other units than before.
  releaseAll(state)
  lookAgain(state)
  for (const index of state.running) {
    const task = record(state, index).state
    if (task.status !== 'running') continue
    if (task.stopping === 'interrupted') goOn(state, index, task)
    // The new engine detects stalls itself, with its own limits.
    if (task.stopping !== 'stalled') wellAgain(state, index, task)
  }
  if (state.finished === 'waiting' || (state.finished === 'cancelled' && state.stop === null)) {
    state.finished = null
    state.finishedAt = null
  }
}

function replanned(state: RunState, { plan, again, head }: EventOf<'run.replanned'>): void {
  if (head !== undefined) putBack(state, head)
  if (again) reopen(state, again, { isLost: head !== undefined })
  Object.assign(state, replan(state, plan))
}

function cancelRun(state: RunState, { at }: EventOf<'run.cancelled'>): void {
  stopEverything(state, 'cancel', { reason: 'cancelled', message: 'the run was cancelled' }, at)
}

function cancelTask(state: RunState, event: EventOf<'task.cancelled'>): void {
  const index = indexOf(state, event.task)
  const unit = state.graph.unitOf[index] as number
  const { state: current } = record(state, index)
  const { status } = current
  // Drops tasks that failed earlier and are no longer wanted. They are settled already.
  if (event.dropped !== undefined && isBad(status))
    moveTask(state, index, {
      status: 'cancelled',
      failure: failureOf(event),
      at: 'at' in current ? current.at : event.at,
    })
  if (isOver(status) || isAboutToLand(state, unit)) return
  const alive = unitAt(state.graph, unit).members.find((member) => state.running.has(member))
  if (alive !== undefined) state.cancelling.add(alive)
  else settle(state, unit, index, { status: 'cancelled', failure: failureOf(event), at: event.at })
}

function failureOf({ dropped }: EventOf<'task.cancelled'>): Failure {
  return dropped === undefined ? CANCELLED : { reason: 'dropped', message: dropped }
}

function refused(state: RunState, event: EventOf<'landing.refused'>): void {
  const unit = unitAt(state.graph, unitOf(state, event.tasks))
  const mine = unitState(state, unit.index)
  leaveBatch(state, unit.index)
  if (mine.status !== 'landing') return // cancelled while it was being merged
  const { conflict, failure, at } = event
  const resolves = conflict ? { commit: conflict.commit, onto: conflict.onto } : null
  if (resolves && conflict?.by === 'person' && !stoppedForGood(state)) {
    waitForPerson(state, unit, resolves, failure, at)
    return
  }
  const isUsedUp = useUpTry(state, unit.members)
  const again = !isUsedUp && unit.members.every((member) => !ownBudgetUsedUp(state, member))
  if (event.retry && again && !stoppedForGood(state)) {
    didNotLand(state, unit, failure)
    Object.assign(mine, { next: 0, head: null, resolves })
    for (const member of unit.members) moveTask(state, member, WAITING)
    giveBack(state, unit)
    unit.claims = [...unit.claims, ...learnedClaims(failure)]
    admit(state, unit)
  } else sendAway(state, unit, failure, at)
}

function resolved(state: RunState, event: EventOf<'task.resolved'>): void {
  const index = indexOf(state, event.task)
  const unit = unitAt(state.graph, state.graph.unitOf[index] as number)
  const { state: task } = record(state, index)
  if (!isAnswer(state, event) || task.status !== 'conflict') return
  if (event.commit === null) sendAway(state, unit, task.failure, event.at)
  else takeResolution(state, unit, event.commit, event.diff)
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
 * True for a fact that comes too late or a second time: it is not written, because `apply` would ignore it. A result of an
 * attempt that is not the one alive is refused (I2).
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
