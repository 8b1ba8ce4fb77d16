// `apply(state, event)`: the only writer of a run's state. No clock, no randomness, no I/O.
import { LIMITS } from '../config.ts'
import type { Event } from '../event.ts'
import type { Failure } from '../failure.ts'
import type { AttemptView } from '../status.ts'
import { addUsage } from '../usage.ts'
import { isAnswer, takeResolution, waitForPerson } from './apply-conflict.ts'
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
} from './apply-landing.ts'
import { backoffMs } from './backoff.ts'
import { type Claim, claimOfPath } from './claims.ts'
import { coveringPaths } from './covering-paths.ts'
import { extendClaims } from './extended-claims.ts'
import { taskAt, type Unit } from './graph.ts'
import { noteProvider } from './pauses.ts'
import { replan } from './replan.ts'
import { indexOf, type RunState, record, type TaskState, TERMINAL, unitState, WAITING } from './state.ts'
import {
  admit,
  advanceWave,
  endUnit,
  freeSlot,
  letGo,
  moveTask,
  occupySlot,
  queueForLanding,
  settle,
  takeClaims,
} from './transitions.ts'

/** Attempts lost with their supervisor that do not count against the retries. */
export const MAX_LOST_ATTEMPTS = 3
/** Attempts ended by a provider's limits that do not count against the retries. */
export const MAX_LIMITED_ATTEMPTS = 50

export function apply(state: RunState, event: Event): RunState {
  switch (event.type) {
    case 'run.started':
      return started(state, event)
    case 'run.resumed':
      return resumed(state, event)
    case 'run.replanned':
      return replan(state, event.plan)
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
    case 'attempt.stopping': {
      const task = attemptOf(state, event)
      if (!task) return state
      task.stopping = event.reason
      if (event.reason === 'interrupted') task.askedToStopAt = event.at
      return state
    }
    case 'attempt.overlapped':
      return overlapped(state, event)
    case 'attempt.finished':
      return attemptFinished(state, event)
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
    case 'run.finished':
      state.finished = event.status
      state.finishedAt = event.at
      return state
    default:
      return event satisfies never
  }
}

type Of<T extends Event['type']> = Extract<Event, { type: T }>

function started(state: RunState, event: Of<'run.started'>): RunState {
  Object.assign(state, { base: event.base, branch: event.branch, head: event.base, seed: event.seed })
  state.limits = event.limits
  state.startedAt = event.at
  for (const unit of state.graph.units) if (unit.waitsFor === 0) admit(state, unit)
  advanceWave(state)
  return state
}

