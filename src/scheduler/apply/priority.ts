// Another priority for a task of a run that is going on. Part of `apply`.
//
// Queues are ordered by what units say of themselves, so a unit that is in one is never changed: another takes its place in the
// graph, and the queues, which know it by its index, take that one. What has started, and who lands first, is as it was.
import type { EventOf } from '../../event.ts'
import { type Unit, unitAt } from '../graph.ts'
import { indexOf, type RunState, record, unitState } from '../state.ts'
import { enqueue } from './transitions.ts'

export function changePriority(state: RunState, event: EventOf<'priority.changed'>): void {
  const index = indexOf(state, event.task)
  record(state, index).priority = event.priority
  state.changed.add(index)
  const before = unitAt(state.graph, state.graph.unitOf[index] as number)
  const after: Unit = { ...before, priority: highest(state, before) }
  if (after.priority === before.priority) return
  state.graph.units[before.index] = after
  if (unitState(state, before.index).status !== 'ready') return
  // Where no budget has room for it, it is set aside again as soon as it comes up.
  for (const units of state.ledger.setAside.values()) units.remove(before)
  enqueue(state, after)
}

/** Applies priorities set by people to a new state whose queues are still empty. */
export function keepPriorities(state: RunState): void {
  for (const [index, { priority }] of state.tasks.entries()) {
    if (priority === null) continue
    const unit = unitAt(state.graph, state.graph.unitOf[index] as number)
    unit.priority = highest(state, unit)
  }
}

function highest({ graph, tasks }: RunState, { members }: Unit): number {
  const priorities = members.map((member) => tasks[member]?.priority ?? graph.tasks[member]?.priority ?? 0)
  return priorities.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY)
}
