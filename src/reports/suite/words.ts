// Wording shared by all formats of a suite report.

import { formatDuration } from '../../text/duration.ts'
import { money } from '../../text/usage-text.ts'
import type { ReportedEntry, SuiteReport } from '../../workloads/suite/report.ts'
import type { MatrixCell } from '../../workloads/suite/results-by-variant.ts'

/** `7 passed, 1 failed, 1 flaky of 9 in 12s, 3 at a time (2.4 × as fast as one at a time, 81% busy)` */
export function summaryLine({ summary }: SuiteReport): string {
  const named = (['passed', 'flaky', 'failed', 'blocked', 'cancelled', 'running', 'pending'] as const)
    .filter((verdict) => summary[verdict] > 0)
    .map((verdict) => `${summary[verdict]} ${verdict}`)
  const quarantined = summary.quarantined > 0 ? ` (${summary.quarantined} of these quarantined)` : ''
  const gain =
    summary.speedUp === null || summary.efficiency === null
      ? ''
      : ` (${summary.speedUp.toFixed(1)} × as fast as one at a time, ${percent(summary.efficiency)} busy)`
  return `${named.join(', ')}${quarantined} of ${summary.total} in ${formatDuration(summary.durationMs)}, ${summary.workers} at a time${gain}`
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)}%`
}

export function timeText(ms: number | null): string {
  return ms === null ? '' : formatDuration(ms)
}

/** `fails 20% of the time (11–34%, 60 tries)` */
export function stabilityText({ stability }: Pick<ReportedEntry, 'stability'>): string {
  const { kind, failureRate, interval, tries } = stability
  if (kind !== 'flaky') return ''
  return `fails ${percent(failureRate)} of the time (${percent(interval.low)}–${percent(interval.high)}, ${tries} tries)`
}

/** `12, 3 failed`: test counts from the JUnit files of an entry. */
export function testsText({ counts }: ReportedEntry): string {
  if (!counts) return ''
  const bad = (counts.failures ?? 0) + (counts.errors ?? 0)
  return `${counts.tests ?? 0}${bad > 0 ? `, ${bad} failed` : ''}`
}

export function variantText(variant: Record<string, string>): string {
  return Object.values(variant).join(' · ')
}

/** `4/5 = 80% (38–96%)` */
export function rateText({ passed, looks, rate, interval }: MatrixCell): string {
  if (looks === 0) return '–'
  return `${passed}/${looks} = ${percent(rate)} (${percent(interval.low)}–${percent(interval.high)})`
}

export function passAtText({ passAt }: MatrixCell): string {
  return Object.entries(passAt)
    .map(([k, chance]) => `pass@${k} ${percent(chance)}`)
    .join(', ')
}

export function costText({ tokens, costUsd }: MatrixCell): string {
  return tokens === 0 && costUsd === 0 ? '' : `${tokens.toLocaleString('en')} tokens, ${money(costUsd)}`
}
