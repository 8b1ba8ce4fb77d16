// The state transitions that `apply` consists of: each keeps counts, claims, slots and queues consistent.

import type { Failure, TakenResources } from '../../event.ts'
import { isDone, isOver } from '../../status.ts'
import { agentsOf } from '../../task.ts'
import type { Worker } from '../dispatch/workers.ts'
import { taskAt, type Unit, unitAt } from '../graph.ts'
import { nextTask, READY, type RunState, record, type TaskState, unitState } from '../state.ts'

type Ended = Extract<TaskState, { status: 'passed' | 'failed' | 'blocked' | 'cancelled' }>

export function moveTask(state: RunState, index: number, next: TaskState): void {
  const task = record(state, index)
  state.counts[task.state.status]--
  state.counts[next.status]++
  task.state = next
  state.changed.add(index)
}

/** Lets a unit start as soon as its wave, slot and claims allow: its needs are met, or its delay is over. */
export function admit(state: RunState, unit: Unit): void {
  const mine = unitState(state, unit.index)
  const { waves } = state
  // A started unit continues, even if a changed plan has put it into a later wave.
  if (waves && mine.slot === null && mine.next === 0 && (waves.of[unit.index] as number) > waves.current) {
    mine.status = 'waiting'
    waves.later[waves.of[unit.index] as number]?.push(unit)
    return
  }
  moveTask(state, nextTask(state, unit), READY)
  // A half-done unit that lost its worker has claims but no slot.
  if (mine.slot !== null || mine.next > 0) {
    mine.status = 'continuing'
    state.continuing.add(unit.index)
  } else {
    mine.status = 'ready'
    enqueue(state, unit)
  }
}

/** Adds a new unit to a state, after all units it waits for. `at`: time of a block; default: the time at which its need ended. */
export function enter(state: RunState, unit: Unit, at?: number): void {
  const mine = unitState(state, unit.index)
  const isOver = (other: number) => unitState(state, other).status === 'settled'
  const bad = unit.needs.find((need) => isOver(need) && !succeededUnit(state, unitAt(state.graph, need)))
  mine.waitingFor = [...unit.needs, ...unit.after].filter((other) => !isOver(other)).length
  if (bad !== undefined) block(state, unit.index, unitAt(state.graph, bad), at)
  else if (mine.waitingFor === 0) edgesSatisfied(state, unit)
}

/** Admits a unit without open edges. One that was tried before may still have a delay, if a new plan changed its needs. */
function edgesSatisfied(state: RunState, unit: Unit): void {
  const next = record(state, nextTask(state, unit)).state
  if (next.status === 'pending' && next.retryAt !== null) delay(state, unit, next.retryAt)
  else admit(state, unit)
}

export function delay(state: RunState, unit: Unit, until: number): void {
  Object.assign(unitState(state, unit.index), { status: 'delayed', delayedUntil: until })
  state.delayed.push({ at: until, unit: unit.index })
}

export function enqueue(state: RunState, unit: Unit): void {
  state.ready.push(unit, unit.group, agentsOf(taskAt(state.graph, nextTask(state, unit)).work))
}

/** Takes all claims of a unit at once (no hold-and-wait, so no deadlock), until it has landed or was ejected. */
export function takeClaims(state: RunState, unit: Unit): void {
  if (unit.claims.length > 0 && !state.claims.holds(unit.index)) state.claims.hold(unit.index, unit.claims)
}

function letGo(state: RunState, unit: Unit): void {
  if (!state.claims.holds(unit.index)) return
  state.claims.release(unit.index)
  unitState(state, unit.index).extended = []
  state.ready.released(unit.index)
}

export function occupySlot(
  state: RunState,
  unit: Unit,
  { worker: name, slot, resources }: { worker: string; slot: number; resources?: TakenResources | null | undefined },
): void {
  const mine = unitState(state, unit.index)
  if (mine.slot === slot && mine.worker === name) return
  Object.assign(mine, { slot, worker: name, resources: resources ?? null })
  state.workers.occupy(workerNamed(state, name), slot, unit.index, mine.resources)
  if (unit.group !== '') state.perEpic.set(unit.group, (state.perEpic.get(unit.group) ?? 0) + 1)
}

export function beginRunning(state: RunState, unit: Unit, task: number): void {
  state.running.add(task)
  state.workers.countRunning(workerOf(state, unit), 1)
}

export function endRunning(state: RunState, unit: Unit, task: number): void {
  if (state.running.delete(task)) state.workers.countRunning(workerOf(state, unit), -1)
  state.lost.delete(task)
}

function workerOf(state: RunState, unit: Unit): Worker {
  return workerNamed(state, unitState(state, unit.index).worker ?? '')
}

function workerNamed({ workers }: RunState, name: string): Worker {
  const worker = workers.named(name)
  if (!worker) throw new Error(`the journal names a worker that never joined: ${name}`)
  return worker
}

/** Gives up the reserved slot: the interrupted work continues now, or never will. */
export function wantsNoSlot({ wantedSlots }: RunState, unit: number): void {
  for (const [slot, waiting] of wantedSlots) if (waiting === unit) wantedSlots.delete(slot)
}

