// `decide(state, now)`: the next thing to do, or null. Called again after each decision was applied, until there is
// nothing left; the engine then writes them all to the journal in one transaction and carries them out. Recovery is
// the same, after the journal was read again. No clock, no randomness, no I/O.
import type { StopReason } from '../event.ts'
import { taskAt, type Unit } from './graph.ts'
import { type RunState, record, unitState } from './state.ts'
import { admit } from './transitions.ts'

export type Decision =
  | { kind: 'start'; task: string; attempt: number; slot: number; base: string; deadline: number }
  | { kind: 'stop'; task: string; attempt: number; reason: StopReason }
  | { kind: 'land'; tasks: string[]; commit: string; onto: string }
  | { kind: 'finish'; status: 'completed' | 'failed' | 'cancelled' }

export function decide(state: RunState, now: number): Decision | null {
  if (state.finished) return null
  return stop(state, now) ?? land(state) ?? start(state, now) ?? finish(state)
}

/** When something will be due that no event announces; null if nothing will. */
export function nextWake(state: RunState): number | null {
  dropPastDeadlines(state)
  const times = [state.deadlines.peek()?.at, state.stop === null ? state.delayed.peek()?.at : undefined]
  const due = times.filter((at) => at !== undefined)
  return due.length > 0 ? Math.min(...due) : null
}

function stop(state: RunState, now: number): Decision | null {
  dropPastDeadlines(state)
  const due = state.deadlines.peek()
  if (due && due.at <= now) return stopTask(state, due.task, 'timeout')
  for (const task of state.cancelling) if (!isStopping(state, task)) return stopTask(state, task, 'cancelled')
  if (state.stop === null) return stopStalled(state)
  const reason = ({ interrupt: 'interrupted', cancel: 'cancelled', strict: 'strict-stop' } as const)[state.stop]
  for (const task of state.running) if (!isStopping(state, task)) return stopTask(state, task, reason)
  return null
}

function stopStalled(state: RunState): Decision | null {
  if (state.limits.onStall !== 'retry') return null
  for (const task of state.running) {
    const { state: current } = record(state, task)
    if (current.status === 'running' && current.stalledSince !== null && !current.stopping)
      return stopTask(state, task, 'stalled')
  }
  return null
}

function stopTask(state: RunState, task: number, reason: StopReason): Decision {
  const { id } = taskAt(state.graph, task)
  const attempt = record(state, task).history.at(-1)?.attempt ?? 0
  return { kind: 'stop', task: id, attempt, reason }
}

/** Deadlines of attempts that have ended, or are being ended, mean nothing any more. */
function dropPastDeadlines(state: RunState): void {
  for (;;) {
    const next = state.deadlines.peek()
    if (!next) return
    const task = record(state, next.task).state
    if (task.status === 'running' && task.attempt === next.attempt && !task.stopping) return
    state.deadlines.pop()
  }
}

function isStopping(state: RunState, task: number): boolean {
  const { state: current } = record(state, task)
  return current.status !== 'running' || current.stopping !== null
}

/** One at a time; of those that wait, the first in the plan. */
function land(state: RunState): Decision | null {
  if (state.landing) return null
  for (;;) {
    const index = state.landingQueue.peek()
    if (index === undefined) return null
    const { status, head } = unitState(state, index)
    if (status === 'landing' && head) {
      const tasks = (state.graph.units[index] as Unit).members.map((member) => taskAt(state.graph, member).id)
      return { kind: 'land', tasks, commit: head, onto: state.head }
    }
    state.landingQueue.pop()
  }
}

function start(state: RunState, now: number): Decision | null {
  if (state.stop !== null) return null
  admitDue(state, now)
  const unit = nextUnit(state)
  if (!unit) return null
  const mine = unitState(state, unit.index)
  const index = unit.members[mine.next] as number
  const task = taskAt(state.graph, index)
  const attempt = (record(state, index).history.at(-1)?.attempt ?? 0) + 1
  const slot = mine.slot ?? lowestFree(state)
  return { kind: 'start', task: task.id, attempt, slot, base: mine.head ?? state.head, deadline: now + task.timeoutMs }
}

/**
 * Those whose time has come are ready. No event says so, and none has to: it follows from the events and the time. An
 * entry that is not the unit's own time is of an earlier wait, which a replay knows only from the events.
 */
function admitDue(state: RunState, now: number): void {
  for (let due = state.delayed.peek(); due && due.at <= now; due = state.delayed.peek()) {
    state.delayed.pop()
    const { status, delayedUntil } = unitState(state, due.unit)
    if (status === 'delayed' && delayedUntil === due.at) admit(state, state.graph.units[due.unit] as Unit)
  }
}

function nextUnit(state: RunState): Unit | null {
  const [held] = state.continuing
  if (held !== undefined) return state.graph.units[held] as Unit
  if (state.slotsTaken >= state.limits.slots) return null
  const cap = state.limits.maxPerEpic
  return state.ready.best((group) => cap !== null && group !== '' && (state.perEpic.get(group) ?? 0) >= cap)
}

function lowestFree(state: RunState): number {
  const free = state.slots.indexOf(null)
  return free === -1 ? state.slots.length + 1 : free + 1
}

function finish(state: RunState): Decision | null {
  if (state.running.size > 0 || state.landing || state.landingQueue.size > 0) return null
  const { counts } = state
  const open = counts.pending + counts.ready + counts.running + counts.landing
  if (open > 0) return state.stop === 'interrupt' ? { kind: 'finish', status: 'cancelled' } : null
  if (state.stop === 'cancel') return { kind: 'finish', status: 'cancelled' }
  const bad = counts.failed + counts.blocked + counts.cancelled
  return { kind: 'finish', status: bad > 0 ? 'failed' : 'completed' }
}
