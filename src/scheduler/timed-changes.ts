// Changes that follow from the events and the time without an event: units become ready after a delay, pauses and people's
// holds expire, deadlines of ended attempts are forgotten. After a restart the same changes follow from the same events. Besides
// the order of its queues and the idle slots, `decide` changes nothing else in a state.
import { admit } from './apply/transitions.ts'
import { endHolds } from './claims/held-by-people.ts'
import { endPauses } from './dispatch/pauses.ts'
import type { Unit } from './graph.ts'
import { type RunState, record, unitState } from './state.ts'

export function takeDue(state: RunState, now: number): void {
  admitDelayed(state, now)
  endPauses(state, now)
  endHolds(state, now)
}

export function dropPastDeadlines(state: RunState): void {
  for (;;) {
    const next = state.deadlines.peek()
    if (!next) return
    const task = record(state, next.task).state
    if (task.status === 'running' && task.attempt === next.attempt && !task.stopping) return
    state.deadlines.pop()
  }
}

/** Skips entries whose time is not the unit's current one: they are left from an earlier wait. */
function admitDelayed(state: RunState, now: number): void {
  for (let due = state.delayed.peek(); due && due.at <= now; due = state.delayed.peek()) {
    state.delayed.pop()
    const { status, delayedUntil } = unitState(state, due.unit)
    if (status === 'delayed' && delayedUntil === due.at) admit(state, state.graph.units[due.unit] as Unit)
  }
}
