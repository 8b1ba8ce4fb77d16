// Changes the priority of a task in a running run. Part of `apply`.
//
// Queues are ordered by properties of their units, so a queued unit is never changed: a copy replaces it in the graph and in the
// queues, which know it by its index. Running units and the order of landing stay as they are.
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
  // If no budget has room for it, it is set aside again when it comes up.
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
