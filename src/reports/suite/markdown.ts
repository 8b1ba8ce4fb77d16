// The report of a suite in Markdown: for people, for a pull request, for the step summary of GitHub Actions.
import { messageParts } from '../../failure.ts'
import type { Compared } from '../../workloads/suite/comparison.ts'
import type { ReportedEntry, SuiteReport } from '../../workloads/suite/report.ts'
import { markdown as escaped, markdownBlock, markdownCode } from '../html/escape.ts'
import { costText, passAtText, rateText, slowest, stabilityText, summaryLine, timeText, variantText } from './words.ts'

export function renderSuiteMarkdown(report: SuiteReport): string {
  const { entries } = report
  const failed = entries.filter(({ verdict }) => verdict === 'failed')
  const flaky = entries.filter(({ verdict, stability }) => verdict === 'flaky' || stability.kind === 'flaky')
  return [
    `# ${report.ok ? 'Passed' : 'Failed'}: ${escaped(report.name)}`,
    `${summaryLine(report)}. Run ${markdownCode(report.run)} of ${markdownCode(report.base.slice(0, 12))}.`,
    ...comparisonPart(report),
    ...matrixPart(report),
    ...(failed.length > 0 ? ['## Failed', ...failed.map(failedPart)] : []),
    ...(flaky.length > 0
      ? [
          '## Flaky',
          ...flaky.map(
            (one) => `- ${markdownCode(one.id)}: ${one.verdict}, ${stabilityText(one) || 'failed first, then passed'}`,
          ),
        ]
      : []),
    '## Entries',
    table(
      ['entry', 'verdict', 'tries', 'time', 'tests'],
      entries.map((one) => [
        markdownCode(one.id),
        one.quarantined ? `${one.verdict} (quarantined)` : one.verdict,
        String(one.tries.length),
        timeText(one.durationMs),
        testsText(one),
      ]),
    ),
    '## Slowest',
    table(
      ['entry', 'time'],
      slowest(entries).map((one) => [markdownCode(one.id), timeText(one.durationMs)]),
    ),
    '',
  ].join('\n\n')
}

function testsText({ counts }: ReportedEntry): string {
  if (!counts) return ''
  const bad = (counts.failures ?? 0) + (counts.errors ?? 0)
  return `${counts.tests ?? 0}${bad > 0 ? `, ${bad} failed` : ''}`
}

function failedPart(entry: ReportedEntry): string {
  const { said } = messageParts(entry.failure?.message ?? '')
  const news = entry.newlyFailing ? ' (passed the last time)' : ''
  const lines = [`### ${escaped(entry.id)}${news}`, escaped(said)]
  if (entry.output !== '') lines.push(markdownBlock(entry.output.split('\n').slice(-30).join('\n')))
  if (entry.kept !== null) lines.push(`Its worktree as it was: ${markdownCode(entry.kept)}`)
  if (entry.repeat !== null) lines.push(`By hand: ${markdownCode(entry.repeat)}`)
  return lines.join('\n\n')
}

function comparisonPart({ comparison, compared }: SuiteReport): string[] {
  if (!comparison) return []
  const list = (title: string, all: readonly Compared[]) =>
    all.length === 0 ? [] : [`**${title}**: ${all.map(({ key }) => markdownCode(key)).join(', ')}`]
  const slower = comparison.slower.map(
    ({ key, baseMs, headMs }) => `${markdownCode(key)} (${timeText(baseMs)} → ${timeText(headMs)})`,
  )
  return [
    `## Compared with ${markdownCode(compared?.slice(0, 12) ?? '')}`,
    ...list('Newly broken', comparison.newlyBroken),
    ...list('Newly fixed', comparison.newlyFixed),
    ...list('Still failing', comparison.stillFailing),
    ...(slower.length > 0 ? [`**Slower**: ${slower.join(', ')}`] : []),
    ...list('Without a verdict on one side', comparison.unknown),
    ...(Object.values(comparison).every((all) => all.length === 0) ? ['Nothing differs.'] : []),
  ]
}

function matrixPart({ matrix }: SuiteReport): string[] {
  if (!matrix) return []
  const row = (cell: (typeof matrix.cells)[number]) => [
    ...(cell.entry === '' ? ['all'] : [markdownCode(cell.entry)]),
    escaped(variantText(cell.variant)),
    rateText(cell),
    passAtText(cell),
    timeText(cell.durationMs),
    costText(cell),
  ]
  const names = ['entry', matrix.axes.join(' · ') || 'variant', 'passed at the first try', 'pass@k', 'time', 'cost']
  return ['## Variants', table(names, [...matrix.cells, ...matrix.variants].map(row))]
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')
}
