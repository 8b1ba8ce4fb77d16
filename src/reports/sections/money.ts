// The part of a report that says what was spent on what, and what of it was for work that did not land.

import { type Budget, shareOf } from '../../budget.ts'
import { costText, money, tokensText } from '../../text/usage-text.ts'
import type { Spending, SpentOn } from '../../usage.ts'
import { html, line, markdown } from '../html/escape.ts'
import type { TableSection } from './table.ts'

/** Null: nothing was spent. */
export function spendingSection(spending: Spending): TableSection | null {
  if (spending.tasks.length === 0) return null
  const run = [{ name: 'all of it', ...spending.run }]
  const groups: [string, SpentOn[]][] = [['run', run], ...kinds(spending)]
  return {
    title: 'Spending',
    words: ['Spent, not landed: in attempts whose work did not count in the end.'],
    head: ['', 'Name', 'Cost', 'Tokens', 'Spent, not landed'],
    rows: groups.flatMap(([kind, spent]) => rowsOf(kind, dearest(spent))),
    leftOut: kinds(spending).reduce((sum, [, spent]) => sum + Math.max(0, spent.length - MAX_ROWS), 0),
  }
}

function rowsOf(kind: string, spent: readonly SpentOn[]): string[][] {
  return spent.map(({ name, usage, notLanded }, at) => [
    at === 0 ? kind : '',
    line(name, NAME_CHARS),
    costText(usage),
    tokensText(usage),
    notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : '',
  ])
}

function kinds({ agents, models, epics, tasks }: Spending): [string, SpentOn[]][] {
  return [
    ['agent', agents],
    ['model', models],
    ['epic', epics],
    ['task', tasks],
  ]
}

function dearest(spent: SpentOn[]): SpentOn[] {
  const rank = ({ usage }: SpentOn) => [usage.costUsd, usage.outputTokens] as const
  return spent.toSorted((a, b) => rank(b)[0] - rank(a)[0] || rank(b)[1] - rank(a)[1]).slice(0, MAX_ROWS)
}

/** Of each kind, the dearest first: what the others cost hardly differs. */
const MAX_ROWS = 10
const NAME_CHARS = 80

// The part of a report that says what is spent of each budget.

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
