// Money in the simulation: what attempts cost, who may start by the budgets there are, and people who raise them.
// Everything is added up the slow and obvious way, from what the attempts were told to cost.
import assert from 'node:assert/strict'
import type { Fact, Limits } from '../../src/event.ts'
import { comparePlan } from '../../src/scheduler/apply/replan.ts'
import type { Decided } from '../../src/scheduler/decide.ts'
import { runSummary, taskView } from '../../src/scheduler/view.ts'
import type { Task } from '../../src/task.ts'
import { NO_USAGE, type Usage } from '../../src/usage.ts'
import type { Budget } from '../../src/view.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export function randomBudget(rnd: Random): Limits['budget'] {
  return { usd: rnd.chance(0.3) ? 2 + rnd.int(15) : null, onReached: rnd.chance(0.5) ? 'stop' : 'finish' }
}

/** What an attempt tells of its cost until it ends: figures that grow, some of them late. */
export function spending(world: World, task: string, attempt: number, until: number): void {
  const { rnd, now } = world
  let costUsd = 0
  for (let times = rnd.int(4); times > 0; times--) {
    costUsd += rnd.int(8) / 10
    const ended = rnd.chance(0.1) ? { ended: true as const } : {}
    const fact: Fact = { type: 'attempt.spent', task, attempt, costUsd, ...ended }
    world.coming.push({ at: now + rnd.int(until - now), facts: [fact], of: { task, attempt } })
  }
}

/** What it used in all: some say nothing of it, and some less than they had told. */
export function usageOf({ rnd }: World): Usage | null {
  return rnd.chance(0.4) ? null : { ...NO_USAGE, costUsd: rnd.int(25) / 10 }
}

/** Of an attempt that is alive. */
export function noteCost(world: World, fact: Fact): void {
  if (fact.type === 'attempt.spent') {
    const known = world.costs.get(key(fact)) ?? 0
    world.costs.set(key(fact), Math.max(known, fact.costUsd))
  }
  if (fact.type === 'attempt.finished' && fact.usage) world.costs.set(key(fact), fact.usage.costUsd)
}

/** Every dollar counts once, whatever died in between. */
export function checkSpent(world: World): void {
  const { state, costs } = world
  const view = runSummary(state, FACTS).budgets
  const total = [...costs.values()].reduce((sum, usd) => sum + usd, 0)
  if (view) assert.ok(Math.abs(view.spentUsd - total) < 1e-5, `${view.spentUsd} are counted, ${total} were spent`)
  if (state.stop !== null || state.finished) return
  checkBound(world)
  if (state.limits.budget.onReached !== 'stop') return
  for (const index of state.running) {
    const { state: task } = state.tasks[index] ?? {}
    if (task?.status !== 'running' || task.stopping || task.agentEnded) continue
    const over = budgetsOf(world, state.graph.tasks[index] as Task).find(({ left }) => left <= 0)
    assert.equal(over, undefined, `a budget is used up, and ${state.graph.tasks[index]?.id} goes on`)
  }
}

/** Where what runs may finish, it may bring the run to what was expected when its budget was used up, and no further. */
function checkBound({ state, journal }: World): void {
  const { usd, onReached } = state.limits.budget
  const told = journal.findLast((event) => event.type === 'budget.reached' && event.scope === 'run')
  const isTold = told?.type === 'budget.reached' && told.share === 100 && told.budgetUsd === usd
  if (usd === null || onReached !== 'finish' || !isTold) return
  const bound = state.ledger.bounds.get('run run')
  assert.ok(bound !== undefined && bound >= told.spentUsd - TINY, 'a budget that is used up has a bound')
  const spent = runSummary(state, FACTS).budgets?.spentUsd ?? 0
  const goesOn = [...state.running].filter((index) => {
    const { state: task } = state.tasks[index] ?? {}
    return task?.status === 'running' && !task.stopping && !task.agentEnded
  })
  assert.ok(spent < bound - 1e-5 || goesOn.length === 0, `${spent} of at most ${bound} are spent, and it goes on`)
}

export function checkStart(world: World, decision: Decided, task: Task): void {
  assert.equal(refusedBy(world, task), null, `${decision.type} ${task.id}: there is no money for it`)
}

/** The budget that has no room for this task; null: there is room. */
export function refusedBy(world: World, task: Task): string | null {
  const { estimateUsd = 0 } = task
  return budgetsOf(world, task).find(({ left, free }) => left <= 0 || estimateUsd > free + TINY)?.name ?? null
}

