// The report of a run as data: the verdict, the figures, what went wrong, and the sections that all formats share. For the
// dashboard, and for the page of `espalier report --html`.

import type { Failure } from '../event.ts'
import { messageParts } from '../failure.ts'
import type { TaskStatus } from '../status.ts'
import { formatDuration } from '../text/duration.ts'
import { count, grouped, percent } from '../text/figures.ts'
import { costText, money, tokensText } from '../text/usage-text.ts'
import type { Usage } from '../usage.ts'
import type { RunView } from '../view.ts'
import { line, tail } from './escape.ts'
import { failureLog } from './facts/log-tails.ts'
import { type Facts, factsOf, type ReportInput } from './facts/run.ts'
import { noteSections } from './sections/notes.ts'
import { boundedSection, type Figure, filled, type ReportSection } from './sections/section.ts'
import { sectionsAbove, sectionsBelow } from './sections/section-order.ts'

export type Summary = {
  title: string
  detail: string
  objective: string | null
  figures: Figure[]
  failures: FailedTask[]
  /** Number of failures not listed. */
  failuresLeftOut: number
  sections: ReportSection[]
  /** A section for each session. */
  notes: ReportSection[]
  generatedAt: number
}

/** `log`: the last lines, or empty if the failure message already has them. */
export type FailedTask = {
  task: string
  title: string
  status: TaskStatus
  attempts: number
  failure: Failure | null
  blocks: string[]
  log: string
}

/** A summary with nothing but a title. */
export const NO_SUMMARY = {
  ...{ detail: '', objective: null, figures: [], failures: [], failuresLeftOut: 0, sections: [], notes: [] },
} satisfies Partial<Summary>

const MAX_FAILURES = 50
const OBJECTIVE_CHARS = 500
const LOG_LINES = 40
const LOG_CHARS = 4_000
const TITLE_CHARS = 160
const MESSAGE_CHARS = 1_500
const MAX_PATHS = 20
const PATH_CHARS = 300
const MAX_BLOCKED = 200

export function summaryOf(input: ReportInput, facts: Facts = factsOf(input)): Summary {
  const { title, detail } = facts.verdict
  const { objective } = facts.purpose
  return {
    title,
    detail,
    objective: objective === null ? null : line(objective, OBJECTIVE_CHARS),
    figures: keyFigures(input.view, facts),
    failures: failedTasks(input, facts),
    failuresLeftOut: Math.max(0, facts.failures.length - MAX_FAILURES),
    sections: filled([...sectionsAbove(input.view, facts), ...sectionsBelow(input.view, facts)]).map(boundedSection),
    notes: noteSections(facts).map(boundedSection),
    generatedAt: input.generatedAt,
  }
}

function failedTasks({ view, logTails }: ReportInput, { failures }: Facts): FailedTask[] {
  const status = new Map(view.tasks.map((task) => [task.id, task.status]))
  return failures.slice(0, MAX_FAILURES).map(({ task, title, failure, attempts, blocks }) => ({
    task,
    title: line(title, TITLE_CHARS),
    status: status.get(task) ?? 'failed',
    attempts,
    failure: failure && bounded(failure),
    blocks: blocks.slice(0, MAX_BLOCKED),
    log: failureLog(failure, Object.hasOwn(logTails, task) ? logTails[task] : '', LOG_LINES, LOG_CHARS),
  }))
}

function bounded({ message, paths, ...failure }: Failure): Failure {
  const { said, output } = messageParts(message.slice(0, 4 * MESSAGE_CHARS))
  const end = tail(output, LOG_LINES, LOG_CHARS).text
  return {
    ...failure,
    message: end === '' ? line(said, MESSAGE_CHARS) : `${line(said, MESSAGE_CHARS)}\n${end}`,
    ...(paths ? { paths: paths.slice(0, MAX_PATHS).map((path) => line(path, PATH_CHARS)) } : {}),
  }
}

/** Quiet time is mentioned only above both: this share of the run and this duration. */
const QUIET_SHARE = 0.1
const QUIET_MS = 60_000
/** Shortest interruption before a resume that counts as a pause. */
const PAUSE_MS = 1_000

function keyFigures(view: RunView, facts: Facts): Figure[] {
  const { lost, measured, planned, landedDiff, usage, spending } = facts
  // The speed-up of a run that waited long for a provider ignores that wait.
  const quiet = facts.quietMs > Math.max(QUIET_MS, QUIET_SHARE * facts.wallMs)
  const activeMs = quiet ? facts.wallMs - facts.quietMs : facts.wallMs
  const speedUp = activeMs > 0 && facts.workMs > 0 ? `${(facts.workMs / activeMs).toFixed(2)} ×` : '–'
  const ratio =
    measured.lowerBoundMs > 0 ? `; the run took ${(activeMs / measured.lowerBoundMs).toFixed(2)} × as long` : ''
  const { notLanded } = spending.run
  const attempts = count(facts.attempts, 'attempt')
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
      grouped(lost.attempts),
      lost.attempts === 0 ? '' : `${formatDuration(lost.ms)}${price} for work that was not used`,
    ],
    [
      'Landed changes',
      `+${grouped(landedDiff.insertions)} −${grouped(landedDiff.deletions)}`,
      `${count(landedDiff.files, 'file change')} in ${count(facts.landings, 'landing')}`,
    ],
  ]
  if (hasUsage(usage)) figures.push(['Cost', costText(usage), tokensText(usage)])
  if (hasUsage(notLanded)) figures.push(['Cost, not landed', costText(notLanded), tokensText(notLanded)])
  return figures
}

function wallWords({ idleMs = 0, counts }: RunView, { quietMs, slots }: Facts, quiet: boolean): string {
  if (quiet) return `no task ran for ${formatDuration(quietMs)} of it`
  if (idleMs >= PAUSE_MS) return `not counting ${formatDuration(idleMs)} in which it was not running`
  return `${count(counts.total, 'task')}, up to ${slots.length} at a time`
}

/** The limit on speed: critical path, claims or slots. */
function boundWords({ measured: { criticalPath, busiestClaim, lowerBoundMs }, slots }: Facts): string {
  if (criticalPath.ms >= lowerBoundMs) return `critical path of ${count(criticalPath.tasks.length, 'task')}`
  if (busiestClaim && busiestClaim.boundMs >= lowerBoundMs)
    return `${count(busiestClaim.tasks, 'task')} one after the other, by their claims`
  return `work spread over ${count(slots.length, 'slot')}`
}

function hasUsage({ costUsd, inputTokens, outputTokens }: Usage): boolean {
  return costUsd > 0 || inputTokens + outputTokens > 0
}
