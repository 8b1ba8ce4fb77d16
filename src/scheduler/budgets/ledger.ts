// Spending of a run by budget. Computed from in accounts.ts and affordable.ts.
import type { BudgetShare } from '../../budget.ts'
import type { Plan } from '../../task.ts'
import type { Budget } from '../../view.ts'
import { UnitsSetAside } from './set-aside.ts'

export type Reached = Budget & { share: BudgetShare }

export type Ledger = {
  ofEpic: Map<string, number>
  hasTasks: boolean
  spentOfEpic: Map<string, number>
  /** Epics of which some cost is not known. */
  unknownEpics: Set<string>
  /** Use and size of each budget when it was last announced, by scope and name. */
  told: Map<string, { share: BudgetShare; budgetUsd: number }>
  /** By scope and name: what those that run may bring a budget to that is used up. */
  bounds: Map<string, number>
  reached: Reached[]
  fresh: Set<number>
  /** Ready units that a budget has no room for: of the run, of an epic, of their own task. */
  setAside: { run: UnitsSetAside; epics: Map<string, UnitsSetAside>; tasks: Set<number> }
  /** Epics with a budget in which an attempt has ended since then: there may be room for some of theirs. */
  loosened: Set<string>
}

export function newLedger(plan: Plan): Ledger {
  const ledger: Ledger = {
    ofEpic: new Map(),
    hasTasks: false,
    spentOfEpic: new Map(),
    unknownEpics: new Set(),
    told: new Map(),
    bounds: new Map(),
    reached: [],
    fresh: new Set(),
    setAside: noneSetAside(),
    loosened: new Set(),
  }
  growLedger(ledger, plan)
  return ledger
}

export function growLedger(ledger: Ledger, { epics, tasks }: Pick<Plan, 'epics' | 'tasks'>): void {
  for (const { id, budgetUsd } of epics) if (budgetUsd !== undefined) ledger.ofEpic.set(id, budgetUsd)
  ledger.hasTasks ||= tasks.some(({ budgetUsd }) => budgetUsd !== undefined)
}

export function noneSetAside(): Ledger['setAside'] {
  return { run: new UnitsSetAside(), epics: new Map(), tasks: new Set() }
}