/** An interrupted run goes on; a cancelled or strictly stopped one stays stopped. */
function resumed(state: RunState, event: Of<'run.resumed'>): RunState {
  state.limits = { ...event.limits, schedule: state.limits.schedule }
  if (state.stop === 'interrupt') state.stop = null
  dissolveBatch(state)
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

function cancelRun(state: RunState, event: Of<'run.cancelled'>): RunState {
  state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  stopEverything(state, 'cancel', { reason: 'cancelled', message: 'the run was cancelled' }, event.at)
  return state
}

function cancelTask(state: RunState, event: Of<'task.cancelled'>): RunState {
  state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  const index = indexOf(state, event.task)
  const unit = state.graph.unitOf[index] as number
  const { status } = record(state, index).state
  if (TERMINAL.has(status) || isAboutToLand(state, unit)) return state
  const alive = graphUnit(state, unit).members.find((member) => state.running.has(member))
  if (alive !== undefined) state.cancelling.add(alive)
  else settle(state, unit, index, { status: 'cancelled', failure: CANCELLED, at: event.at })
  return state
}

const CANCELLED: Failure = { reason: 'cancelled', message: 'cancelled on request' }

function attemptStarted(state: RunState, event: Of<'attempt.started'>): RunState {
  const index = indexOf(state, event.task)
  const task = record(state, index)
  const unit = graphUnit(state, state.graph.unitOf[index] as number)
  const at = unitState(state, unit.index)
  state.ready.withdraw(unit.index)
  state.continuing = state.continuing.filter((other) => other !== unit.index)
  at.status = 'running'
  takeClaims(state, unit)
  occupySlot(state, unit, event.slot)
  task.history.push(newAttempt(event))
  state.running.add(index)
  state.deadlines.push({ at: event.deadline, task: index, attempt: event.attempt })
  moveTask(state, index, {
    status: 'running',
    attempt: event.attempt,
    deadline: event.deadline,
    stopping: null,
    askedToStopAt: null,
    stalledSince: null,
  })
  return state
}

/** The attempt an event is about, if it is the one alive. */
function attemptOf(state: RunState, event: { task: string; attempt: number }): Running | null {
  const { state: task } = record(state, indexOf(state, event.task))
  return task.status === 'running' && task.attempt === event.attempt ? task : null
}

type Running = Extract<TaskState, { status: 'running' }>

function stalled(state: RunState, event: Of<'attempt.stalled'>): RunState {
  const task = attemptOf(state, event)
  if (!task || task.stopping) return state
  const index = indexOf(state, event.task)
  task.stalledSince = event.since
  state.changed.add(index)
  return state
}

/** Its agent may have ended by itself before it was told to: then its checks go on, within its time, and can be stopped. */
function stirred(state: RunState, event: Of<'attempt.stirred'>): RunState {
  const task = attemptOf(state, event)
  if (!task || task.stalledSince === null) return state
  const index = indexOf(state, event.task)
  if (task.stopping === 'stalled') goOn(state, index, task)
  wellAgain(state, index, task)
  return state
}

function wellAgain(state: RunState, index: number, task: Running): void {
  if (task.stalledSince === null) return
  task.stalledSince = null
  state.changed.add(index)
}

/** It is not being stopped any more, and its deadline holds again. */
function goOn(state: RunState, index: number, task: Running): void {
  task.stopping = null
  state.deadlines.push({ at: task.deadline, task: index, attempt: task.attempt })
}

function newAttempt(event: Of<'attempt.started'>): AttemptView {
  return {
    attempt: event.attempt,
    slot: event.slot,
    base: event.base,
    startedAt: event.at,
    finishedAt: null,
    outcome: null,
    failure: null,
    commit: null,
    diff: null,
    usage: null,
    summary: null,
  }
}

/** Each is told of the other, if both are still alive. */
function overlapped(state: RunState, { attempts, paths, count }: Of<'attempt.overlapped'>): RunState {
  if (!attempts.every((one) => attemptOf(state, one))) return state
  const [a, b] = attempts
  for (const [mine, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const index = indexOf(state, mine.task)
    const attempt = record(state, index).history.at(-1) as AttemptView
    const before = attempt.overlaps ?? []
    const known = before.find(({ task }) => task === other.task)
    const all = coveringPaths([...(known?.paths ?? []), ...paths], LIMITS.overlapPaths)
    const rest = before.filter((one) => one !== known).slice(-LIMITS.overlapPairs)
    const most = Math.max(known?.count ?? 0, count, all.length)
    attempt.overlaps = [...rest, { task: other.task, paths: all, count: most }]
    state.changed.add(index)
  }
  return state
}

/** A result that is not of the attempt alive now comes too late: it changes nothing (I2). */
function attemptFinished(state: RunState, event: Of<'attempt.finished'>): RunState {
  const index = indexOf(state, event.task)
  const task = record(state, index)
  if (task.state.status !== 'running' || task.state.attempt !== event.attempt) return state
  const { stopping } = task.state
  const attempt = task.history.at(-1) as AttemptView
  const { outcome, failure, commit, diff, usage, summary, session, touched, undeclared, flagged } = event
  Object.assign(attempt, { finishedAt: event.at, outcome, failure, commit, diff, usage, summary, session })
  if (event.iterations) attempt.iterations = event.iterations
  if (touched) attempt.touched = touched
  if (undeclared) attempt.undeclared = undeclared
  if (flagged) attempt.flagged = flagged
  state.running.delete(index)
  // It may have been cancelled while it was being ended for another reason.
  const cancelled = state.cancelling.delete(index) || stopping === 'cancelled' || failure?.reason === 'cancelled'
  if (usage) state.usage = addUsage(state.usage, usage)
  noteProvider(state, index, event)
  const unit = graphUnit(state, state.graph.unitOf[index] as number)
  if (!failure && undeclared && taskAt(state.graph, index).land && state.limits.claims === 'extend')
    extendClaims(state, unit, undeclared)
  if (!failure) succeeded(state, unit, index, commit, event.at)
  else if (cancelled) settle(state, unit.index, index, { status: 'cancelled', failure, at: event.at })
  else if (stopping === 'strict-stop' || failure.reason === 'strict-stop')
    settle(state, unit.index, index, { status: 'cancelled', failure: strictFailure(state), at: event.at })
  else if (failure.reason === 'interrupted') backToQueue(state, unit, index, event.at)
  else if (failure.reason === 'supervisor-lost' && ++task.lost <= MAX_LOST_ATTEMPTS)
    backToQueue(state, unit, index, event.at)
  else if (failure.reason === 'rate-limited' && ++task.limited <= MAX_LIMITED_ATTEMPTS)
    backToQueue(state, unit, index, event.at)
  else failed(state, unit, index, failure, event.at)
  return state
}

function succeeded(state: RunState, unit: Unit, index: number, commit: string | null, at: number): void {
  const mine = unitState(state, unit.index)
  const task = taskAt(state.graph, index)
  if (commit && task.land) mine.head = commit
  mine.next++
  moveTask(state, index, { status: 'landing', commit })
  if (mine.next < unit.members.length) {
    if (stoppedForGood(state)) settle(state, unit.index, index, stoppedState(state, at))
    else park(state, unit)
  } else if (mine.head && state.stop === 'cancel' && state.limits.landing.verify)
    settle(state, unit.index, index, stoppedState(state, at))
  else if (mine.head) queueForLanding(state, unit)
  else settle(state, unit.index, index, { status: 'passed', at })
}

/** Its time was not used up by itself: it starts again as soon as there is room. */
function backToQueue(state: RunState, unit: Unit, index: number, at: number): void {
  if (stoppedForGood(state)) settle(state, unit.index, index, stoppedState(state, at))
  else {
    moveTask(state, index, WAITING)
    park(state, unit)
  }
}

function park(state: RunState, unit: Unit): void {
  giveBack(state, unit)
  admit(state, unit)
}

/** An epic that is half done keeps its worktree and its claims: what its tasks did has not landed yet (I5). */
function giveBack(state: RunState, unit: Unit): void {
  if (unitState(state, unit.index).next > 0) return
  letGo(state, unit)
  freeSlot(state, unit)
}

function failed(state: RunState, unit: Unit, index: number, failure: Failure, at: number): void {
  const task = record(state, index)
  const { id, retries } = taskAt(state.graph, index)
  task.failures++
  if (task.failures > retries || stoppedForGood(state)) {
    settle(state, unit.index, index, { status: 'failed', failure, at })
    if (state.limits.strict) stopStrictly(state, id, at)
    return
  }
  const retryAt = at + backoffMs(state.limits.backoff, state.seed, id, task.failures)
  moveTask(state, index, { status: 'pending', retryAt })
  delay(state, unit, retryAt)
}

function delay(state: RunState, unit: Unit, until: number): void {
  giveBack(state, unit)
  Object.assign(unitState(state, unit.index), { status: 'delayed', delayedUntil: until })
  state.delayed.push({ at: until, unit: unit.index })
}

function refused(state: RunState, event: Of<'landing.refused'>): RunState {
  const unit = graphUnit(state, unitOf(state, event.tasks))
  const mine = unitState(state, unit.index)
  leaveBatch(state, unit.index)
  if (mine.status !== 'landing') return state // cancelled while it was being merged
  const { conflict } = event
  if (conflict?.by === 'person' && !stoppedForGood(state)) return waitForPerson(state, unit, conflict, event)
  for (const member of unit.members) record(state, member).failures++
  const again = unit.members.every((member) => record(state, member).failures <= taskAt(state.graph, member).retries)
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

function resolved(state: RunState, event: Of<'task.resolved'>): RunState {
  state.lastRequest = Math.max(state.lastRequest, event.request ?? 0)
  const index = indexOf(state, event.task)
  const unit = graphUnit(state, state.graph.unitOf[index] as number)
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
 * What a unit collided on, it claims the next time: of four that conflict over one file, the first lands, and without
 * this the other three would start together, conflict again and use up their retries.
 */
function learnedClaims({ reason, paths }: Failure): Claim[] {
  return reason === 'conflict' ? (paths ?? []).map(claimOfPath) : []
}

function stopStrictly(state: RunState, cause: string, at: number): void {
  state.strictCause ??= cause
  stopEverything(state, 'strict', strictFailure(state), at)
}

/** An interrupted run goes on one day; a cancelled or strictly stopped one does not. */
function stoppedForGood(state: RunState): boolean {
  return state.stop === 'cancel' || state.stop === 'strict'
}

function strictFailure(state: RunState): Failure {
  const cause = state.strictCause ?? undefined
  return { reason: 'strict-stop', message: `stopped because ${cause} failed and the run is strict`, cause }
}

function stoppedState(state: RunState, at: number) {
  const failure = state.stop === 'strict' ? strictFailure(state) : CANCELLED
  return { status: 'cancelled' as const, failure, at }
}

/** Nothing starts any more. What is finished still lands; what runs is ended by decisions, one by one. */
function stopEverything(state: RunState, stop: 'cancel' | 'strict', failure: Failure, at: number): void {
  if (stoppedForGood(state)) return
  state.stop = stop
  for (const unit of state.graph.units) {
    const { status } = unitState(state, unit.index)
    if (status === 'running' || status === 'settled') continue
    // Without verification it takes milliseconds; with it, whoever cancels does not want to wait for that.
    if (status === 'landing' && (stop === 'strict' || !state.limits.landing.verify || isAboutToLand(state, unit.index)))
      continue
    endUnit(state, unit, { status: 'cancelled', failure, at })
  }
}

function graphUnit(state: RunState, unit: number): Unit {
  return state.graph.units[unit] as Unit
}
