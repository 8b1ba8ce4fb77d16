// The part of a report that says what was spent on what, and what of it was for work that did not land.
import type { Spending, SpentOn } from '../usage.ts'
import { costText, tokensText } from '../usage-text.ts'
import { html, line, markdown } from './escape.ts'

/** Of each kind, the dearest first. */
const MAX_ROWS = 30
const HEAD = ['', 'Name', 'Cost', 'Tokens', 'Spent, not landed']
const EXPLAINED = 'Spent, not landed: in attempts whose work did not count in the end.'

export function spendingInMarkdown(spending: Spending): string {
  const rows = rowsOf(spending)
  if (rows.length === 0) return ''
  const cells = rows.map(([kind = '', name = '', ...figures]) => [kind, markdown(name), ...figures])
  const lines = [HEAD, HEAD.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
  return ['## Spending', EXPLAINED, lines.join('\n'), ...leftOut(spending)].join('\n\n')
}

export function spendingInHtml(spending: Spending): string {
  const rows = rowsOf(spending)
  if (rows.length === 0) return ''
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`)
  const head = HEAD.map((name) => `<th>${name}</th>`).join('')
  const notes = leftOut(spending).map((text) => `<p class="note">${html(text)}</p>`)
  return [
    `<section><h2>Spending</h2><p class="soft">${EXPLAINED}</p>`,
    `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`,
    `${notes.join('')}</section>`,
  ].join('')
}

function rowsOf(spending: Spending): string[][] {
  if (spending.tasks.length === 0) return []
  const run = [{ name: 'all of it', ...spending.run }]
  const groups: [string, SpentOn[]][] = [['run', run], ...kinds(spending)]
  return groups.flatMap(([kind, spent]) =>
    dearest(spent).map(({ name, usage, notLanded }, at) => [
      at === 0 ? kind : '',
      line(name, 80),
      costText(usage),
      tokensText(usage),
      notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : '',
    ]),
  )
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

function leftOut(spending: Spending): string[] {
  const left = kinds(spending).reduce((sum, [, spent]) => sum + Math.max(0, spent.length - MAX_ROWS), 0)
  return left > 0 ? [`And ${left} more; the JSON report has all of them.`] : []
}
