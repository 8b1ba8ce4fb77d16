// The report of a suite in Markdown: for people, for a pull request, for the step summary of GitHub Actions.
import { messageParts } from '../../failure.ts'
import { STATUS_SIGN, STATUS_TONE } from '../../text/status-look.ts'
import type { ReportedEntry, SuiteReport } from '../../workloads/suite/report.ts'
import type { MatrixCell } from '../../workloads/suite/results-by-variant.ts'
import { type Cell, documentInMarkdown, list, listed, type ReportSection, table } from '../sections/section.ts'
import {
  costText,
  passAtText,
  rateText,
  stabilityText,
  summaryLine,
  testsText,
  timeText,
  variantText,
} from './words.ts'

/** Last lines shown of the output of a failed entry. */
const OUTPUT_LINES = 60

export function suiteMarkdown(report: SuiteReport): string {
  const { entries } = report
  const failed = entries.filter(({ verdict }) => verdict === 'failed')
  const flaky = entries.filter(({ verdict, stability }) => verdict === 'flaky' || stability.kind === 'flaky')
  const timed = entries.filter(({ durationMs }) => durationMs !== null)
  const slowest = timed.sort((a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0)).slice(0, MOST_SLOW)
  return documentInMarkdown({
    title: `${report.ok ? 'Passed' : 'Failed'}: ${report.name}`,
    words: [[`${summaryLine(report)}. Run `, { code: report.run }, ' of ', { code: report.base.slice(0, 12) }, '.']],
    sections: [
      comparisonSection(report),
      matrixSection(report),
      { title: 'Failed', sections: failed.map(failedSection) },
      { title: 'Flaky', ...list(flaky, flakyText) },
      entrySection(entries),
      { title: 'Slowest', ...table(['entry', 'time'], slowest, timeCells) },
    ],
  })
}

/** Sections for the terminal: a long suite omits entries that passed or have not run. */
export function suiteSections(report: SuiteReport): (ReportSection | null)[] {
  const { entries } = report
  const isLong = entries.length > MOST_LINES
  const shown = isLong ? entries.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'pending') : entries
  return [entrySection(shown), comparisonSection(report)]
}

const MOST_LINES = 40
const MOST_SLOW = 10

function flakyText(one: ReportedEntry): Cell {
  return [{ code: one.id }, `: ${one.verdict}, ${stabilityText(one) || 'failed first, then passed'}`]
}

function entrySection(entries: readonly ReportedEntry[]): ReportSection {
  return { title: 'Entries', ...table(['entry', 'verdict', 'tries', 'time', 'tests', 'why'], entries, entryCells) }
}

function entryCells(one: ReportedEntry): Cell[] {
  const { id, verdict, quarantined, tries, durationMs, newlyFailing, failure } = one
  const look = verdict === 'flaky' ? FLAKY : { sign: STATUS_SIGN[verdict], tone: STATUS_TONE[verdict] }
  const [said = ''] = messageParts(failure?.message ?? '').said.split('\n')
  const isBad = verdict === 'failed' || verdict === 'blocked'
  const why = [newlyFailing ? 'passed the last time' : '', stabilityText(one), isBad ? said : '']
  return [
    { code: id },
    [{ ...look, title: verdict }, ` ${verdict}${quarantined ? ' (quarantined)' : ''}`],
    ...[String(tries.length), timeText(durationMs), testsText(one), why.filter((text) => text !== '').join('; ')],
  ]
}

const FLAKY = { sign: '~', tone: 'warn' } as const

function timeCells({ id, durationMs }: ReportedEntry): Cell[] {
  return [{ code: id }, timeText(durationMs)]
}

function failedSection({ id, failure, newlyFailing, output, kept, repeat, environment }: ReportedEntry): ReportSection {
  const { said } = messageParts(failure?.message ?? '')
  const ways: [string, string | null][] = [
    ['Its worktree as it was', kept],
    ['By hand', repeat],
    ['Variables', environment.length === 0 ? null : environment.join(' ')],
  ]
  return {
    title: `${id}${newlyFailing ? ' (passed the last time)' : ''}`,
    words: said === '' ? [] : [said],
    blocks: output === '' ? [] : [output.split('\n').slice(-OUTPUT_LINES).join('\n')],
    list: ways.flatMap(([name, code]): Cell[] => (code === null ? [] : [[`${name}: `, { code }]])),
  }
}

function comparisonSection({ comparison, compared }: SuiteReport): ReportSection | null {
  if (!comparison) return null
  const { newlyBroken, newlyFixed, stillFailing, slower, unknown } = comparison
  const slowed = slower.map(({ key, baseMs, headMs }) => `${key} (${timeText(baseMs)} → ${timeText(headMs)})`)
  const keysOf = (all: readonly { key: string }[]) => all.map(({ key }) => key)
  const named = Object.entries({
    'Newly broken': keysOf(newlyBroken),
    'Newly fixed': keysOf(newlyFixed),
    'Still failing': keysOf(stillFailing),
    Slower: slowed,
    'Without a verdict on one side': keysOf(unknown),
  }).filter(([, keys]) => keys.length > 0)
  const list = named.map(([name, keys]): Cell => [`${name}: `, ...listed(keys.map((code) => ({ code })))])
  const words = list.length === 0 ? ['Nothing differs.'] : []
  return { title: `Compared with ${compared?.slice(0, 12) ?? ''}`, words, list }
}

function matrixSection({ matrix }: SuiteReport): ReportSection | null {
  if (!matrix) return null
  const cells = (cell: MatrixCell): Cell[] => [
    cell.entry === '' ? 'all' : { code: cell.entry },
    ...[variantText(cell.variant), rateText(cell), passAtText(cell), timeText(cell.durationMs), costText(cell)],
  ]
  const head = ['entry', matrix.axes.join(' · ') || 'variant', 'passed at the first try', 'pass@k', 'time', 'cost']
  return { title: 'Variants', ...table(head, [...matrix.cells, ...matrix.variants], cells) }
}

/** Annotations that GitHub Actions shows beside the log, for entries that failed or are flaky: lines for stdout. */
export function githubAnnotations({ entries }: SuiteReport): string[] {
  return entries.flatMap((entry) => {
    const { said } = messageParts(entry.failure?.message ?? '')
    if (entry.verdict === 'failed') {
      const end = entry.output.trimEnd().split('\n').slice(-ANNOTATION_LINES).join('\n')
      return command(entry.quarantined ? 'warning' : 'error', entry.id, `${said || 'it failed'}\n${end}`.trimEnd())
    }
    if (entry.verdict === 'blocked') return command('error', entry.id, said || 'an entry it needs did not pass')
    if (entry.verdict === 'flaky')
      return command('warning', entry.id, `flaky: failed first, then passed. ${stabilityText(entry)}`.trim())
    return []
  })
}

const ANNOTATION_LINES = 10

/** Nothing in a message may end the command or begin another one. */
function command(kind: 'error' | 'warning', title: string, message: string): string[] {
  const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const inProperty = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return [`::${kind} title=${inProperty(title)}::${escaped(message)}`]
}
