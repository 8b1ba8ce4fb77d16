// The report as Markdown: for a terminal, a pull request, an issue.

import { keptRef, keptWork } from '../facts/kept-refs.ts'
import { messageParts } from '../failure.ts'
import type { TaskView } from '../status.ts'
import { formatDuration } from '../text/duration.ts'
import { shellWord } from '../text/shell-word.ts'
import { STATUS_SIGN } from '../text/status-sign.ts'
import { money } from '../text/usage-text.ts'
import { renderMermaid } from './drawings/mermaid.ts'
import { failureLog } from './facts/log-tails.ts'
import { attemptMs, type Facts, factsOf, type ReportInput, taskMs } from './facts/run.ts'
import { line, markdown, markdownBlock, markdownCode, tail } from './html/escape.ts'
import { attemptAgent, attemptWord, STATUS_ORDER } from './html/status-look.ts'
import { claimsInMarkdown } from './sections/claims.ts'
import { estimateSection } from './sections/estimates.ts'
import { learnedSection } from './sections/learned.ts'
import { modelSection } from './sections/models.ts'
import { budgetsInMarkdown, spendingSection } from './sections/money.ts'
import { notesInMarkdown, noticedInMarkdown } from './sections/notes.ts'
import { decisionsInMarkdown, unwrittenSection } from './sections/purpose.ts'
import { queueInMarkdown } from './sections/queue.ts'
import { tableInMarkdown } from './sections/table.ts'
import { clock, diffWords, keyFigures, percent, plural, shortCommit } from './wording.ts'

const MAX_TASK_ROWS = 500
const MAX_FAILURES = 30
const MAX_RETRIED = 50
const MAX_SLOTS = 50
const MAX_KEPT = 100
/** Drawn by Mermaid without becoming a knot. */
const MAX_GRAPH_TASKS = 60
const OBJECTIVE_CHARS = 500
const LOG_LINES = 20
const LOG_CHARS = 2_000

