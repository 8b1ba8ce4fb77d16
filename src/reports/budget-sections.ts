// The part of a report that says what is spent of each budget.
import { type Budget, shareOf } from '../budget.ts'
import { money } from '../text/usage-text.ts'
import { html, line, markdown } from './escape.ts'

/** Those of which most is used come first. */
const MAX_BUDGETS = 30
const HEAD = ['', 'Name', 'Budget', 'Spent', 'Used']

export function budgetsInMarkdown(budgets: readonly Budget[]): string {
  if (budgets.length === 0) return ''
  const cells = budgetRows(budgets).map(([kind = '', name = '', ...figures]) => [kind, markdown(name), ...figures])
  const lines = [HEAD, HEAD.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
  return ['## Budgets', lines.join('\n'), ...leftOut(budgets)].join('\n\n')
}

export function budgetsInHtml(budgets: readonly Budget[]): string {
  if (budgets.length === 0) return ''
  const body = budgetRows(budgets).map((row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`)
  const head = HEAD.map((name) => `<th>${name}</th>`).join('')
  const notes = leftOut(budgets).map((text) => `<p class="note">${html(text)}</p>`)
  return [
    '<section><h2>Budgets</h2>',
    `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`,
    `${notes.join('')}</section>`,
  ].join('')
}

function budgetRows(budgets: readonly Budget[]): string[][] {
  const used = ({ spentUsd, budgetUsd }: Budget) => spentUsd / budgetUsd
  const first = budgets.toSorted((a, b) => ORDER[a.scope] - ORDER[b.scope] || used(b) - used(a)).slice(0, MAX_BUDGETS)
  return first.map((budget) => {
    const share = shareOf(budget)
    const percent = `${Math.floor(used(budget) * 100)} %`
    const word = share === null ? '' : share < 100 ? ' (nearly used up)' : ' (used up)'
    const name = budget.scope === 'run' ? 'all of it' : line(budget.name, 80)
    return [budget.scope, name, money(budget.budgetUsd), money(budget.spentUsd), percent + word]
  })
}

function leftOut({ length }: readonly Budget[]): string[] {
  return length > MAX_BUDGETS ? [`And ${length - MAX_BUDGETS} more; the JSON report has all of them.`] : []
}

const ORDER = { run: 0, epic: 1, task: 2 }
