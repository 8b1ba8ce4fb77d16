// Spending and budgets. A running attempt counts with the cost it has reported, a finished one with its total: every dollar
// counts once.
import { isUsedUp, shareOf, TINY_USD } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import { likelyUsd } from '../../task.ts'
import { addUsage, NO_USAGE, type Usage, usageOf } from '../../usage.ts'
import type { AttemptView, Budget } from '../../view.ts'
import { taskAt } from '../graph.ts'
import { indexOf, type RunState, record } from '../state.ts'
import type { Reached } from './ledger.ts'

export type Account = Budget & { expectedUsd: number }

export function hasBudgets({ limits, ledger }: RunState): boolean {
  return limits.budget.usd !== null || ledger.ofEpic.size > 0 || ledger.hasTasks
}

export function spentSoFar(state: RunState, task: number, attempt: AttemptView, usd: number): void {
  attempt.usage = { ...NO_USAGE, costUsd: Math.max(attempt.usage?.costUsd ?? 0, usd) }
  state.ledger.fresh.add(task)
}

/** Adds usage of an attempt that has ended, or that becomes known after its end. */
export function spentInAll(state: RunState, task: number, usage: Usage | null): void {
  const { ledger } = state
  ledger.fresh.add(task)
  if (usage) state.usage = addUsage(state.usage, usage)
  addToEpic(state, task, usage)
  for (const account of accountsOf(state, task)) ledger.loosened.set(keyOf(account), account)
}

export function addToEpic({ graph, ledger }: RunState, task: number, usage: Usage | null): void {
  const { epic } = taskAt(graph, task)
  if (usage && epic !== null && ledger.ofEpic.has(epic))
    ledger.usageOfEpic.set(epic, addUsage(ledger.usageOfEpic.get(epic) ?? NO_USAGE, usage))
}

export function lookAgain(state: RunState): void {
  if (!hasBudgets(state)) return
  state.tasks.forEach(({ history }, index) => {
    if (history.length > 0) state.ledger.fresh.add(index)
  })
}

/** A budget that has reached a share not announced yet. A larger budget is announced again. */
export function newlyReached(state: RunState): Reached | null {
  const { fresh } = state.ledger
  if (fresh.size === 0) return null
  // Sorted, because the order of `fresh` depends on when the engine was restarted.
  const found = new Map<string, Reached>()
  for (const task of fresh) {
    const news = accountsOf(state, task).flatMap((account) => shareToAnnounce(state, account))
    if (news.length === 0) fresh.delete(task)
    for (const reached of news) found.set(keyOf(reached), reached)
  }
  const [first] = [...found.keys()].sort()
  return found.get(first ?? '') ?? null
}

function shareToAnnounce({ ledger }: RunState, account: Account): Reached[] {
  const last = ledger.announced.get(keyOf(account))
  return reachedOf(account).filter(({ share, budgetUsd }) => !last || last.share < share || last.budgetUsd < budgetUsd)
}

function reachedOf(account: Account): Reached[] {
  const share = shareOf(account)
  return share === null ? [] : [{ ...plain(account), share }]
}

export function budgetReached(state: RunState, event: Reached): void {
  const { ledger } = state
  const { share, budgetUsd } = event
  const reached = { ...plain(event), share }
  const key = keyOf(reached)
  ledger.announced.set(key, { share, budgetUsd })
  if (share === 100) ledger.bounds.set(key, boundOf(state, reached))
  const others = ledger.reached.filter((one) => keyOf(one) !== key)
  ledger.reached = [...others, reached].slice(-LIMITS.budgetsShown)
}

/** The task's or epic's own budget without room for another attempt; a failed task under it is not tried again. */
export function ownBudgetUsedUp(state: RunState, task: number): Budget | null {
  const own = accountOf(state, { scope: 'task', name: taskAt(state.graph, task).id })
  return own && estimateOf(state, task) > roomOf(own) ? own : null
}

export function sharedBudgetUsedUp(state: RunState, task: number): Budget | null {
  return accountsOf(state, task).find((account) => account.scope !== 'task' && isUsedUp(account)) ?? null
}

/**
 * Spending so far plus the likely remaining cost of running attempts: by their estimates, else the average cost of
 * attempts of this run, else a quarter of the budget for all of them. Running attempts may finish within that; beyond
 * it they are ended, and continued when there is more money.
 */
function boundOf(state: RunState, budget: Budget): number {
  const { spentUsd, budgetUsd } = budget
  const atWork = (task: number) => {
    const { state: current } = record(state, task)
    return current.status === 'running' && !current.agentEnded
  }
  const running = [...state.running].filter((task) => isUnder(state, task, budget) && atWork(task))
  const typical = typicalUsd(state)
  return running.reduce((usd, task) => {
    const likely = likelyUsd(taskAt(state.graph, task)) ?? typical
    const more = likely === null ? (budgetUsd * UNKNOWN_SHARE) / running.length : likely - soFar(state, task)
    return usd + Math.max(0, more)
  }, spentUsd)
}

const UNKNOWN_SHARE = 0.25

/** Average cost of finished attempts that cost anything; null: there is none yet. */
function typicalUsd({ tasks }: RunState): number | null {
  const ended = tasks.flatMap(({ history }) => history.filter(({ finishedAt }) => finishedAt !== null))
  const costs = ended.flatMap(({ usage }) => usage?.costUsd || [])
  return costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0) / costs.length
}

/** The amount an account may reach while its running attempts finish; null: no limit until it is used up. */
function mostOf(state: RunState, account: Account): number | null {
  if (account.scope === 'task' || state.limits.budget.onReached === 'stop') return account.budgetUsd
  return isUsedUp(account) ? (state.ledger.bounds.get(keyOf(account)) ?? null) : null
}

