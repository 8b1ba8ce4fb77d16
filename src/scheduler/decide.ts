// `decide(state, now)`: the next fact to make true, or null. Called again after each one was applied, until there is
// none left; the engine then writes all of them to the journal in one transaction and carries them out. Recovery does
// the same after reading the journal again. No clock, no randomness, no I/O. It changes the state only where no event
// is needed: due changes (timed-changes.ts), and units set aside for lack of money (scheduler/budgets/affordable.ts).

import { LIMITS } from '../config.ts'
import type { Fact, Failure, StopReason } from '../event.ts'
import { endedWithoutWork } from '../outcome-of-failure.ts'
import { LOCAL } from '../status.ts'
import { droppedCount } from './apply/reopen.ts'
import { isRunUsedUp, newlyReached, overspent } from './budgets/accounts.ts'
import { bestAffordable, holdingBudgets, idleSlots, isTooDear } from './budgets/affordable.ts'
import { declaredFirst, waitsForOthers } from './claims/gained.ts'
import { heldByPeople, holdEnds } from './claims/held-by-people.ts'
import { interruptedAttempt, placeFor } from './dispatch/interrupted.ts'
import { chooseAgent, pauseEnds, waitsForLogin } from './dispatch/pauses.ts'
import { ANYWHERE } from './dispatch/workers.ts'
import { taskAt, type Unit } from './graph.ts'
import { batchSize, culprit, firstBad, goodPart, isNeedless, nextToVerify } from './landing/batch.ts'
import {
  commitOf,
  continuingUnits,
  nextTask,
  type RunState,
  readyUnits,
  record,
  type UnitState,
  unitState,
} from './state.ts'
import { dropPastDeadlines, takeDue } from './timed-changes.ts'

/** The facts that `decide` decides; the engine writes them, then performs each by its type (engine/run/performer.ts). */
export type Decided = Extract<
  Fact,
  {
    type:
      | 'attempt.started'
      | 'attempt.stopping'
      | 'attempt.finished'
      | 'landing.started'
      | 'landing.verifying'
      | 'landing.halting'
      | 'landing.moving'
      | 'landing.refused'
      | 'budget.reached'
      | 'run.finished'
  }
>

export function decide(state: RunState, now: number): Decided | null {
  if (state.finished) return null
  // First, or what is decided about landing would depend on whether this engine has decided before (I14).
  if (state.stop === null) takeDue(state, now)
  return reach(state) ?? lose(state) ?? stop(state, now) ?? land(state) ?? start(state, now) ?? finish(state, now)
}

/** Time of the next change that no event announces; null if there is none. */
export function nextWake(state: RunState): number | null {
  dropPastDeadlines(state)
  const waits = state.stop === null ? [state.delayed.peek()?.at, ...pauseEnds(state), ...holdEnds(state)] : []
  const times = [state.deadlines.peek()?.at, ...waits, givesUpAt(state) ?? undefined]
  const due = times.filter((at) => at !== undefined)
  return due.length > 0 ? Math.min(...due) : null
}

function reach(state: RunState): Decided | null {
  const reached = newlyReached(state)
  return reached && { type: 'budget.reached', ...reached }
}

/** Ends attempts of lost workers, in plan order: the order in which they were recorded depends on slots. */
function lose(state: RunState): Decided | null {
  if (state.lost.size === 0) return null
  const task = Math.min(...state.lost.keys())
  const { attempt, worker, why } = state.lost.get(task) as { attempt: number; worker: string; why: string }
  const failure: Failure = { reason: 'worker-lost', message: `its worker ${worker} was lost: ${why}` }
  return endedWithoutWork({ task: taskAt(state.graph, task).id, attempt }, failure)
}

