// How much of the budgets is spent: in the live view, in `status` and at the end of a run.
import { type Budget, type BudgetShare, type BudgetsView, budgetName, isUsedUp, shareOf } from '../../budget.ts'
import { spendingOf } from '../../facts/spending.ts'
import type { RunView } from '../../status.ts'
import { costText, money, tokensText, usageText } from '../../text/usage-text.ts'
import { fit, hanging } from '../../text/width.ts'
import type { Palette } from '../terminal/palette.ts'

/** That of the run always, those of epics and tasks once they are used for the most part; the newest of these. */
export function budgetLines(budgets: BudgetsView | undefined, width: number, palette: Palette): string[] {
  if (!budgets) return []
  const { budgetUsd, spentUsd, reached } = budgets
  const run: Budget[] = budgetUsd === null ? [] : [{ scope: 'run', name: 'run', budgetUsd, spentUsd }]
  const others = reached.filter(({ scope }) => scope !== 'run').slice(-OTHERS_SHOWN)
  return [...run, ...others].map((budget) => {
    return `${signOf(shareOf(budget), palette)} ${fit(budgetText(budget), width - 2)}`
  })
}

/** `$8.10 of the budget of the run ($10.00) are spent, 81 %` */
export function budgetText(budget: Budget): string {
  const { budgetUsd, spentUsd } = budget
  const percent = Math.floor((spentUsd / budgetUsd) * 100)
  const text = `${money(spentUsd)} of ${budgetName(budget)} (${money(budgetUsd)}) are spent, ${percent} %`
  return isUsedUp(budget) ? `${text}: nothing more is started under it` : text
}

function signOf(share: BudgetShare | null, palette: Palette): string {
  if (share === null) return palette.dim('$')
  return share < 100 ? palette.busy('$') : palette.bad('$')
}

const OTHERS_SHOWN = 3

// What a run has cost, told at its end.

/** Empty where no agent told of any. */
export function spendingLines({ tasks }: Pick<RunView, 'tasks'>, width: number, palette: Palette): string[] {
  const { run, tasks: spent } = spendingOf(tasks)
  if (spent.length === 0) return []
  const { usage, notLanded } = run
  const lost = notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : ''
  const apart = lost ? `; of it ${lost} for work that did not land` : ''
  const [first, ...rest] = hanging(`spent: ${usageText(usage)}${apart}`, width, 2)
  return [`${palette.dim('$')} ${first}`, ...rest]
}
