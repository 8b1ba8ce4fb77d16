// Money that may be spent: on the whole run, on an epic, on a task.

export const BUDGET_SCOPES = ['run', 'epic', 'task'] as const

/** Action when a budget of the run or an epic is used up: let running attempts finish, or stop them. */
export const ON_BUDGET = ['finish', 'stop'] as const

/** Percentages of a budget that are announced: the first is a warning, at the second nothing starts any more. */
export const BUDGET_SHARES = [80, 100] as const
export type BudgetShare = (typeof BUDGET_SHARES)[number]

type Amounts = { budgetUsd: number; spentUsd: number }

/** Sums of dollars are not exact to the last digit: what is missing by less than this is not missing. */
export const TINY_USD = 1e-9

export function isUsedUp({ budgetUsd, spentUsd }: Amounts): boolean {
  return spentUsd >= budgetUsd - TINY_USD
}

/** Highest announced percentage that is reached; null: none. */
export function shareOf({ budgetUsd, spentUsd }: Amounts): BudgetShare | null {
  return BUDGET_SHARES.findLast((share) => spentUsd >= (budgetUsd * share) / 100 - TINY_USD) ?? null
}

/** `the budget of epic api`, `the budget of the run` */
export function budgetName({ scope, name }: { scope: (typeof BUDGET_SCOPES)[number]; name: string }): string {
  return scope === 'run' ? 'the budget of the run' : `the budget of ${scope} ${name}`
}