function stop(state: RunState, now: number): Decided | null {
  dropPastDeadlines(state)
  const due = state.deadlines.peek()
  if (due && due.at <= now) return stopTask(state, due.task, 'timeout')
  for (const task of state.cancelling) if (!isStopping(state, task)) return stopTask(state, task, 'cancelled')
  if (state.stop === null) {
    const tooDear = overspent(state)
    return stopStalled(state) ?? (tooDear === null ? null : stopTask(state, tooDear, 'budget'))
  }
  const reason = ({ interrupt: 'interrupted', cancel: 'cancelled', strict: 'strict-stop' } as const)[state.stop]
  for (const task of state.running) if (!isStopping(state, task)) return stopTask(state, task, reason)
  return null
}

function stopStalled(state: RunState): Decided | null {
  if (state.limits.onStall !== 'retry') return null
  for (const task of state.running) {
    const { state: current } = record(state, task)
    if (current.status === 'running' && current.stalledSince !== null && !current.stopping)
      return stopTask(state, task, 'stalled')
  }
  return null
}

function stopTask(state: RunState, task: number, reason: StopReason): Decided {
  const { id } = taskAt(state.graph, task)
  const attempt = record(state, task).history.at(-1)?.attempt ?? 0
  return { type: 'attempt.stopping', task: id, attempt, reason }
}

function isStopping(state: RunState, task: number): boolean {
  const { state: current } = record(state, task)
  return current.status !== 'running' || current.stopping !== null
}

function land(state: RunState): Decided | null {
  return halt(state) ?? move(state) ?? eject(state) ?? verify(state) ?? build(state)
}

function halt({ batch, limits, stop }: RunState): Decided | null {
  const ends = stop === 'interrupt' || stop === 'cancel'
  const found = batch.verifications.find((one) => !one.halting && (ends || isNeedless(batch, limits.landing, one)))
  return found ? { type: 'landing.halting', verification: found.number } : null
}

function move(state: RunState): Decided | null {
  const { batch, limits, head } = state
  if (batch.moving !== null) return null
  const last = batch.items.slice(0, goodPart(batch, limits.landing)).at(-1)
  return last ? { type: 'landing.moving', commit: last.commit, onto: head } : null
}

function eject(state: RunState): Decided | null {
  const found = culprit(state.batch, state.limits.landing)
  if (!found?.failure) return null
  return {
    type: 'landing.refused',
    tasks: idsOf(state, found.unit),
    onto: state.head,
    failure: found.failure,
    retry: true,
  }
}

function verify(state: RunState): Decided | null {
  const { batch, limits, stop, workers } = state
  if (stop === 'interrupt' || stop === 'cancel') return null
  const idle = [...idleSlots(state).values()].reduce((sum, slots) => sum + slots, 0)
  // More slots may be taken than exist: there are fewer since a resume, or idle epics were replaced by other units.
  const spareSlots = Math.max(0, workers.capacity - workers.atWork.size + idle)
  const next = nextToVerify(batch, limits.landing, spareSlots)
  if (!next) return null
  const worker = workers.forVerification(batch.verifications.map((one) => one.worker)).name
  const taken = new Set(batch.verifications.map((one) => one.slot))
  let slot = 1
  while (taken.has(slot)) slot++
  const part = batch.items.slice(0, batch.items.indexOf(next) + 1)
  const tasks = part.flatMap((item) => idsOf(state, item.unit))
  const where = worker === LOCAL ? { slot } : { worker, slot }
  const verification = batch.lastVerification + 1
  return { type: 'landing.verifying', verification, tasks, commit: next.commit, ...where }
}

