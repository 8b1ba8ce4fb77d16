// Events of an attempt: start, stall, end, and the consequences for its task and unit. Part of `apply`.
import { budgetName } from '../../budget.ts'
import type { EventOf, Failure, StopReason } from '../../event.ts'
import { SPARED_ATTEMPTS } from '../../failure.ts'
import { mostUsage, NO_USAGE, usageSince } from '../../usage.ts'
import type { AttemptView } from '../../view.ts'
import { ownBudgetUsedUp, sharedBudgetUsedUp, spentInAll, spentSoFar } from '../budgets/accounts.ts'
import { extendClaims } from '../claims/gained.ts'
import { noteInterruption } from '../dispatch/interrupted.ts'
import { noteAnswer, noteProvider, noteStart } from '../dispatch/pauses.ts'
import { taskAt, type Unit, unitAt } from '../graph.ts'
import { indexOf, type RunState, record, retriesOf, type TaskState, unitState, WAITING } from '../state.ts'
import { CANCELLED, stoppedForGood, stoppedState, stopStrictly, strictFailure } from './stop.ts'
import {
  admit,
  beginRunning,
  delay,
  endRunning,
  giveBack,
  moveTask,
  occupySlot,
  queueForLanding,
  settle,
  takeClaims,
  wantsNoSlot,
} from './transitions.ts'
import { leaveUnfitWorker } from './worker.ts'

export function attemptStarted(state: RunState, event: EventOf<'attempt.started'>): void {
  const index = indexOf(state, event.task)
  const task = record(state, index)
  const unit = unitAt(state.graph, state.graph.unitOf[index] as number)
  const current = unitState(state, unit.index)
  state.ready.withdraw(unit.index)
  state.continuing.delete(unit.index)
  current.status = 'running'
  takeClaims(state, unit)
  occupySlot(state, unit, event)
  wantsNoSlot(state, unit.index)
  task.history.push(newAttempt(event, task.failedTries + 1))
  noteStart(state, event.agent, event.task)
  beginRunning(state, unit, index)
  state.deadlines.push({ at: event.deadline, task: index, attempt: event.attempt })
  moveTask(state, index, {
    status: 'running',
    attempt: event.attempt,
    deadline: event.deadline,
    stopping: null,
    stoppingSince: 0,
    askedToStopAt: null,
    stalledSince: null,
    agentEnded: false,
  })
}

export function spent(state: RunState, event: EventOf<'attempt.spent'>): void {
  const task = attemptOf(state, event)
  if (!task) return
  const index = indexOf(state, event.task)
  task.agentEnded = event.ended ?? false
  spentSoFar(state, index, record(state, index).history.at(-1) as AttemptView, event.costUsd)
  state.changed.add(index)
}

export function stopping(state: RunState, event: EventOf<'attempt.stopping'>): void {
  const task = attemptOf(state, event)
  if (!task) return
  task.stopping = event.reason
  task.stoppingSince = event.at
  if (event.reason === 'interrupted') task.askedToStopAt = event.at
}

function attemptOf(state: RunState, event: { task: string; attempt: number }): Running | null {
  const { state: task } = record(state, indexOf(state, event.task))
  return task.status === 'running' && task.attempt === event.attempt ? task : null
}

type Running = Extract<TaskState, { status: 'running' }>

export function stalled(state: RunState, event: EventOf<'attempt.stalled'>): void {
  const task = attemptOf(state, event)
  if (!task || task.stopping) return
  const index = indexOf(state, event.task)
  task.stalledSince = event.since
  state.changed.add(index)
}

/**
 * Records a sign of life. If the agent had ended by itself before it was stopped, its checks continue within the
 * deadline.
 */
export function stirred(state: RunState, event: EventOf<'attempt.stirred'>): void {
  const task = attemptOf(state, event)
  if (!task) return
  const index = indexOf(state, event.task)
  if (event.answered) {
    noteAnswer(state, record(state, index).history.at(-1)?.agent, event.task)
    return
  }
  if (task.stopping === 'budget') {
    task.agentEnded = true
    goOn(state, index, task)
  }
  if (task.stopping === 'stalled') goOn(state, index, task)
  wellAgain(state, index, task)
}

export function wellAgain(state: RunState, index: number, task: Running): void {
  if (task.stalledSince === null) return
  task.stalledSince = null
  state.changed.add(index)
}

export function goOn(state: RunState, index: number, task: Running): void {
  task.stopping = null
  state.deadlines.push({ at: task.deadline, task: index, attempt: task.attempt })
}

