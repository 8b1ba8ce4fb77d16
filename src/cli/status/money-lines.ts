// Budgets and costs: in the live view, in `status` and at the end of a run.

import { type BudgetShare, isUsedUp, shareOf } from '../../budget.ts'
import { spendingOf } from '../../facts/spending.ts'
import { costText, money, tokensText, usageText } from '../../text/usage-text.ts'
import { fit, hanging } from '../../text/width.ts'
import type { Budget, BudgetsView, RunView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import type { Palette } from '../terminal/palette.ts'

/** The budget of the run, and the newest budgets of epics and tasks that are nearly used up. */
export function budgetLines(budgets: BudgetsView | undefined, { width, palette }: Look): string[] {
  if (!budgets) return []
  const { budgetUsd, spentUsd, unknown, reached } = budgets
  const part = unknown ? { unknown } : {}
  const run: Budget[] = budgetUsd === null ? [] : [{ scope: 'run', name: 'run', budgetUsd, spentUsd, ...part }]
  const others = reached.filter(({ scope }) => scope !== 'run').slice(-OTHERS_SHOWN)
  return [...run, ...others].map((budget) => {
    const text = isUsedUp(budget) ? `${spentText(budget)}: no new tasks` : spentText(budget)
    return `${signOf(shareOf(budget), palette)} ${fit(text, width - 2)}`
  })
}

/** `Spent $8.10 of $10.00 (81%)`, `Spent $1.70 + unknown of $2.00 (85% or more) on epic api` */
export function spentText({ scope, name, budgetUsd, spentUsd, unknown }: Budget): string {
  const percent = `${Math.floor((spentUsd / budgetUsd) * 100)}%${unknown ? ' or more' : ''}`
  const spent = `${money(spentUsd)}${unknown ? ' + unknown' : ''}`
  return `Spent ${spent} of ${money(budgetUsd)} (${percent})${scope === 'run' ? '' : ` on ${scope} ${name}`}`
}

function signOf(share: BudgetShare | null, palette: Palette): string {
  if (share === null) return ' '
  return share < 100 ? palette.busy('!') : palette.bad('!')
}

const OTHERS_SHOWN = 3

/** Cost of the run; empty if no agent reported any. */
export function spendingLines({ tasks }: Pick<RunView, 'tasks'>, { width }: Look): string[] {
  const { run, tasks: spent } = spendingOf(tasks)
  if (spent.length === 0) return []
  const { usage, notLanded } = run
  const lost = notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : ''
  const apart = lost ? `; on work that did not land: ${lost}` : ''
  const [first, ...rest] = hanging(`cost: ${usageText(usage)}${apart}`, width, 2)
  return [`  ${first}`, ...rest]
}