/** Starts a batch, in plan order. While a batch is verified without a failure, more units may be added behind it. */
function build(state: RunState): Decided | null {
  const { batch, limits, stop } = state
  const how = limits.landing
  if (batch.building || batch.moving !== null || state.landingQueue.size === 0) return null
  if (how.verify && (stop === 'interrupt' || stop === 'cancel')) return null
  const last = batch.items.at(-1)
  if (last && (batch.verifications.length >= how.window || firstBad(batch, 0) !== -1)) return null
  const waiting = [...state.landingQueue]
    .filter((unit) => !batch.deferred.has(unit) && !waitsForOthers(state, unit))
    .sort(declaredFirst(state))
  if (waiting.length === 0) return null
  const taken = waiting.slice(0, batchSize(batch, waiting.length, how.batch))
  const items = taken.map((unit) => ({ tasks: idsOf(state, unit), commit: unitState(state, unit).head as string }))
  return { type: 'landing.started', items, onto: last?.commit ?? state.head, verify: how.verify }
}

function idsOf({ graph }: RunState, unit: number): string[] {
  return (graph.units[unit] as Unit).members.map((member) => taskAt(graph, member).id)
}

function start(state: RunState, now: number): Decided | null {
  if (state.stop !== null) return null
  const unit = nextUnit(state)
  if (!unit) return null
  const mine = unitState(state, unit.index)
  const index = nextTask(state, unit)
  const task = taskAt(state.graph, index)
  const attempt = (record(state, index).history.at(-1)?.attempt ?? 0) + 1
  const interrupted = interruptedAttempt(state, unit, index)
  const place = placeFor(state, unit, interrupted)
  if (place === null) return null
  const { worker, slot } = place
  const from = task.from === undefined ? null : commitOf(state, task.from)
  const base = interrupted?.base ?? mine.head ?? mine.resolves?.commit ?? from ?? task.base ?? state.head
  const deadline = Math.min(now + (task.timeoutMs ?? state.limits.timeoutMs), unitDeadline(state, unit, now))
  const { uses } = unit.requires
  const resources = uses.length === 0 ? {} : { resources: mine.resources ?? worker.resources.choose(uses) }
  const continues = interrupted ? { continues: interrupted.attempt } : {}
  const agent = chooseAgent(state, task.work)
  const where = { worker: worker.name, slot }
  return {
    type: 'attempt.started',
    task: task.id,
    attempt,
    ...where,
    base,
    deadline,
    ...resources,
    ...agent,
    ...continues,
  }
}

/** Common deadline of tasks that share a worktree, counted from the start of the first. */
function unitDeadline(state: RunState, unit: Unit, now: number): number {
  const { timeoutMs } = (unit.members.length > 1 && state.graph.epics.get(unit.epic ?? '')) || {}
  if (timeoutMs === undefined) return Number.POSITIVE_INFINITY
  const isBegun = unitState(state, unit.index).next > 0
  const first = isBegun ? record(state, unit.members[0] as number).history.at(-1) : undefined
  return (first?.startedAt ?? now) + timeoutMs
}

function nextUnit(state: RunState): Unit | null {
  state.workers.setIdle(idleSlots(state))
  const begun = continuingUnits(state).find(
    (unit) => canGoOn(state, unit) && !isPaused(state, unit) && !isTooDear(state, unit.index),
  )
  if (begun) return begun
  if (state.workers.best(ANYWHERE) === null) return null
  if (waitsForLanding(state)) return null
  const cap = state.limits.maxPerEpic
  const isCapped = (group: string) => cap !== null && group !== '' && (state.perEpic.get(group) ?? 0) >= cap
  return bestAffordable(state, () => state.ready.best(isCapped))
}

/** True if a half-done epic can continue: its slot may be used by another unit, and its worker may be lost. */
function canGoOn({ workers, units }: RunState, unit: Unit): boolean {
  const { worker: name } = units[unit.index] as UnitState
  const worker = name === null ? undefined : workers.named(name)
  return worker ? worker.running < worker.count : workers.best(unit.requires) !== null
}

/** True while a run with one slot lands without verification: its next task has to build on that work. */
function waitsForLanding({ workers, limits, batch }: RunState): boolean {
  return workers.capacity === 1 && !limits.landing.verify && (batch.building !== null || batch.moving !== null)
}

