// A plan that changed during its run. Started tasks keep the text they were started with; the others get their new text; tasks
// that are gone from the plan are forgotten, or cancelled if they were tried before.
import { isBad, isOver } from '../../status.ts'
import type { Plan, Task } from '../../task.ts'
import { addToEpic } from '../budgets/accounts.ts'
import { grantedTo, learnedBefore } from '../claims/gained.ts'
import { addHold } from '../claims/held-by-people.ts'
import { toClaims } from '../claims/overlap.ts'
import { slotKey } from '../dispatch/interrupted.ts'
import { holdsBack } from '../dispatch/pauses.ts'
import { taskAt, topologicalOrder, type Unit, unitAt } from '../graph.ts'
import { countsOf, emptyState, indexOf, type RunState, record, type UnitState, unitState, WAITING } from '../state.ts'
import { keepPriorities } from './priority.ts'
import { advanceWave, beginRunning, delay, enter, occupySlot, takeClaims } from './transitions.ts'
import { carryWorkers } from './worker.ts'

export type PlanDifference = {
  added: string[]
  changed: string[]
  removed: string[]
  tooLate: string[]
  /** Epics whose budget changed; left out if there are none. */
  budgets?: string[]
}

/**
 * Compares the plan with its next version: the difference, and the plan the run would then have. `done`: tasks that the
 * plan file calls done.
 */
export function comparePlan(
  state: RunState,
  next: Plan,
  done: ReadonlySet<string> = new Set(),
): { difference: PlanDifference; plan: Plan } {
  const difference: PlanDifference = { added: [], changed: [], removed: [], tooLate: [] }
  const written = new Set(next.tasks.map((task) => task.id))
  const tasks = next.tasks.map((task): Task => {
    const index = state.graph.taskIndex.get(task.id)
    if (index === undefined) {
      difference.added.push(task.id)
      // Too late to share the worktree of an epic that is under way: the task lands by itself.
      return isEpicUnderWay(state, task) ? { ...task, isolation: 'task' } : task
    }
    const now = state.graph.tasks[index] as Task
    if (textOf(now) === textOf(task)) return now
    const late = isUnderWay(state, index)
    if (textOf(withoutSettled(state, now, { written, done })) === textOf(task)) return late ? now : task
    // A changed budget also applies to a started task.
    const kept = isOver(record(state, index).state.status) ? now : withBudgetOf(now, task)
    const isTooLate = late && (kept === now || textOf(withBudgetOf(now, {})) !== textOf(withBudgetOf(task, {})))
    difference[isTooLate ? 'tooLate' : 'changed'].push(task.id)
    return late ? kept : task
  })
  for (const [index, task] of state.graph.tasks.entries()) {
    if (written.has(task.id)) continue
    const late = isUnderWay(state, index)
    if (!late) difference.removed.push(task.id)
    if (late) tasks.push(task)
    // Tried before: the task stays, without needs, to be shown as cancelled.
    else if (record(state, index).history.length > 0) tasks.push({ ...task, needs: [], after: [], isolation: 'task' })
  }
  const budgets = next.epics.filter(({ id, budgetUsd }) => state.ledger.ofEpic.get(id) !== budgetUsd)
  if (budgets.length > 0) difference.budgets = budgets.map(({ id }) => id)
  return { difference, plan: { ...next, tasks: withoutGone(tasks) } }
}

/** Removes needs that are gone from the plan, so that a finished task that is tried again does not wait for them. */
export function withoutGone(tasks: Task[]): Task[] {
  const ids = new Set(tasks.map(({ id }) => id))
  const isThere = (id: string) => ids.has(id)
  return tasks.map((task) => {
    if (task.needs.every(isThere) && task.after.every(isThere)) return task
    return { ...task, needs: task.needs.filter(isThere), after: task.after.filter(isThere) }
  })
}

/** Removes needs that the new text omits because they are done or gone: that is no edit of the dependent task. */
function withoutSettled(state: RunState, task: Task, { written, done }: Record<'written' | 'done', Ids>): Task {
  const isLeft = (id: string) => {
    const index = state.graph.taskIndex.get(id)
    if (written.has(id) || index === undefined) return true
    const { status } = record(state, index).state
    if (isBad(status) && done.has(id)) return false
    return isUnderWay(state, index) && !SUCCEEDED.has(status)
  }
  return { ...task, needs: task.needs.filter(isLeft), after: task.after.filter(isLeft) }
}

