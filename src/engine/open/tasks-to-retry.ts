// The tasks that `espalier retry` tries again, or why there are none.

import { ok, type Result, refuse } from '../../problem.ts'
import { reopenable, startable } from '../../scheduler/apply/reopen.ts'
import { taskAt, unitAt } from '../../scheduler/graph.ts'
import { indexOf, type RunState, record } from '../../scheduler/state.ts'
import { isResumable } from '../../scheduler/view.ts'
import { isBad } from '../../status.ts'
import { nameList } from '../../text/name-list.ts'

type Reopening = {
  run: string
  wanted: 'all' | readonly string[]
  /** Tasks that other runs have landed since, with the run: they are retried only if named. */
  since: ReadonlyMap<string, string>
  mayBeNone: boolean
}

export function tasksToReopen(state: RunState, { run, wanted, since, mayBeNone }: Reopening): Result<string[]> {
  const named = wanted === 'all' ? [] : wanted
  const unknown = named.find((task) => !state.graph.taskIndex.has(task))
  if (unknown !== undefined) return refuse(`run ${run} has no task ${unknown}: \`espalier status ${run}\` lists them`)
  // Work that other runs have landed was paid for once.
  const elsewhere = [...since.keys()].filter((task) => !named.includes(task))
  const found = reopenable(state, wanted === 'all' ? null : wanted, elsewhere)
  // Tasks that cannot start stay as they are, unless a changed plan may change their needs.
  const again = wanted === 'all' && !mayBeNone ? startable(state, found) : found
  const other = named.find((task) => !again.includes(task))
  if (other !== undefined) {
    const { status } = record(state, indexOf(state, other)).state
    return refuse(`${other} is ${status}: only what failed, was blocked or cancelled can be tried again`)
  }
  if (again.length === 0 && !mayBeNone)
    return refuse(found.length > 0 ? stuckText(state, run, since, new Set(found)) : nothingToReopen(state, run, since))
  for (const task of named) {
    const lacks = lackingNeed(state, task, new Set(again))
    if (lacks !== null)
      return refuse(
        `${task} needs ${lacks}, which did not succeed either: ${retryOf(state, run, named)} tries them together`,
      )
  }
  return ok(again)
}

function nothingToReopen(state: RunState, run: string, since: Reopening['since']): string {
  const done = Map.groupBy(reopenable(state, null), (task) => since.get(task))
  done.delete(undefined)
  const landed = [...done].map(([other, tasks]) => `${nameList(tasks, NAMES_WIDTH)} landed in run ${other} since`)
  if (landed.length > 0) return `nothing of run ${run} is left to try again: ${landed.join(', ')}`
  const goOn = isResumable(state) ? `; it is not finished: \`espalier resume ${run}\` continues it` : ''
  return `nothing to retry: no task of run ${run} failed, was blocked or cancelled${goOn}`
}

function stuckText(state: RunState, run: string, since: Reopening['since'], stuck: ReadonlySet<string>): string {
  const { task, need } = firstStuck(state, stuck)
  const { state: current } = record(state, indexOf(state, need))
  const other = since.get(need)
  const told = 'failure' in current ? current.failure.message : current.status
  const why = other === undefined ? told : landedSince(other)
  const ways = `${retryOf(state, run, [need])} does ${need} here, too; a new run of the plan file continues from what is done`
  return `nothing of run ${run} can be tried again: ${task} needs ${need}, which is not done here, because ${why}. ${ways}`
}

/** The command that retries these tasks. It names every failed task they need, so it is not refused. */
function retryOf(state: RunState, run: string, tasks: readonly string[]): string {
  const { graph } = state
  const bad = graph.units.filter(({ members }) => members.some((member) => isBad(record(state, member).state.status)))
  const needs = Map.groupBy(
    bad.flatMap(({ index, dependents }) => dependents.map((dependent) => ({ index, dependent }))),
    ({ dependent }) => dependent,
  )
  const found = new Set(tasks.map((task) => graph.unitOf[indexOf(state, task)] as number))
  // A set also iterates over members that are added meanwhile.
  for (const unit of found) for (const { index } of needs.get(unit) ?? []) found.add(index)
  const members = [...found].flatMap((unit) => unitAt(graph, unit).members).sort((a, b) => a - b)
  if (members.length > NAMED) return `\`espalier retry TASK… --run ${run}\` with the names of all ${members.length}`
  return `\`espalier retry ${members.map((member) => taskAt(graph, member).id).join(' ')} --run ${run}\``
}

function firstStuck(state: RunState, stuck: ReadonlySet<string>): { task: string; need: string } {
  for (const task of stuck) {
    const need = lackingNeed(state, task, stuck)
    if (need !== null) return { task, need }
  }
  throw new Error('what could be tried again lacks nothing, and is not tried again')
}

const NAMES_WIDTH = 120
const NAMED = 12

export function landedSince(other: string): string {
  return `run ${other} has landed it since`
}

function lackingNeed(state: RunState, task: string, again: ReadonlySet<string>): string | null {
  const unit = unitAt(state.graph, state.graph.unitOf[indexOf(state, task)] as number)
  const blockers = state.graph.units.filter(({ dependents }) => dependents.includes(unit.index))
  const members = blockers.flatMap((blocker) => blocker.members).map((member) => taskAt(state.graph, member).id)
  return members.find((id) => !again.has(id) && reopenable(state, [id]).length > 0) ?? null
}
