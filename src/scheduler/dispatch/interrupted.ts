// Work that was interrupted: by a limit, an overload, a crash, a budget, or a person who stopped the run. The next attempt
// continues it, from the same base and in the same slot if that is free: some agents find their conversation only in the
// worktree in which they had it. Everybody else takes another slot while there is one.
//
// Properties
// - Only what an agent did with a prompt is continued: a shell command that runs again has to find what it found before.
// - The base is the one the work was begun on, so it has all that the task needs (I4), and what has landed since is merged
//   when the work lands, as with any attempt that took as long.
import { type Failure, INTERRUPTIONS } from '../../failure.ts'
import type { AttemptView } from '../../status.ts'
import { taskAt, type Unit } from '../graph.ts'
import { type RunState, record, unitState } from '../state.ts'

/** An attempt has ended: whether the next one continues it. */
export function noteInterruption(state: RunState, unit: Unit, index: number, failure: Failure | null): void {
  const task = record(state, index)
  const last = task.history.at(-1)
  const isInterrupted = failure !== null && INTERRUPTIONS.has(failure.reason)
  const hasBegun = Boolean(last?.commit || last?.session)
  const continues = isInterrupted && hasBegun && taskAt(state.graph, index).work.kind === 'prompt'
  task.continues = continues && last ? last.attempt : null
  if (continues && last && unit.members.length === 1) state.wantedSlots.set(last.slot, unit.index)
}

/** The attempt that the next one of this task continues; null: it begins anew. */
export function interruptedAttempt(state: RunState, unit: Unit, index: number): AttemptView | null {
  const { continues, history } = record(state, index)
  const found = continues === null ? undefined : history.find(({ attempt }) => attempt === continues)
  if (!found) return null
  const { head, resolves } = unitState(state, unit.index)
  const begun = head ?? resolves?.commit ?? null
  return begun === null || begun === found.base ? found : null
}

/** A slot that is free: the one the work was done in, or the lowest that nobody waits for, or the lowest. */
export function slotFor(state: RunState, unit: Unit, interrupted: AttemptView | null): number {
  const { slots, limits, wantedSlots } = state
  const isFree = (slot: number) => (slots[slot - 1] ?? null) === null
  if (interrupted && interrupted.slot <= limits.slots && isFree(interrupted.slot)) return interrupted.slot
  let lowest: number | null = null
  for (let slot = 1; slot <= Math.max(limits.slots, slots.length + 1); slot++) {
    if (!isFree(slot)) continue
    lowest ??= slot
    if (slot > limits.slots) break
    if ((wantedSlots.get(slot) ?? unit.index) === unit.index) return slot
  }
  return lowest ?? slots.length + 1
}