type Ids = ReadonlySet<string>

const SUCCEEDED: Ids = new Set(['landed', 'passed'])

/** The task as JSON, without values that earlier runs filled in; its budget first, wherever that stands among the fields. */
function textOf({ budgetUsd, expected, ...task }: Task): string {
  return JSON.stringify([budgetUsd, task])
}

function withBudgetOf(task: Task, { budgetUsd }: Pick<Task, 'budgetUsd'>): Task {
  const { budgetUsd: _, ...rest } = task
  return budgetUsd === undefined ? rest : { ...rest, budgetUsd }
}

/** The state the run would have if it had had this plan (from `comparePlan`) from the start. */
export function replan(old: RunState, plan: Plan): RunState {
  const { base, branch, head, kind, seed, startedAt, stop, strictCause, usage, finished, finishedAt } = old
  const { lastAt, lastRequest, idleMs, paused, providerTroubles } = old
  const next: RunState = {
    ...emptyState(plan, old.limits),
    ...{ base, branch, head, kind, seed, startedAt, stop, strictCause, usage, finished, finishedAt },
    ...{ lastAt, lastRequest, idleMs, paused, providerTroubles },
  }
  for (const [agent, pause] of next.paused) if (holdsBack(pause)) next.ready.pause(agent)
  for (const hold of old.holds.values()) addHold(next, hold)
  carryWorkers(old, next)
  next.graph.tasks.forEach((task, index) => {
    const before = old.graph.taskIndex.get(task.id)
    if (before !== undefined) {
      const mine = { ...record(old, before) }
      // With another text, or a need that the base of the interrupted work may lack, the task begins anew.
      if (mine.continues !== null && isOther(task, taskAt(old.graph, before))) mine.continues = null
      // An edited priority in the plan replaces one set while it ran.
      if (task.priority !== taskAt(old.graph, before).priority) mine.priority = null
      next.tasks[index] = mine
      const last = mine.continues === null ? undefined : mine.history.at(-1)
      if (last && !isOver(mine.state.status)) next.wantedSlots.set(slotKey(last), next.graph.unitOf[index] as number)
    }
    next.changed.add(index)
  })
  keepPriorities(next)
  carryLedger(old, next)
  const fresh: Unit[] = []
  for (const index of topologicalOrder(next.graph)) {
    const unit = next.graph.units[index] as Unit
    const same = sameUnit(old, next, unit)
    const before = same && unitState(old, same.index)
    if (before && isStarted(before)) carryOver(old, next, unit, same)
    else if (unit.members.every((member) => isOver(record(next, member).state.status))) settled(next, unit)
    else {
      if (before && !needsMore(old, next, unit)) unitState(next, unit.index).resolves = before.resolves
      unit.claims = [...unit.claims, ...gainedBefore(next, unit)]
      for (const task of unit.members.map((member) => record(next, member)))
        if (task.state.status === 'ready') task.state = WAITING
      fresh.push(unit)
    }
  }
  carryBatch(old, next)
  next.counts = countsOf(next.tasks)
  for (const unit of fresh) enter(next, unit)
  advanceWave(next)
  return next
}

function isOther({ needs, work }: Task, before: Task): boolean {
  const isNew = (need: string) => !before.needs.includes(need)
  return needs.some(isNew) || JSON.stringify(work) !== JSON.stringify(before.work)
}

/** Carries over spending. The accounts follow the budgets of the new plan. */
function carryLedger(old: RunState, next: RunState): void {
  const { announced, bounds, reached } = old.ledger
  Object.assign(next.ledger, { announced, bounds, reached })
  next.tasks.forEach(({ history }, index) => {
    if (history.length > 0) next.ledger.fresh.add(index)
    for (const { finishedAt, usage } of history) if (finishedAt !== null) addToEpic(next, index, usage)
  })
}