/** Slots of a machine that epics have which are half done and have no money to go on. */
export function idleSlots(world: World, worker: string): number {
  const { state } = world
  return state.graph.units.filter((unit) => {
    const { status, slot = null, worker: its, delayedUntil = null, next = 0 } = state.units[unit.index] ?? {}
    const task = state.graph.tasks[unit.members[next] ?? -1]
    if (its !== worker) return false
    // Right after a restart nobody has looked yet whether its time has come.
    const isDue = status === 'delayed' && slot !== null && (delayedUntil ?? 0) <= world.now
    return (status === 'continuing' || isDue) && task !== undefined && refusedBy(world, task) !== null
  }).length
}

/** A budget is told of once, and again only if it is larger. */
export function checkTold({ journal }: World): void {
  const told = new Map<string, { share: number; budgetUsd: number }>()
  for (const event of journal) {
    if (event.type !== 'budget.reached') continue
    const { scope, name, share, budgetUsd, spentUsd } = event
    const before = told.get(`${scope} ${name}`)
    assert.ok(spentUsd >= (budgetUsd * share) / 100 - 1e-5, `${scope} ${name} has not come to ${share} %`)
    assert.ok(!before || share > before.share || budgetUsd > before.budgetUsd, `${scope} ${name} is told of twice`)
    told.set(`${scope} ${name}`, { share, budgetUsd })
  }
}

/** It rests because of its budgets: somebody gives it more, or looks in first and gives nothing. */
export function raiseBudgets(world: World): void {
  const { state, rnd, limits } = world
  assert.ok(holds(world), 'a run waits, nothing is in conflict, and no budget holds anything back')
  world.budgetRests++
  if (rnd.chance(0.2)) return
  world.budgetRaised = true
  const isOften = world.budgetRests > MANY_RESTS
  const { usd } = limits.budget
  world.limits = { ...limits, budget: { ...limits.budget, usd: usd === null || isOften ? null : usd + 1 + rnd.int(9) } }
  const more = <T extends { budgetUsd?: number | undefined }>({ budgetUsd, ...rest }: T) =>
    budgetUsd === undefined || isOften ? rest : { ...rest, budgetUsd: budgetUsd + 1 + rnd.int(5) }
  const epics = world.plan.epics.map((epic) => more(epic)) as typeof world.plan.epics
  const tasks = world.plan.tasks.map((task) => more(task)) as Task[]
  world.replan(comparePlan(state, { ...world.plan, epics, tasks }).plan)
}

/** Whether a budget, or one of this scope, holds something back. */
export function holds({ state }: World, wanted?: Budget['scope']): boolean {
  const { holding = [] } = runSummary(state, FACTS).budgets ?? {}
  return holding.some(({ scope }) => wanted === undefined || scope === wanted)
}

/** `left`: of what was spent; `free`: of what was spent and what those that run are estimated to still need. */
function budgetsOf(world: World, task: Task): { name: string; left: number; free: number }[] {
  const { state } = world
  const epic = world.plan.epics.find(({ id }) => id === task.epic)
  const budgets: [string, number | null | undefined, (other: Task) => boolean][] = [
    ['run', state.limits.budget.usd, () => true],
    ['epic', epic?.budgetUsd, (other) => other.epic === task.epic],
    ['task', task.budgetUsd, (other) => other.id === task.id],
  ]
  return budgets.flatMap(([name, usd, isUnder]) => {
    if (usd == null) return []
    const under = state.graph.tasks.flatMap((other, index) => (isUnder(other) ? [taskView(state, index)] : []))
    const spent = under.flatMap(({ history }) => history.map(({ usage }) => usage?.costUsd ?? 0))
    const expected = under
      .filter(({ status }) => status === 'running')
      .map(({ id, history }) => {
        const { estimateUsd = 0 } = state.graph.tasks[state.graph.taskIndex.get(id) ?? -1] ?? {}
        return Math.max(0, estimateUsd - (history.at(-1)?.usage?.costUsd ?? 0))
      })
    const left = usd - sum(spent)
    return [{ name, left: left < TINY ? 0 : left, free: left - sum(expected) }]
  })
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, usd) => total + usd, 0)
}

function key({ task, attempt }: { task: string; attempt: number }): string {
  return `${task}/${attempt}`
}

const FACTS = { run: 'random-1', name: 'random', repo: '/', enginePid: 1 }
const TINY = 1e-9
/** Then it gets all it wants, so that every run comes to its end. */
const MANY_RESTS = 5