function finish(state: RunState, now: number): Decided | null {
  const { counts, batch } = state
  if (state.running.size > 0 || batch.building || batch.moving !== null || batch.verifications.length > 0) return null
  const open = counts.pending + counts.ready + counts.running + counts.landing
  if (open > 0 && state.stop === 'interrupt') return { type: 'run.finished', status: 'cancelled' }
  const until = givesUpAt(state)
  const isHeldBack = () => until !== null || holdingBudgets(state).length > 0 || someNeedLogin(state)
  const waits = counts.conflict > 0 || (open > 0 && isHeldBack())
  if (waits) return isAtRest(state) && (until ?? now) <= now ? { type: 'run.finished', status: 'waiting' } : null
  if (open > 0) return null
  if (state.stop === 'cancel') return { type: 'run.finished', status: 'cancelled' }
  // Ideas of a search usually fail: the search succeeds if one of them passed.
  if (state.kind === 'search' && state.stop === null && counts.passed > 0)
    return { type: 'run.finished', status: 'completed' }
  const bad = counts.failed + counts.blocked + counts.cancelled - droppedCount(state)
  return { type: 'run.finished', status: bad > 0 ? 'failed' : 'completed' }
}

// The functions below say whether an inactive run is at rest. They look at the units, not the queues: the state of queues depends
// on when they were used, and a restarted engine has to come to the same answer.

/** True if nothing runs, lands or could start, and waiting will not change that: only a person can. */
function isAtRest(state: RunState): boolean {
  if (state.batch.items.length > 0) return false
  return isRunUsedUp(state) || (state.delayed.peek() === undefined && !someWaitForTime(state))
}

/** True while all agents for the unit's next task are paused; a half-done epic keeps its slot meanwhile. */
function isPaused(state: RunState, unit: Unit): boolean {
  return chooseAgent(state, taskAt(state.graph, nextTask(state, unit)).work) === null
}

/** True if a unit with enough budget can start once an agent's pause or a person's hold ends. */
function someWaitForTime(state: RunState): boolean {
  const { paused, holds } = state
  if (paused.size === 0 && holds.size === 0) return false
  const isHeld = heldByPeople(state)
  const waits = (unit: Unit) =>
    (isPaused(state, unit) && !needsLogin(state, unit)) ||
    (unitState(state, unit.index).status === 'ready' && isHeld(unit))
  return openUnits(state).some((unit) => waits(unit) && !isTooDear(state, unit.index))
}

/** Time at which the run stops waiting for a worker that fits the waiting units. Null: no unit waits for one. */
function givesUpAt(state: RunState): number | null {
  const { batch, counts, finished, stop } = state
  if (state.running.size > 0 || finished !== null || stop !== null || counts.ready === 0) return null
  if (batch.building || batch.moving !== null || batch.verifications.length > 0) return null
  if (isRunUsedUp(state) || !isAtRest(state)) return null
  return unplacedUnits(state).length > 0 ? state.lastAt + LIMITS.workerWaitMs : null
}

/** Open units whose requirements are met by no connected machine. */
export function unplacedUnits(state: RunState): Unit[] {
  const served = new Map<string, boolean>()
  return openUnits(state).filter(({ index, requires }) => {
    if (unitState(state, index).slot !== null) return false
    const isServed = served.get(requires.key) ?? state.workers.canServe(requires)
    served.set(requires.key, isServed)
    return !isServed
  })
}

/** True if a unit could start after a login. */
function someNeedLogin(state: RunState): boolean {
  if (![...state.paused.values()].some((pause) => pause.needsLogin)) return false
  return openUnits(state).some((unit) => needsLogin(state, unit))
}

function needsLogin(state: RunState, unit: Unit): boolean {
  return waitsForLogin(state, taskAt(state.graph, nextTask(state, unit)).work)
}

function openUnits(state: RunState): Unit[] {
  return [...continuingUnits(state), ...readyUnits(state)]
}