/** True for a task that has started or belongs to a started epic: it keeps the text it was started with. */
function isUnderWay(state: RunState, task: number): boolean {
  const { status } = record(state, task).state
  const unit = unitState(state, state.graph.unitOf[task] as number)
  return (status !== 'pending' && status !== 'ready') || unit.next > 0 || unit.status === 'running'
}

function isEpicUnderWay(state: RunState, { epic, isolation }: Task): boolean {
  if (isolation !== 'epic') return false
  return state.graph.tasks.some((task, index) => {
    return task.epic === epic && task.isolation === 'epic' && isUnderWay(state, index)
  })
}

function isStarted({ status, slot, next }: UnitState): boolean {
  return status === 'running' || status === 'landing' || status === 'continuing' || slot !== null || next > 0
}

/** The unit with the same members before the change. They continue in the order in which they began. */
function sameUnit(old: RunState, next: RunState, unit: Unit): Unit | null {
  const ids = new Set(unit.members.map((member) => taskAt(next.graph, member).id))
  const [first = ''] = ids
  const index = old.graph.unitOf[old.graph.taskIndex.get(first) ?? -1]
  if (index === undefined) return null
  const same = unitAt(old.graph, index)
  const before = same.members.map((member) => taskAt(old.graph, member).id)
  if (before.length !== ids.size || before.some((id) => !ids.has(id))) return null
  unit.members = before.map((id) => next.graph.taskIndex.get(id) as number)
  return same
}

/** True if a task has new needs, which the commit of its conflict may lack. */
function needsMore(old: RunState, next: RunState, { members }: Unit): boolean {
  return members.some((member) => {
    const { id, needs } = taskAt(next.graph, member)
    const before = taskAt(old.graph, indexOf(old, id)).needs
    return needs.some((need) => !before.includes(need))
  })
}

function carryOver(old: RunState, next: RunState, unit: Unit, same: Unit): void {
  const before = unitState(old, same.index)
  const { slot, worker, resources } = before
  const none = { slot: null, worker: null, resources: null, waitingFor: 0 }
  const mine = Object.assign(unitState(next, unit.index), before, none)
  if (before.status === 'settled') {
    settled(next, unit)
    return
  }
  // Claims may have grown since the unit started.
  unit.claims = same.claims
  takeClaims(next, unit)
  if (slot !== null && worker !== null) occupySlot(next, unit, { worker, slot, resources })
  if (mine.status === 'landing') next.landingQueue.add(unit.index)
  if (mine.status === 'continuing') next.continuing.add(unit.index)
  if (mine.status === 'delayed' && mine.delayedUntil !== null) delay(next, unit, mine.delayedUntil)
  for (const member of unit.members) {
    const { state: task } = record(next, member)
    if (task.status !== 'running') continue
    beginRunning(next, unit, member)
    next.deadlines.push({ at: task.deadline, task: member, attempt: task.attempt })
    const was = indexOf(old, taskAt(next.graph, member).id)
    if (old.cancelling.has(was)) next.cancelling.add(member)
    const lost = old.lost.get(was)
    if (lost) next.lost.set(member, lost)
  }
}

/** Claims that earlier attempts of these tasks were granted, or gained from conflicts. */
function gainedBefore(next: RunState, { members }: Unit): Unit['claims'] {
  const histories = members.map((member) => record(next, member).history)
  const granted = toClaims({ write: histories.flatMap(grantedTo), read: [] })
  return [...granted, ...histories.flatMap(learnedBefore)]
}

/** Carries over the batch, because the branch may be moving and commands may be running. */
function carryBatch(old: RunState, next: RunState): void {
  const renumber = <T extends { unit: number }>(item: T): T => {
    const [first = 0] = unitAt(old.graph, item.unit).members
    // A unit in the landing queue has started, and started units are in every new plan.
    const unit = next.graph.unitOf[indexOf(next, taskAt(old.graph, first).id)] as number
    next.landingQueue.delete(unit)
    return { ...item, unit }
  }
  const { building } = old.batch
  next.batch = {
    ...old.batch,
    items: old.batch.items.map(renumber),
    building: building && { ...building, items: building.items.map(renumber) },
    deferred: new Set(),
  }
}

function settled(next: RunState, unit: Unit): void {
  unitState(next, unit.index).status = 'settled'
  next.waves?.settled(unit)
}
