// Figures as people read them, the same words in every format.

import type { DiffStat, RunView } from '../status.ts'
import { formatDuration } from '../text/duration.ts'
import { costText, money, tokensText } from '../text/usage-text.ts'
import type { Usage } from '../usage.ts'
import type { Facts } from './facts/run.ts'

type Figure = { label: string; value: string; note: string }

/** Quiet time worth a word: this share of the run and this long. */
const QUIET_SHARE = 0.1
const QUIET_MS = 60_000
/** Before a run was resumed: shorter than this is no pause. */
const PAUSE_MS = 1_000

export function keyFigures(view: RunView, facts: Facts): Figure[] {
  const { idleMs = 0 } = view
  const { lost, retries, measured, planned, landedDiff, usage, spending } = facts
  // A run that waited long for a provider is judged by the time in which it worked.
  const quiet = facts.quietMs > Math.max(QUIET_MS, QUIET_SHARE * facts.wallMs)
  const activeMs = quiet ? facts.wallMs - facts.quietMs : facts.wallMs
  const speedUp = activeMs > 0 && facts.workMs > 0 ? `${(facts.workMs / activeMs).toFixed(2)} ×` : '–'
  const bound = boundWords(facts)
  const ratio = measured.lowerBoundMs > 0 ? `; took ${(activeMs / measured.lowerBoundMs).toFixed(2)} × that` : ''
  const figures: Figure[] = [
    {
      label: 'Wall time',
      value: formatDuration(facts.wallMs),
      note: quiet
        ? `nothing ran for ${formatDuration(facts.quietMs)} of it`
        : idleMs >= PAUSE_MS
          ? `without the ${formatDuration(idleMs)} before it was resumed`
          : `${plural(view.counts.total, 'task')} on ${plural(facts.slots.length, 'slot')}`,
    },
    { label: 'Work', value: formatDuration(facts.workMs), note: `${plural(facts.attempts, 'attempt')} added up` },
    {
      label: 'Speed-up',
      value: speedUp,
      note: quiet
        ? `in the ${formatDuration(activeMs)} in which something ran`
        : `slots were busy ${percent(facts.utilisation)} of the time`,
    },
    {
      label: 'Lower bound',
      value: formatDuration(measured.lowerBoundMs),
      note: `${bound}${ratio}${planned ? `; planned ${formatDuration(planned.lowerBoundMs)}` : ''}`,
    },
    {
      label: 'Retries',
      value: String(retries.count),
      note:
        lost.attempts === 0
          ? 'no attempt wasted'
          : `${formatDuration(lost.ms)}${lost.costUsd > 0 ? ` and ${money(lost.costUsd)}` : ''} in ${plural(lost.attempts, 'wasted attempt')}`,
    },
    {
      label: 'Landed changes',
      value: `+${count(landedDiff.insertions)} −${count(landedDiff.deletions)}`,
      note: `${plural(landedDiff.files, 'file')} in ${plural(facts.landings, 'landing')}`,
    },
  ]
  const { notLanded } = spending.run
  if (isSome(usage)) figures.push({ label: 'Cost', value: costText(usage), note: tokensText(usage) })
  if (isSome(notLanded))
    figures.push({ label: 'Spent, not landed', value: costText(notLanded), note: tokensText(notLanded) })
  return figures
}

/** What the run could not have been faster than. */
function boundWords({ measured: { criticalPath, busiestClaim, lowerBoundMs }, slots }: Facts): string {
  if (criticalPath.ms >= lowerBoundMs) return `longest chain: ${plural(criticalPath.tasks.length, 'task')}`
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

export function iso(time: number): string {
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
