// Spending of a run by budget. Computed in accounts.ts and affordable.ts.
import type { BudgetShare } from '../../budget.ts'
import type { Plan } from '../../task.ts'
import type { Usage } from '../../usage.ts'
import type { Budget } from '../../view.ts'
import type { UnitsSetAside } from './set-aside.ts'

export type Reached = Budget & { share: BudgetShare }

type Ledger = ReturnType<typeof newLedger>

export function newLedger(plan: Plan) {
  const ledger = {
    ofEpic: new Map<string, number>(),
    hasTasks: false,
    usageOfEpic: new Map<string, Usage>(),
    /** Used share and size of each budget when it was last announced, by scope and name. */
    announced: new Map<string, { share: BudgetShare; budgetUsd: number }>(),
    /** The amount up to which running attempts may exceed a used-up budget, by scope and name. */
    bounds: new Map<string, number>(),
    reached: [] as Reached[],
    /** Tasks with spending that newlyReached has not looked at. */
    fresh: new Set<number>(),
    /** Ready units that a budget has no room for, by its scope and name. */
    setAside: new Map<string, UnitsSetAside>(),
    /** Budgets under which an attempt has ended since units were set aside: they may have room now. */
    loosened: new Map<string, Pick<Budget, 'scope' | 'name'>>(),
  }
  growLedger(ledger, plan)
  return ledger
}

export function growLedger(
  ledger: Pick<Ledger, 'ofEpic' | 'hasTasks'>,
  { epics, tasks }: Pick<Plan, 'epics' | 'tasks'>,
): void {
  for (const { id, budgetUsd } of epics) if (budgetUsd !== undefined) ledger.ofEpic.set(id, budgetUsd)
  ledger.hasTasks ||= tasks.some(({ budgetUsd }) => budgetUsd !== undefined)
}
