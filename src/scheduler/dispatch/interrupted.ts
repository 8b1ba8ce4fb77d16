// Work that was interrupted by a limit, an overload, a crash, a budget, or a person who stopped the run. The next attempt
// continues it, from the same base, and on the same worker and in the same slot if these are free: an agent finds its
// conversation only on its former machine, and sometimes only in its former worktree. Other units take another slot
// while one is free.
//
// Properties
// - Only work of an agent with a prompt is continued: a shell command that runs again needs its original files.
// - The base is that of the interrupted attempt, so it has all that the task needs (I4); later landings are merged when the
//   work lands, as with any attempt that took as long.

import type { Failure } from '../../event.ts'
import { INTERRUPTIONS } from '../../failure.ts'
import type { AttemptView } from '../../view.ts'
import { taskAt, type Unit } from '../graph.ts'
import { type RunState, record, unitState } from '../state.ts'
import type { Worker } from './workers.ts'

/** Records whether the next attempt continues the one that ended. */
export function noteInterruption(state: RunState, unit: Unit, index: number, failure: Failure | null): void {
  const task = record(state, index)
  const last = task.history.at(-1)
  const isInterrupted = failure !== null && INTERRUPTIONS.has(failure.reason)
  const hasBegun = Boolean(last?.commit || last?.session)
  const continues = isInterrupted && hasBegun && taskAt(state.graph, index).work.kind === 'prompt'
  task.continues = continues && last ? last.attempt : null
  if (continues && last && unit.members.length === 1) state.wantedSlots.set(slotKey(last), unit.index)
}

/** The attempt that this task's next one continues; null: it begins anew. */
export function interruptedAttempt(state: RunState, unit: Unit, index: number): AttemptView | null {
  const { continues, history } = record(state, index)
  const found = continues === null ? undefined : history.find(({ attempt }) => attempt === continues)
  if (!found) return null
  const { head, resolves } = unitState(state, unit.index)
  const begun = head ?? resolves?.commit ?? null
  return begun === null || begun === found.base ? found : null
}

/**
 * Chooses the unit's own slot, else that of the interrupted work if it is free, else one of the worker with the most room.
 * Null: no worker has room.
 */
export function placeFor(
  state: RunState,
  unit: Unit,
  interrupted: AttemptView | null,
): { worker: Worker; slot: number } | null {
  const { workers } = state
  const mine = unitState(state, unit.index)
  const own = mine.worker === null ? undefined : workers.named(mine.worker)
  if (own && mine.slot !== null) return { worker: own, slot: mine.slot }
  const before = interrupted && workers.named(interrupted.worker)
  const worker = before && workers.hasRoom(before, unit.requires) ? before : workers.best(unit.requires)
  return worker && { worker, slot: slotFor(state, unit, worker, worker === before ? interrupted : null) }
}

/**
 * Chooses a free slot: that of the interrupted work, else the lowest that no other unit has reserved, else the lowest.
 */
function slotFor({ wantedSlots }: RunState, unit: Unit, worker: Worker, interrupted: AttemptView | null): number {
  const { slots, count, name } = worker
  const isFree = (slot: number) => (slots[slot - 1] ?? null) === null
  if (interrupted && interrupted.slot <= count && isFree(interrupted.slot)) return interrupted.slot
  const isForOthers = (slot: number) => (wantedSlots.get(slotKey({ worker: name, slot })) ?? unit.index) !== unit.index
  let lowest: number | null = null
  for (let slot = 1; slot <= count || lowest === null; slot++) {
    if (!isFree(slot)) continue
    if (slot <= count && !isForOthers(slot)) return slot
    lowest ??= slot
  }
  return lowest
}

export function slotKey({ worker, slot }: { worker: string; slot: number }): string {
  return `${worker} ${slot}`
}
