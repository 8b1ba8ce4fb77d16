// Figures as people read them, the same words in every format.

import { formatDuration } from '../text/duration.ts'
import { costText, money, tokensText } from '../text/usage-text.ts'
import type { Usage } from '../usage.ts'
import type { DiffStat, RunView } from '../view.ts'
import type { Facts } from './facts/run.ts'

export type Figure = [label: string, value: string, note: string]

/** Quiet time worth a word: this share of the run and this long. */
const QUIET_SHARE = 0.1
const QUIET_MS = 60_000
/** Before a run was resumed: shorter than this is no pause. */
const PAUSE_MS = 1_000

export function keyFigures(view: RunView, facts: Facts): Figure[] {
  const { lost, measured, planned, landedDiff, usage, spending } = facts
  // A run that waited long for a provider is judged by the time in which it worked.
  const quiet = facts.quietMs > Math.max(QUIET_MS, QUIET_SHARE * facts.wallMs)
  const activeMs = quiet ? facts.wallMs - facts.quietMs : facts.wallMs
  const speedUp = activeMs > 0 && facts.workMs > 0 ? `${(facts.workMs / activeMs).toFixed(2)} ×` : '–'
  const ratio =
    measured.lowerBoundMs > 0 ? `; the run took ${(activeMs / measured.lowerBoundMs).toFixed(2)} × as long` : ''
  const { notLanded } = spending.run
  const attempts = plural(facts.attempts, 'attempt')
  const price = lost.costUsd > 0 ? ` and ${money(lost.costUsd)}` : ''
  const figures: Figure[] = [
    ['Duration', formatDuration(facts.wallMs), wallWords(view, facts, quiet)],
    ['Total work', formatDuration(facts.workMs), `time of ${attempts} added up`],
    [
      'Speed-up',
      speedUp,
      quiet
        ? `total work ÷ the ${formatDuration(activeMs)} in which tasks ran`
        : `total work ÷ duration; slots were busy ${percent(facts.utilisation)} of the time`,
    ],
    [
      'Fastest possible',
      formatDuration(measured.lowerBoundMs),
      `${boundWords(facts)}${planned ? ` (estimate: ${formatDuration(planned.lowerBoundMs)})` : ''}${ratio}`,
    ],
    [
      'Wasted attempts',
      count(lost.attempts),
      lost.attempts === 0 ? '' : `${formatDuration(lost.ms)}${price} for work that was not used`,
    ],
    [
      'Landed changes',
      `+${count(landedDiff.insertions)} −${count(landedDiff.deletions)}`,
      `${plural(landedDiff.files, 'file change')} in ${plural(facts.landings, 'landing')}`,
    ],
  ]
  if (isSome(usage)) figures.push(['Cost', costText(usage), tokensText(usage)])
  if (isSome(notLanded)) figures.push(['Cost, not landed', costText(notLanded), tokensText(notLanded)])
  return figures
}

function wallWords({ idleMs = 0, counts }: RunView, { quietMs, slots }: Facts, quiet: boolean): string {
  if (quiet) return `no task ran for ${formatDuration(quietMs)} of it`
  if (idleMs >= PAUSE_MS) return `not counting ${formatDuration(idleMs)} in which it was not running`
  return `${plural(counts.total, 'task')}, up to ${slots.length} at a time`
}

/** What the run could not have been faster than. */
function boundWords({ measured: { criticalPath, busiestClaim, lowerBoundMs }, slots }: Facts): string {
  if (criticalPath.ms >= lowerBoundMs) return `critical path of ${plural(criticalPath.tasks.length, 'task')}`
  if (busiestClaim && busiestClaim.boundMs >= lowerBoundMs)
    return `${plural(busiestClaim.tasks, 'task')} one after the other, by their claims`
  return `work spread over ${plural(slots.length, 'slot')}`
}

function isSome({ costUsd, inputTokens, outputTokens }: Usage): boolean {
  return costUsd > 0 || inputTokens + outputTokens > 0
}

/** `12,345` */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

/** `2026-03-01 21:58 UTC`: reports say the same wherever they are made. */
export function clock(time: number): string {
  return `${iso(time).slice(0, 16).replace('T', ' ')} UTC`
}

function iso(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}

export function diffWords(diff: DiffStat): string {
  return `${plural(diff.files, 'file')} +${count(diff.insertions)} −${count(diff.deletions)}`
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Commits are shown as git shows them. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 10)
}
