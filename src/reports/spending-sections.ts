// The part of a report that says what was spent on what, and what of it was for work that did not land.

import { costText, tokensText } from '../text/usage-text.ts'
import type { Spending, SpentOn } from '../usage.ts'
import { line } from './escape.ts'
import type { TableSection } from './table-section.ts'

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
