// Work that does not merge with what has landed and waits for a person. Part of `apply`.
//
// It holds no slot, and it keeps its claims: until it has landed or was given up nobody else may change what it
// changes (I5), or a resolution would conflict again with what was done meanwhile. So everything that claims the same
// paths or needs it waits too; the rest of the run goes on, and then the run rests until somebody answers.
import type { EventOf } from '../../event.ts'
import { moveTask, queueForLanding } from '../apply/transitions.ts'
import { taskAt, type Unit } from '../graph.ts'
import { indexOf, type RunState, record, unitState } from '../state.ts'

export function waitForPerson(
  state: RunState,
  unit: Unit,
  conflict: { commit: string; onto: string },
  { failure, at }: EventOf<'landing.refused'>,
): RunState {
  const { commit, onto } = conflict
  Object.assign(unitState(state, unit.index), { status: 'conflict', resolves: { commit, onto } })
  for (const member of unit.members) moveTask(state, member, { status: 'conflict', failure, since: at })
  return state
}

/** True if it resolves the current conflict, not an earlier one of the same task. */
export function isAnswer(state: RunState, { task, conflict }: { task: string; conflict: string }): boolean {
  const { status, resolves } = unitState(state, state.graph.unitOf[indexOf(state, task)] as number)
  return status === 'conflict' && resolves?.commit === conflict
}

export function takeResolution(
  state: RunState,
  unit: Unit,
  commit: string,
  diff: EventOf<'task.resolved'>['diff'],
): void {
  unitState(state, unit.index).head = commit
  for (const member of unit.members)
    moveTask(state, member, { status: 'landing', commit: record(state, member).history.at(-1)?.commit ?? null })
  const worked = unit.members.findLast((member) => {
    return taskAt(state.graph, member).land && record(state, member).history.at(-1)?.commit
  })
  const attempt = record(state, worked ?? -1)?.history.at(-1)
  if (attempt) Object.assign(attempt, { commit, diff: diff ?? attempt.diff })
  queueForLanding(state, unit)
}