export function renderMarkdown(input: ReportInput): string {
  const { view, plan } = input
  const facts = factsOf(input)
  const sections = [
    `# ${facts.verdict.title}: ${markdown(line(view.name || view.run, 120))}`,
    `${markdown(facts.verdict.detail)}${facts.verdict.detail.endsWith('.') ? '' : '.'}`,
    facts.purpose.objective ? `Objective: ${markdown(line(facts.purpose.objective, OBJECTIVE_CHARS))}` : '',
    `Run ${markdownCode(view.run)}, branch ${markdownCode(view.branch)} at ${markdownCode(shortCommit(view.head))} from base ${markdownCode(shortCommit(view.base))}, started ${clock(view.startedAt)}${view.finishedAt === null ? '' : `, finished ${clock(view.finishedAt)}`}.`,
    table(
      ['', '', ''],
      keyFigures(view, facts).map(({ label, value, note }) => [label, `**${value}**`, note]),
    ),
    next(facts),
    failures(input, facts),
    noticedInMarkdown(facts.noticed),
    claimsInMarkdown(facts),
    tableInMarkdown(unwrittenSection(view)),
    budgetsInMarkdown(facts.budgets),
    decisionsInMarkdown(facts.purpose),
    queueInMarkdown(facts.queue),
    retries(view.tasks, facts),
    slots(facts),
    tasks(input, facts),
    tableInMarkdown(spendingSection(facts.spending)),
    tableInMarkdown(modelSection(facts.models)),
    tableInMarkdown(estimateSection(facts.estimates)),
    notesInMarkdown(facts),
    keptWorkTable(input),
    tableInMarkdown(learnedSection(facts.learned)),
    view.tasks.length > 0 && view.tasks.length <= MAX_GRAPH_TASKS
      ? `## Graph\n\n\`\`\`mermaid\n${renderMermaid(plan, view)}\`\`\``
      : '',
    `Written ${clock(input.generatedAt)}.`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function next({ next }: Facts): string {
  if (next.length === 0) return ''
  return [
    '## What to do next',
    '',
    ...next.map(({ command, what }) => `- ${markdownCode(command)}: ${markdown(what)}`),
  ].join('\n')
}

function failures({ logTails }: ReportInput, facts: Facts): string {
  if (facts.failures.length === 0) return ''
  const items = facts.failures.slice(0, MAX_FAILURES).map(({ task, title, failure, attempts, blocks }) => {
    const log = failureLog(failure, Object.hasOwn(logTails, task) ? logTails[task] : '', LOG_LINES, LOG_CHARS)
    const { said, output } = messageParts(failure?.message ?? '')
    const parts = [
      `### ${markdownCode(task)} ${markdown(line(title, 160))}`,
      failure
        ? `${markdown(failure.reason)} after ${plural(attempts, 'attempt')}: ${markdown(line(said, 1_500))}`
        : `After ${plural(attempts, 'attempt')}.`,
      output ? markdownBlock(tail(output, LOG_LINES, LOG_CHARS).text) : '',
      failure?.paths?.length ? `Paths: ${failure.paths.slice(0, 20).map(markdownCode).join(', ')}` : '',
      blocks.length > 0 ? `Held up: ${some(blocks)}` : '',
      log ? `End of its log:\n\n${markdownBlock(log)}` : '',
    ]
    return parts.filter((part) => part !== '').join('\n\n')
  })
  const left = facts.failures.length - items.length
  return ['## What went wrong', ...items, left > 0 ? `And ${plural(left, 'more failure')}, see the tasks.` : '']
    .filter((part) => part !== '')
    .join('\n\n')
}

function retries(all: TaskView[], facts: Facts): string {
  const retried = all.filter((task) => task.history.length > 1)
  if (retried.length === 0) return ''
  const rows = retried.slice(0, MAX_RETRIED).map((task) => [
    markdownCode(task.id),
    task.history
      .slice(-10)
      .map((attempt) => {
        const by = attempt.insteadOf ? `, ${markdown(attemptAgent(attempt))}` : ''
        return `${attempt.attempt}: ${markdown(attemptWord(attempt))}${by} (${formatDuration(attemptMs(attempt, facts.endAt))})`
      })
      .join('; '),
  ])
  const { lost } = facts
  const price = lost.costUsd > 0 ? ` and ${money(lost.costUsd)}` : ''
  const words = `${plural(lost.attempts, 'attempt')} did not count: ${formatDuration(lost.ms)}${price}.`
  return `## Retries\n\n${words}\n\n${table(['Task', 'Attempts'], rows)}${leftOut(retried.length - rows.length, 'retried task')}`
}

function slots({ slots }: Facts): string {
  if (slots.length === 0) return ''
  const rows = slots
    .slice(0, MAX_SLOTS)
    .map(({ slot, attempts, busyMs, utilisation }) => [
      String(slot),
      String(attempts),
      formatDuration(busyMs),
      percent(utilisation),
    ])
  return `## Slots\n\n${table(['Slot', 'Attempts', 'Busy', 'Share'], rows)}${leftOut(slots.length - rows.length, 'slot')}`
}

function tasks({ view }: ReportInput, facts: Facts): string {
  if (view.tasks.length === 0) return ''
  const rank = new Map(STATUS_ORDER.map((status, at) => [status, at]))
  // With one agent for all of them there is nothing to tell apart.
  const agents = new Set(view.tasks.flatMap((task) => task.history.map(attemptAgent)))
  const tellsAgent = agents.size > 1
  const rows = view.tasks
    .toSorted((a, b) => (rank.get(a.status) ?? 0) - (rank.get(b.status) ?? 0))
    .slice(0, MAX_TASK_ROWS)
    .map((task) => {
      const last = task.history.at(-1)
      const said = task.failure ? messageParts(task.failure.message).said : (last?.summary ?? '')
      return [
        `${STATUS_SIGN[task.status]} ${task.status}`,
        `${markdownCode(task.id)} ${markdown(line(task.title, 80))}`,
        ...(tellsAgent ? [markdown(last ? attemptAgent(last) : '')] : []),
        task.history.length > 0 ? formatDuration(taskMs(task, facts.endAt)) : '',
        String(task.history.length),
        last?.diff ? diffWords(last.diff) : '',
        task.landedCommit ? markdownCode(shortCommit(task.landedCommit)) : '',
        markdown(line(said, 120)),
      ]
    })
  const head = [
    'Status',
    'Task',
    ...(tellsAgent ? ['Agent'] : []),
    'Time',
    'Attempts',
    'Changes',
    'Commit',
    'Summary or failure',
  ]
  return `## Tasks\n\n${table(head, rows)}${leftOut(view.tasks.length - rows.length, 'task')}`
}

/** Work that is not on the branch, and how to look at it. */
function keptWorkTable({ view }: ReportInput): string {
  const kept = view.tasks.flatMap(keptWork)
  if (kept.length === 0) return ''
  const rows = kept
    .slice(0, MAX_KEPT)
    .map((work) => [
      markdownCode(work.task),
      String(work.attempt),
      markdownCode(`git show ${shellWord(keptRef(view.run, work))}`),
    ])
  return `## Kept work\n\n${table(['Task', 'Attempt', 'Look at it'], rows)}${leftOut(kept.length - rows.length, 'ref')}`
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

function leftOut(count: number, noun: string): string {
  return count > 0 ? `\n\n${plural(count, noun)} not shown; the JSON report has all of them.` : ''
}

function some(ids: string[]): string {
  const shown = ids.slice(0, 30).map(markdownCode).join(', ')
  return ids.length > 30 ? `${shown} and ${ids.length - 30} more` : shown
}
