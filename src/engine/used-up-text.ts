import { budgetName } from '../budget.ts'
import { budgetToEndFor } from '../scheduler/accounts.ts'
import type { RunState } from '../scheduler/state.ts'
import { money } from '../text/usage-text.ts'

/** Which budget an attempt is ended for, and what to do about it. */
export function usedUpText(state: RunState, task: string): string {
  const budget = budgetToEndFor(state, state.graph.taskIndex.get(task) ?? -1)
  // It was told to end, and then the run was resumed with more money.
  if (!budget) return 'a budget was used up when it was told to end; there is more now, so it starts again'
  const what = `${budgetName(budget)} (${money(budget.budgetUsd)}) is used up`
  return `${what}: ${ADVICE[budget.scope]}`
}

const ADVICE = {
  task: 'give it more with `budgetUsd:`',
  epic: 'give it more with `budgetUsd:` in the plan, and `espalier resume --replan` goes on',
  run: '`espalier resume --budget-usd N` goes on with more',
}