export function freeSlot(state: RunState, unit: Unit): void {
  const mine = unitState(state, unit.index)
  if (mine.slot === null) return
  state.workers.vacate(workerOf(state, unit), mine.slot, unit.index, mine.resources)
  Object.assign(mine, { slot: null, worker: null, resources: null })
  if (unit.group !== '') state.perEpic.set(unit.group, (state.perEpic.get(unit.group) ?? 0) - 1)
}

/** Frees a unit, unless it is a half-done epic: that keeps worktree and claims, because its work has not landed yet (I5). */
export function giveBack(state: RunState, unit: Unit): void {
  if (unitState(state, unit.index).next > 0) return
  letGo(state, unit)
  freeSlot(state, unit)
}

/** Queues a unit for landing. Its work is safe in a commit, so its slot is freed; its claims stay until it has landed. */
export function queueForLanding(state: RunState, unit: Unit): void {
  freeSlot(state, unit)
  unitState(state, unit.index).status = 'landing'
  state.landingQueue.add(unit.index)
}

/** Removes a unit from the landing queue. Items merged on top of it are merged again. */
function leaveLandingQueue(state: RunState, unit: number): void {
  state.landingQueue.delete(unit)
  const index = state.batch.items.findIndex((item) => item.unit === unit)
  if (index !== -1) shortenBatch(state, index)
}

export function shortenBatch(state: RunState, keep: number): void {
  for (const { unit } of state.batch.items.splice(keep)) waitAgain(state, unit)
  state.batch.deferred.clear()
}

/** Returns a unit to the landing queue, unless it was settled meanwhile. */
export function waitAgain(state: RunState, unit: number): void {
  if (unitState(state, unit).status === 'landing') state.landingQueue.add(unit)
}

/** Settles a unit. `task` and `end`: the member that decided the outcome, and how; null: all members have been moved already. */
export function settle(state: RunState, unit: number, task: number | null, end: Ended | null): void {
  const node = state.graph.units[unit] as Unit
  if (task !== null && end !== null) {
    moveTask(state, task, end)
    endUnit(
      state,
      node,
      end.status === 'passed' ? end : { ...end, status: 'blocked', failure: epicFailure(state, task) },
    )
  } else endUnit(state, node, null)
  tellOthers(state, unit)
  advanceWave(state)
}

function tellOthers(state: RunState, unit: number): void {
  const stack = [unit]
  while (stack.length > 0) {
    const done = state.graph.units[stack.pop() as number] as Unit
    const good = succeededUnit(state, done)
    for (const next of done.dependents) {
      if (unitState(state, next).status === 'settled') continue
      if (good) edgeSatisfied(state, next)
      else if (!underWay(state, next)) {
        block(state, next, done)
        stack.push(next)
      }
    }
    for (const next of done.followers) edgeSatisfied(state, next)
  }
}

export function advanceWave(state: RunState): void {
  const { waves } = state
  if (!waves) return
  while (waves.current < waves.open.length - 1 && waves.open[waves.current] === 0) {
    waves.current++
    const admitted = waves.later[waves.current] ?? []
    waves.later[waves.current] = []
    for (const { index } of admitted)
      if (unitState(state, index).status === 'waiting') admit(state, unitAt(state.graph, index))
  }
}

/** Frees everything that a unit holds; its open members end as `others` says. Does not update other units: see `settle`. */
export function endUnit(state: RunState, unit: Unit, others: Ended | null): void {
  const mine = unitState(state, unit.index)
  if (mine.status === 'settled') return
  mine.status = 'settled'
  state.ready.withdraw(unit.index)
  state.continuing.delete(unit.index)
  leaveLandingQueue(state, unit.index)
  freeSlot(state, unit)
  wantsNoSlot(state, unit.index)
  letGo(state, unit)
  state.waves?.settled(unit)
  if (others === null) return
  for (const member of unit.members) if (!isOver(record(state, member).state.status)) moveTask(state, member, others)
}

function epicFailure(state: RunState, task: number): Failure {
  const cause = taskAt(state.graph, task).id
  return { reason: 'epic-failed', message: `lands together with ${cause}, which did not succeed`, cause }
}

function underWay(state: RunState, unit: number): boolean {
  const { status } = unitState(state, unit)
  return status === 'running' || status === 'landing' || status === 'conflict'
}

/** Blocks a unit. `since`: time of the block; default: the time at which `because` was settled. */
function block(state: RunState, unit: number, because: Unit, since?: number): void {
  const culprit = because.members.find((member) => !isDone(record(state, member).state.status)) ?? because.members[0]
  const origin = record(state, culprit as number).state
  const named = taskAt(state.graph, culprit as number).id
  const cause = origin.status === 'blocked' ? (origin.failure.cause ?? named) : named
  const at = since ?? ('at' in origin ? origin.at : 0)
  const why = cause === named ? 'which did not succeed' : `which was blocked by ${cause}`
  const failure: Failure = { reason: 'need-failed', message: `needs ${named}, ${why}`, cause }
  endUnit(state, state.graph.units[unit] as Unit, { status: 'blocked', failure, at })
}

function edgeSatisfied(state: RunState, unit: number): void {
  const mine = unitState(state, unit)
  if (mine.status !== 'waiting') return
  mine.waitingFor--
  if (mine.waitingFor === 0) edgesSatisfied(state, state.graph.units[unit] as Unit)
}

function succeededUnit(state: RunState, unit: Unit): boolean {
  return unit.members.every((member) => isDone(record(state, member).state.status))
}
