// Retries unsuccessful tasks after a run has ended. A task begins anew with all its tries, on the landed work, unless its last
// attempt was interrupted; its history stays. A shared epic begins anew as a whole, because none of its work has landed.
import { isBad } from '../../status.ts'
import { type Unit, unitAt } from '../graph.ts'
import { newUnitState, type RunState, record, WAITING } from '../state.ts'

/**
 * Tasks that a retry of `wanted` (null: all but `except`) starts again, with the tasks blocked by them and the rest of
 * a shared epic.
 */
export function reopenable(
  state: RunState,
  wanted: readonly string[] | null,
  except: readonly string[] = [],
): string[] {
  const { graph } = state
  const isLeft = (unit: Unit) => isDropped(state, unit) || hasOneOf(state, unit, except)
  const isMeant = (unit: Unit) => (wanted === null ? !isLeft(unit) : hasOneOf(state, unit, wanted))
  const first = graph.units.filter((unit) => didNotSucceed(state, unit) && isMeant(unit))
  const found = new Set(first.map(({ index }) => index))
  // Iterating a set also visits elements added meanwhile.
  for (const index of found)
    for (const dependent of unitAt(graph, index).dependents)
      if (isBlocked(state, unitAt(graph, dependent)) && !isLeft(unitAt(graph, dependent))) found.add(dependent)
  const members = [...found].flatMap((index) => unitAt(graph, index).members)
  return members.sort((a, b) => a - b).map((member) => graph.tasks[member]?.id ?? '')
}

/** Selects tasks whose needs have succeeded or are retried too. */
export function startable(state: RunState, tasks: readonly string[]): string[] {
  const { graph } = state
  const unitOf = (task: string) => graph.unitOf[graph.taskIndex.get(task) ?? -1] ?? -1
  const found = new Set(tasks.map(unitOf))
  const left = graph.units.filter((unit) => didNotSucceed(state, unit) && !found.has(unit.index))
  const stuck = new Set(left.map(({ index }) => index))
  // Iterating a set also visits elements added meanwhile.
  for (const index of stuck)
    for (const dependent of unitAt(graph, index).dependents) if (found.has(dependent)) stuck.add(dependent)
  return tasks.filter((task) => !stuck.has(unitOf(task)))
}

/**
 * Changes the tasks in place; queues and counts stay as before until `replan` makes them anew. `isLost`: their commits are gone,
 * whatever became of them; a run that was stopped stays stopped.
 */
export function reopen(state: RunState, tasks: readonly string[], { isLost = false } = {}): void {
  for (const id of tasks) {
    const index = state.graph.taskIndex.get(id)
    if (index === undefined) continue
    const unit = unitAt(state.graph, state.graph.unitOf[index] as number)
    const { continues } = record(state, index)
    state.units[unit.index] = newUnitState(unit)
    // A task whose budget was used up continues its interrupted work; an epic begins anew as a whole.
    const again = {
      failedTries: 0,
      endsByReason: {},
      continues: unit.members.length === 1 && !isLost ? continues : null,
    }
    Object.assign(record(state, index), { state: WAITING, ...again })
  }
  if (!isLost) Object.assign(state, { stop: null, strictCause: null, finished: null, finishedAt: null })
}

function didNotSucceed(state: RunState, { members }: Unit): boolean {
  return members.some((member) => isBad(record(state, member).state.status))
}

/** True if the plan dropped one of its tasks: such a unit is retried only by name. */
function isDropped(state: RunState, { members }: Unit): boolean {
  return members.some((member) => wasDropped(state, member))
}

function wasDropped(state: RunState, task: number): boolean {
  const { state: current } = record(state, task)
  return current.status === 'cancelled' && current.failure.reason === 'dropped'
}

export function droppedCount(state: RunState): number {
  if (state.counts.cancelled === 0) return 0
  return state.tasks.filter((_, task) => wasDropped(state, task)).length
}

function isBlocked(state: RunState, { members }: Unit): boolean {
  return members.some((member) => record(state, member).state.status === 'blocked')
}

function hasOneOf({ graph }: RunState, { members }: Unit, wanted: readonly string[]): boolean {
  return members.some((member) => wanted.includes(graph.tasks[member]?.id ?? ''))
}
