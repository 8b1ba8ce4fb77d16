// Spending by agent, model, epic and task, spending on work that did not land, and budgets.

import { shareOf } from '../../budget.ts'
import { costText, money, tokensText } from '../../text/usage-text.ts'
import type { Spending, SpentOn } from '../../usage.ts'
import type { Budget } from '../../view.ts'
import type { ReportSection } from './section.ts'

export function spendingSection(spending: Spending): ReportSection | null {
  if (spending.tasks.length === 0) return null
  const { run, agents, models, epics, tasks } = spending
  const groups = Object.entries({
    run: [{ name: 'total', ...run }],
    agent: agents,
    model: models,
    epic: epics,
    task: tasks,
  })
  return {
    title: 'Spending',
    words: ['Not landed: the part of it that went into work that did not land.'],
    head: ['', 'Name', 'Cost', 'Tokens', 'Not landed'],
    rows: groups.flatMap(([kind, spent]) => rowsOf(kind, dearest(spent))),
    leftOut: groups.reduce((sum, [, spent]) => sum + Math.max(0, spent.length - MAX_ROWS), 0),
  }
}

function rowsOf(kind: string, spent: readonly SpentOn[]): string[][] {
  return spent.map(({ name, usage, notLanded }, index) => [
    index === 0 ? kind : '',
    name,
    costText(usage),
    tokensText(usage),
    notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : '',
  ])
}

function dearest(spent: readonly SpentOn[]): SpentOn[] {
  const by = (a: SpentOn, b: SpentOn) =>
    b.usage.costUsd - a.usage.costUsd || b.usage.outputTokens - a.usage.outputTokens
  return spent.toSorted(by).slice(0, MAX_ROWS)
}

/** Of each kind, the dearest first. */
const MAX_ROWS = 10

/** Those of which most is used come first. */
export function budgetSection(budgets: readonly Budget[]): ReportSection {
  const used = ({ spentUsd, budgetUsd }: Budget) => spentUsd / budgetUsd
  const first = budgets.toSorted((a, b) => ORDER[a.scope] - ORDER[b.scope] || used(b) - used(a)).slice(0, MAX_BUDGETS)
  const rows = first.map((budget) => {
    const share = shareOf(budget)
    const word = share === null ? '' : share < 100 ? ' (nearly used up)' : ' (used up)'
    const name = budget.scope === 'run' ? 'total' : budget.name
    const percent = `${Math.floor(used(budget) * 100)}%${word}`
    const spent = `${money(budget.spentUsd)}${budget.unknown ? ' + unknown' : ''}`
    return [budget.scope, name, money(budget.budgetUsd), spent, percent]
  })
  const head = ['', 'Name', 'Budget', 'Spent', 'Used']
  return { title: 'Budgets', head, rows, leftOut: budgets.length - rows.length }
}

const MAX_BUDGETS = 30
const ORDER = { run: 0, epic: 1, task: 2 }