function newAttempt(event: EventOf<'attempt.started'>, number: number): AttemptView {
  const { attempt, worker, slot, base, at: startedAt } = event
  const begun = { attempt, worker, slot, base, try: number, startedAt }
  const open = { finishedAt: null, outcome: null, failure: null, commit: null, diff: null, usage: null, summary: null }
  const view: AttemptView = { ...begun, ...open }
  copyFields(event, view)
  return view
}

/** Copies the fields of an event that its attempt's view has, too. A loop takes half the time of a rest (`...end`). */
function copyFields(fields: Record<string, unknown>, to: Record<string, unknown>): void {
  for (const name in fields) if (!NOT_IN_VIEW.has(name)) to[name] = fields[name]
}

const NOT_IN_VIEW: ReadonlySet<string> = new Set(['type', 'seq', 'task', 'at', 'deadline', 'limitedUntil'])

/** Records the end of the attempt alive. A result of another attempt comes too late and changes nothing (I2). */
export function attemptFinished(state: RunState, event: EventOf<'attempt.finished'>): void {
  const index = indexOf(state, event.task)
  const task = record(state, index)
  if (task.state.status !== 'running' || task.state.attempt !== event.attempt) return
  const { stopping } = task.state
  const attempt = task.history.at(-1) as AttemptView
  const { undeclared } = event
  // The task may have been cancelled while its attempt was already ending for another reason.
  const cancelAsked = state.cancelling.delete(index) || stopping === 'cancelled'
  const neverContinues = event.failure?.reason === 'interrupted' && (cancelAsked || state.stop === 'cancel')
  const failure = neverContinues ? CANCELLED : event.failure
  const usage = event.usage ?? attempt.usage // what it has reported by then, where it ended without a word
  copyFields(event, attempt)
  Object.assign(attempt, { finishedAt: event.at, failure, usage })
  const unit = unitAt(state.graph, state.graph.unitOf[index] as number)
  endRunning(state, unit, index)
  leaveUnfitWorker(state, unit)
  spentInAll(state, index, usage)
  noteProvider(state, attempt.agent, event)
  noteInterruption(state, unit, index, failure)
  const isCancelled = cancelAsked || failure?.reason === 'cancelled'
  const isStopped = stopping === 'strict-stop' || failure?.reason === 'strict-stop'
  // The one place that decides whether an attempt counts as a try; everything else reads it from the attempt's view. Retries are
  // limited by another number, `failedTries`: failed attempts that count, and refused landings (`useUpTry`).
  const isSpared = failure && !isCancelled && !isStopped && spare(state, index, failure, stopping)
  attempt.countsAsTry = !failure || !(isCancelled || isStopped || isSpared)
  if (!failure && undeclared && taskAt(state.graph, index).land && state.limits.claims === 'extend')
    extendClaims(state, unit, undeclared)
  if (!failure) succeeded(state, unit, index, event)
  else if (isCancelled) settle(state, unit.index, index, { status: 'cancelled', failure, at: event.at })
  else if (isStopped)
    settle(state, unit.index, index, { status: 'cancelled', failure: strictFailure(state), at: event.at })
  // Checked after spared ends, too: no money is left for another attempt.
  else if (ownBudgetUsedUp(state, index)) outOfMoney(state, unit, index, failure, event.at)
  else if (!attempt.countsAsTry) backToQueue(state, unit, index, event.at)
  else failed(state, unit, index, failure, event)
}

/** Counts the cost of an outdated attempt, once. Its work is refused (I2). */
export function cameLate(state: RunState, event: EventOf<'attempt.late'>): void {
  const index = indexOf(state, event.task)
  const attempt = record(state, index).history.find((one) => one.attempt === event.attempt)
  if (!attempt || !isNewsOf(attempt)) return
  attempt.late = true
  const before = attempt.usage ?? NO_USAGE
  attempt.usage = mostUsage(before, event.usage)
  spentInAll(state, index, usageSince(attempt.usage, before))
  state.changed.add(index)
}

/** True if the attempt was given up with its worker and its final cost is still unknown. */
export function isNewsOf({ finishedAt, failure, late }: AttemptView): boolean {
  return finishedAt !== null && failure?.reason === 'worker-lost' && !late
}

/** Counts an end by its reason. True: the task is not at fault, and the end is one of the first by this reason, so it is spared. */
function spare(state: RunState, index: number, { reason }: Failure, stopping: StopReason | null): boolean {
  if (reason === 'interrupted') return true
  if (reason === 'budget') return stopping === 'budget' || sharedBudgetUsedUp(state, index) !== null
  if (reason === 'supervisor-lost' && taskAt(state.graph, index).restartOnError === false) return false
  const most = SPARED_ATTEMPTS[reason]
  if (most === undefined) return false
  const { endsByReason } = record(state, index)
  const ends = (endsByReason[reason] ?? 0) + 1
  endsByReason[reason] = ends
  return ends <= most
}

