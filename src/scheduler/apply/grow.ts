// A plan that grows while its run goes on. Graph, waves, budgets and queues grow in place. Part of `apply`.
//
// Properties
// - It costs what is new, times the logarithm of what is there: nothing that was there is gone through or changed.
// - New tasks wait for each other and for those that were there, whatever these have come to; never the other way round.
//   So no decision that was made would have been made in another way.
// - A new task whose need came to rest without success is blocked at once, by the name of that (I15).
// - Where new tasks stand in the order of dispatch follows from the events alone (I14): see `measureUnits` in graph.ts.
import type { EventOf } from '../../event.ts'
import { growLedger } from '../budgets/ledger.ts'
import { growGraph, topologicalOrder, unitAt } from '../graph.ts'
import { newTaskRecord, newUnitState, type RunState } from '../state.ts'
import { advanceWave, enter } from './transitions.ts'

/** The journal has only what `checkAdded` let through. */
export function grow(state: RunState, event: EventOf<'tasks.added'>): void {
  const { graph, counts } = state
  const first = graph.units.length
  const added = growGraph(graph, event)
  for (const _ of event.tasks) {
    // Searches show all queued tasks, so the views of new ones are written at once.
    if (state.kind === 'search') state.changed.add(state.tasks.length)
    state.tasks.push(newTaskRecord(event.at))
  }
  for (const unit of added) state.units.push(newUnitState(unit))
  counts.total += event.tasks.length
  counts.pending += event.tasks.length
  growLedger(state.ledger, event)
  state.waves?.place(added)
  // Needs first: what is blocked blocks those after it.
  for (const index of topologicalOrder(graph, first)) enter(state, unitAt(graph, index), event.at)
  advanceWave(state)
}
