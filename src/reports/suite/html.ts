// The report of a suite as one page that loads nothing: entries, variants, failures, and what each worker did when.
import { messageParts } from '../../failure.ts'
import type { ReportedEntry, SuiteReport, WorkerTime } from '../../workloads/suite/report.ts'
import { html } from '../html/escape.ts'
import { page } from '../html/page.ts'
import {
  costText,
  passAtText,
  percent,
  rateText,
  slowest,
  stabilityText,
  summaryLine,
  timeText,
  variantText,
} from './words.ts'

export function renderSuiteHtml(report: SuiteReport): string {
  const { entries, summary, comparison, matrix } = report
  const failed = entries.filter(({ verdict }) => verdict === 'failed')
  const flaky = entries.filter(({ verdict, stability }) => verdict === 'flaky' || stability.kind === 'flaky')
  const verdict = report.ok ? 'Passed' : 'Failed'
  return page(`${verdict}: ${report.name}`, [
    `<main><h1>${verdict}: ${html(report.name)}</h1><p>${html(summaryLine(report))}</p>`,
    comparison
      ? part(
          'Compared',
          Object.entries(comparison).map(([name, all]) => [name, all.map(({ key }) => key).join(', ')]),
        )
      : '',
    matrix
      ? part(
          'Variants',
          [...matrix.cells, ...matrix.variants].map((cell) => [
            ...[cell.entry || 'all', variantText(cell.variant), rateText(cell), passAtText(cell)],
            ...[timeText(cell.durationMs), costText(cell)],
          ]),
          ['entry', matrix.axes.join(' · '), 'passed at the first try', 'pass@k', 'time', 'cost'],
        )
      : '',
    ...failed.map(failure),
    flaky.length > 0
      ? part(
          'Flaky',
          flaky.map((one) => [one.id, one.verdict, stabilityText(one)]),
        )
      : '',
    part(
      'Entries',
      entries.map((one) => [one.id, one.verdict, String(one.tries.length), timeText(one.durationMs)]),
      ['entry', 'verdict', 'tries', 'time'],
    ),
    part(
      'Slowest',
      slowest(entries).map((one) => [one.id, timeText(one.durationMs)]),
    ),
    `<h2>Workers</h2>${report.workers.map((worker) => timeline(worker, summary.startedAt, summary.durationMs)).join('')}</main>`,
  ])
}

function part(title: string, rows: readonly (readonly string[])[], names: readonly string[] = []): string {
  const head = names.length > 0 ? `<tr>${names.map((name) => `<th>${html(name)}</th>`).join('')}</tr>` : ''
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`)
  return `<h2>${html(title)}</h2><table>${head}${body.join('')}</table>`
}

function failure(entry: ReportedEntry): string {
  const { said } = messageParts(entry.failure?.message ?? '')
  const lines = [
    `<h2>Failed: ${html(entry.id)}</h2><p>${html(said)}</p>`,
    entry.output === '' ? '' : `<pre>${html(entry.output)}</pre>`,
    entry.kept === null ? '' : `<p>Its worktree as it was: <code>${html(entry.kept)}</code></p>`,
    entry.repeat === null ? '' : `<p>By hand: <code>${html(entry.repeat)}</code></p>`,
    entry.environment.length === 0 ? '' : `<p>Variables: <code>${html(entry.environment.join(' '))}</code></p>`,
  ]
  return lines.join('')
}

function timeline({ slot, busyMs, entries }: WorkerTime, startedAt: number, durationMs: number): string {
  const whole = Math.max(1, durationMs)
  const bars = entries.map(({ id, from, to, passed }) => {
    const left = Math.max(0, ((from - startedAt) / whole) * 100)
    const width = Math.max(0.2, ((to - from) / whole) * 100)
    const fill = passed === false ? 'var(--bad)' : passed === null ? 'var(--mute)' : 'var(--good)'
    const name = html(`${id}, ${timeText(to - from)}`)
    return `<rect x="${left.toFixed(2)}%" y="2" width="${width.toFixed(2)}%" height="16" fill="${fill}"><title>${name}</title></rect>`
  })
  return `<p>Worker ${slot}: ${html(percent(busyMs / whole))} busy</p><svg width="100%" height="20" role="img">${bars.join('')}</svg>`
}