function succeeded(state: RunState, unit: Unit, index: number, { commit, at }: EventOf<'attempt.finished'>): void {
  const mine = unitState(state, unit.index)
  const task = taskAt(state.graph, index)
  const lands = unitLands(state, unit)
  // Work inherited from another task (`from`) lands too.
  const work = commit ?? (task.from === undefined ? null : (record(state, index).history.at(-1)?.base ?? null))
  if (work && (task.land || !lands)) mine.head = work
  mine.next++
  // A task that passes is landing only for a moment; a member of an epic, until the rest of the epic is done.
  moveTask(state, index, { status: 'landing', commit })
  if (mine.next < unit.members.length) {
    if (stoppedForGood(state)) settle(state, unit.index, index, stoppedState(state, at))
    else park(state, unit)
  } else if (lands && mine.head && state.stop === 'cancel' && state.limits.landing.verify)
    settle(state, unit.index, index, stoppedState(state, at))
  else if (lands && mine.head) queueForLanding(state, unit)
  else settle(state, unit.index, index, { status: 'passed', at })
}

/** Queues the task again without a delay: the end was not its fault. */
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

function failed(
  state: RunState,
  unit: Unit,
  index: number,
  failure: Failure,
  { at, summary }: EventOf<'attempt.finished'>,
): void {
  const { id } = taskAt(state.graph, index)
  const again = startsOver(state, unit) ? unit.members : [index]
  const isUsedUp = useUpTry(state, again)
  // An agent that says it is done would say so again. After an empty answer, another try may help.
  const isFinal = FINAL.has(failure.reason) || (failure.reason === 'no-change' && Boolean(summary?.trim()))
  if (isUsedUp || isFinal || stoppedForGood(state)) {
    settle(state, unit.index, index, { status: 'failed', failure, at })
    if (state.limits.strict && !REFUSED.has(failure.reason)) stopStrictly(state, id, at)
    return
  }
  const retryAt = at + backoffMs(state.limits.backoff, state.seed, id, record(state, index).failedTries)
  if (again.length > 1) Object.assign(unitState(state, unit.index), { next: 0, head: null })
  for (const member of again) moveTask(state, member, { status: 'pending', retryAt })
  giveBack(state, unit)
  delay(state, unit, retryAt)
}

/** Counts a failed try of each of these tasks, or a refused landing; true: one of them has no retry left. */
export function useUpTry(state: RunState, members: readonly number[]): boolean {
  for (const member of members) record(state, member).failedTries++
  return members.some((member) => record(state, member).failedTries > retriesOf(state, member))
}

function unitLands({ graph }: RunState, { members }: Unit): boolean {
  return members.some((member) => taskAt(graph, member).land)
}

/** True for tasks that share a worktree and do not land: they start over together, as the cause may be another task's change. */
function startsOver(state: RunState, unit: Unit): boolean {
  return unit.members.length > 1 && !unitLands(state, unit)
}
/** Failures that another try would repeat. */
const FINAL: ReadonlySet<Failure['reason']> = new Set(['agent-blocked', 'gate-failed', 'tampered'])
/** Outcomes of a search that reject an idea; they do not stop a strict run. */
const REFUSED: ReadonlySet<Failure['reason']> = new Set(['gate-failed', 'tampered'])

function outOfMoney(state: RunState, unit: Unit, index: number, failure: Failure, at: number): void {
  const budget = ownBudgetUsedUp(state, index)
  const why = budget ? `${budgetName(budget)} ($${budget.budgetUsd}) has no room for another try` : ''
  const [first = '', ...more] = failure.message.split('\n')
  const message = failure.reason === 'budget' ? failure.message : [`${first} (${why})`, ...more].join('\n')
  const reason = failure.reason === 'interrupted' ? 'budget' : failure.reason
  settle(state, unit.index, index, { status: 'failed', failure: { ...failure, reason, message }, at })
  if (state.limits.strict) stopStrictly(state, taskAt(state.graph, index).id, at)
}

function backoffMs(limits: { initialMs: number; maxMs: number }, seed: number, task: string, failures: number): number {
  const full = Math.min(limits.maxMs, limits.initialMs * 2 ** Math.min(failures - 1, 30))
  return Math.round(full * (0.5 + 0.5 * fraction(seed, `${task}#${failures}`)))
}

/** A number in [0, 1) that depends on nothing but its arguments (FNV-1a, then a finalizer that mixes all bits). */
function fraction(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