/** The budget that forces a running attempt to end now; null: none. */
export function budgetToEndFor(state: RunState, task: number): Budget | null {
  const isOver = (account: Account) => {
    const most = mostOf(state, account)
    return most !== null && account.spentUsd >= most - TINY_USD
  }
  return accountsOf(state, task).find(isOver) ?? null
}

export function overspent(state: RunState): number | null {
  if (!hasBudgets(state)) return null
  for (const index of state.running) {
    const { state: task } = record(state, index)
    if (task.status !== 'running' || task.stopping || task.agentEnded || isFree(state, index)) continue
    if (budgetToEndFor(state, index)) return index
  }
  return null
}

/**
 * The amount an attempt may spend before its own budget, or one that ends running attempts, stops it; null: no limit.
 */
export function allowanceOf(state: RunState, task: number): number | null {
  const mine = soFar(state, task)
  const left = accountsOf(state, task).flatMap((account) => {
    const most = mostOf(state, account)
    return most === null ? [] : [most - (account.spentUsd - mine)]
  })
  return left.length > 0 ? Math.max(0, Math.min(...left)) : null
}

export function tightestBudget(state: RunState, task: number): number | null {
  if (!hasBudgets(state)) return null
  const budgets = accountsOf(state, task).map(({ budgetUsd }) => budgetUsd)
  return budgets.length > 0 ? Math.min(...budgets) : null
}

export function isRunUsedUp(state: RunState): boolean {
  const account = accountOf(state, RUN)
  return account !== null && isUsedUp(account)
}

/** Recomputes a reached budget: it may have been changed since it was announced, and more may have been spent. */
export function reachedNow(state: RunState, reached: Reached): Reached[] {
  const account = accountOf(state, reached)
  return account ? reachedOf(account) : []
}

export function roomOf(account: Account): number {
  if (isUsedUp(account)) return Number.NEGATIVE_INFINITY
  return account.budgetUsd - account.spentUsd - account.expectedUsd + TINY_USD
}

/** All budgets that an attempt of a task counts for, its own first: only a person can change that one. */
export function accountsOf(state: RunState, task: number): Account[] {
  const { id, epic } = taskAt(state.graph, task)
  const own = accountOf(state, { scope: 'task', name: id })
  const shared = epic === null ? null : accountOf(state, { scope: 'epic', name: epic })
  return [own, shared, accountOf(state, RUN)].filter((account) => account !== null)
}

/** Null: no such budget. Includes the amounts reported by running attempts, which are no more than the slots. */
export function accountOf(state: RunState, which: WhichBudget): Account | null {
  const { scope, name } = which
  const budgetUsd = budgetUsdOf(state, which)
  if (budgetUsd === null) return null
  let { costUsd: spentUsd, costUnknown } = usageUnder(state, which)
  let expectedUsd = 0
  for (const task of state.running) {
    if (!isUnder(state, task, which)) continue
    const spent = soFar(state, task)
    spentUsd += spent
    expectedUsd += Math.max(0, (likelyUsd(taskAt(state.graph, task)) ?? 0) - spent)
  }
  return { scope, name, budgetUsd, spentUsd, ...unknownIf(costUnknown), expectedUsd }
}

type WhichBudget = Pick<Budget, 'scope' | 'name'>

export const RUN: WhichBudget = { scope: 'run', name: 'run' }

function budgetUsdOf({ graph, limits, ledger }: RunState, { scope, name }: WhichBudget): number | null {
  if (scope === 'run') return limits.budget.usd
  if (scope === 'epic') return ledger.ofEpic.get(name) ?? null
  return graph.tasks[graph.taskIndex.get(name) ?? -1]?.budgetUsd ?? null
}

/** Usage of attempts that have ended. */
function usageUnder(state: RunState, { scope, name }: WhichBudget): Usage {
  if (scope === 'run') return state.usage
  if (scope === 'epic') return state.ledger.usageOfEpic.get(name) ?? NO_USAGE
  return usageOf(record(state, indexOf(state, name)).history.filter(({ finishedAt }) => finishedAt !== null))
}

function isUnder({ graph }: RunState, task: number, { scope, name }: WhichBudget): boolean {
  const { id, epic } = taskAt(graph, task)
  return scope === 'run' || name === (scope === 'epic' ? epic : id)
}

/** Cost of the whole run, with the amounts that running attempts have reported so far. */
export function usageOfRun(state: RunState): Usage {
  return usageOf(
    [...state.running].flatMap((task) => record(state, task).history.at(-1) ?? []),
    state.usage,
  )
}

function soFar(state: RunState, task: number): number {
  const last = record(state, task).history.at(-1)
  return last?.finishedAt === null ? (last.usage?.costUsd ?? 0) : 0
}

/** Amount that must be free before a task starts: the plan's estimate. Learned guesses do not hold a task back. */
export function estimateOf(state: RunState, task: number): number {
  return taskAt(state.graph, task).estimateUsd ?? 0
}

export function keyOf({ scope, name }: WhichBudget): string {
  return `${scope} ${name}`
}

export function plain({ scope, name, budgetUsd, spentUsd, unknown }: Budget): Budget {
  return { scope, name, budgetUsd, spentUsd: rounded(spentUsd), ...unknownIf(unknown) }
}

export function unknownIf(is: boolean | undefined): { unknown?: true } {
  return is ? { unknown: true } : {}
}

/** Rounds to a millionth of a dollar, which removes errors of addition. */
export function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}

/** True for tasks of a search that measure or land its result: they cost nothing, so used-up budgets do not stop them. */
export function isFree({ graph }: RunState, task: number): boolean {
  const role = taskAt(graph, task).search?.role
  return role === 'judge' || role === 'result'
}
