// Units that budgets hold back.
//
// Properties
// - No unit starts under a used-up budget, nor if past spending, the estimated remaining cost of running attempts and its
//   own estimate together exceed the budget.
// - A unit without enough money is set aside under the budget that refused it, and returns when that has room again: until
//   then it costs nothing. No event records this: it follows from the events. The order of dispatch is kept.
import { isUsedUp } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import type { Budget, BudgetsView } from '../../view.ts'
import { enqueue } from '../apply/transitions.ts'
import { dispatchOrder, type Unit, unitAt } from '../graph.ts'
import { continuingUnits, nextTask, type RunState, readyUnits, unitState } from '../state.ts'
import {
  type Account,
  accountOf,
  accountsOf,
  estimateOf,
  hasBudgets,
  isFree,
  isRunUsedUp,
  keyOf,
  plain,
  RUN,
  reachedNow,
  roomOf,
  rounded,
  unknownIf,
  usageOfRun,
} from './accounts.ts'
import { UnitsSetAside } from './set-aside.ts'

export function bestAffordable(state: RunState, best: () => Unit | null): Unit | null {
  if (!hasBudgets(state)) return best()
  if (isRunUsedUp(state)) return freeOfCharge(state, best())
  for (;;) {
    const unit = best()
    const back = firstWithRoom(state)
    // The cap per epic depends on ready units of other epics: then all units that could start have to be in the queue.
    if (back && (!unit || dispatchOrder(back.unit, unit) < 0 || state.limits.maxPerEpic !== null)) {
      back.from.remove(back.unit)
      if (unitState(state, back.unit.index).status === 'ready') enqueue(state, back.unit)
      continue
    }
    const refusedBy = unit && refusing(state, unit)
    if (!unit || !refusedBy) return unit
    setAside(state, unit, refusedBy)
  }
}

export function releaseAll(state: RunState): void {
  const { setAside: aside } = state.ledger
  const all = [...aside.values()].flatMap((units) => [...units.units()])
  aside.clear()
  for (const unit of all) if (unitState(state, unit.index).status === 'ready') enqueue(state, unit)
}

/** True if there is no money for the unit's next task. */
export function isTooDear(state: RunState, unit: number): boolean {
  return hasBudgets(state) && refusing(state, unitAt(state.graph, unit)) !== null
}

/** Number of slots, by worker, of half-done epics that wait for money: other units may run as if these slots were free. */
export function idleSlots(state: RunState): ReadonlyMap<string, number> {
  const idle = new Map<string, number>()
  if (!hasBudgets(state)) return idle
  for (const unit of state.continuing) {
    const { worker } = unitState(state, unit)
    if (worker !== null && isTooDear(state, unit)) idle.set(worker, (idle.get(worker) ?? 0) + 1)
  }
  return idle
}

/** Budgets that hold units back. Asks all open units, because one with paused agents is never set aside. */
export function holdingBudgets(state: RunState): Budget[] {
  const { counts } = state
  if (!hasBudgets(state) || counts.pending + counts.ready === 0) return []
  const run = accountOf(state, RUN)
  if (run && isUsedUp(run)) return [plain(run)]
  const holding = new Map<string, Budget>()
  for (const unit of [...continuingUnits(state), ...readyUnits(state)]) {
    const account = refusing(state, unit)
    if (account) holding.set(keyOf(account), plain(account))
    if (holding.size === LIMITS.budgetsShown) break
  }
  return [...holding.values()]
}

export function budgetsView(state: RunState): BudgetsView | undefined {
  if (!hasBudgets(state)) return undefined
  const { usd, onReached } = state.limits.budget
  const { costUsd, costUnknown } = usageOfRun(state)
  return {
    budgetUsd: usd,
    onReached,
    spentUsd: rounded(costUsd),
    ...unknownIf(costUnknown),
    reached: state.ledger.reached.flatMap((one) => reachedNow(state, one)),
    holding: state.running.size === 0 ? holdingBudgets(state) : [],
  }
}

/** The first unit in the order of dispatch for which the budget that refused it would have room now. */
function firstWithRoom(state: RunState): { unit: Unit; from: UnitsSetAside } | null {
  const { setAside: aside, loosened } = state.ledger
  let first = null
  for (const [key, budget] of loosened) {
    const from = aside.get(key)
    const account = from ? accountOf(state, budget) : null
    const unit = account && from?.first(roomOf(account))
    if (!from || !unit) loosened.delete(key)
    else if (!first || dispatchOrder(unit, first.unit) < 0) first = { unit, from }
  }
  return first
}

function setAside(state: RunState, unit: Unit, refusedBy: Account): void {
  const { setAside: aside } = state.ledger
  const key = keyOf(refusedBy)
  const units = aside.get(key) ?? new UnitsSetAside()
  aside.set(key, units)
  units.add(unit, estimateOf(state, nextTask(state, unit)))
  state.ready.withdraw(unit.index)
}

function refusing(state: RunState, unit: Unit): Account | null {
  const task = nextTask(state, unit)
  if (isFree(state, task)) return null
  const usd = estimateOf(state, task)
  return accountsOf(state, task).find((account) => usd > roomOf(account)) ?? null
}

/** The unit if it costs nothing: a search still measures and lands paid work; its other steps are dropped by then (run-growth.ts). */
function freeOfCharge(state: RunState, unit: Unit | null): Unit | null {
  return unit && isFree(state, nextTask(state, unit)) ? unit : null
}
