// Whether a run in which nothing happens is at rest, or only waits for a time.
//
// Asked of the units themselves and not of the queues: how a queue stands depends on when it was looked at, and an engine
// that begins anew has to come to the same answer.
import { isRunUsedUp } from './budgets/accounts.ts'
import { isTooDear } from './budgets/affordable.ts'
import { heldByPeople } from './claims/holds.ts'
import { chooseAgent } from './dispatch/pauses.ts'
import { taskAt, type Unit } from './graph.ts'
import { continuingUnits, type RunState, unitState } from './state.ts'

/** Nothing runs, lands or could start, and no time will change that: what is open waits for what a person does. */
export function isAtRest(state: RunState): boolean {
  if (state.batch.items.length > 0) return false
  return isRunUsedUp(state) || (state.delayed.peek() === undefined && !someWaitForTime(state))
}

/** The next task of an epic that is half done has its slot, and waits in it while all its agents are paused. */
export function isPaused(state: RunState, unit: Unit): boolean {
  const next = unit.members[unitState(state, unit.index).next]
  return next !== undefined && chooseAgent(state, taskAt(state.graph, next).work) === null
}

/** There is money for something that starts when an agent goes on, or when a person lets go of what they hold. */
function someWaitForTime(state: RunState): boolean {
  const { graph, paused, holds } = state
  if (paused.size === 0 && holds.size === 0) return false
  const isHeld = heldByPeople(state)
  const waits = (unit: Unit) =>
    isPaused(state, unit) || (unitState(state, unit.index).status === 'ready' && isHeld(unit))
  const ready = graph.units.filter(({ index }) => unitState(state, index).status === 'ready')
  const open = [...continuingUnits(state), ...ready]
  return open.some((unit) => waits(unit) && !isTooDear(state, unit.index))
}
