// The report as Markdown: for a terminal, a pull request, an issue.

import { messageParts } from '../failure.ts'
import type { TaskView } from '../status.ts'
import { formatDuration } from '../text/duration.ts'
import { STATUS_SIGN } from '../text/status-sign.ts'
import { failureLine } from '../text/telling-lines.ts'
import { renderMermaid } from './drawings/mermaid.ts'
import { failureLog } from './facts/log-tails.ts'
import { attemptMs, type Facts, factsOf, type ReportInput, taskMs } from './facts/run.ts'
import { line, markdown, markdownBlock, markdownCode, tail } from './html/escape.ts'
import { attemptAgent, attemptWord, STATUS_ORDER } from './html/status-look.ts'
import { keptSection } from './sections/kept.ts'
import { notesInMarkdown } from './sections/notes.ts'
import { nextSection, sectionsAbove, sectionsBelow } from './sections/order.ts'
import { type Cell, cellInMarkdown, type ReportSection, sectionInMarkdown } from './sections/section.ts'
import { clock, diffWords, keyFigures, plural, shortCommit } from './wording.ts'

const MAX_TASK_ROWS = 500
const MAX_FAILURES = 30
const MAX_RETRIED = 50
/** Drawn by Mermaid without becoming a knot. */
const MAX_GRAPH_TASKS = 60
const OBJECTIVE_CHARS = 500
const LOG_LINES = 20
const LOG_CHARS = 2_000

export function renderMarkdown(input: ReportInput): string {
  const { view, plan } = input
  const facts = factsOf(input)
  const { title, detail } = facts.verdict
  const section = sectionInMarkdown
  const parts = [
    `# ${markdown(line(view.name || view.run, 120))}: ${title}`,
    `${markdown(detail)}${detail.endsWith('.') ? '' : '.'}`,
    facts.purpose.objective ? `Objective: ${markdown(line(facts.purpose.objective, OBJECTIVE_CHARS))}` : '',
    `Run ${markdownCode(view.run)}, branch ${markdownCode(view.branch)} at ${markdownCode(shortCommit(view.head))} from base ${markdownCode(shortCommit(view.base))}, started ${clock(view.startedAt)}${view.finishedAt === null ? '' : `, finished ${clock(view.finishedAt)}`}.`,
    ['|  |  |  |', '| --- | --- | --- |', ...keyFigures(view, facts).map((figure) => figureRow(...figure))].join('\n'),
    section(nextSection(facts)),
    failures(input, facts),
    ...sectionsAbove(view, facts).map(section),
    section(retrySection(view.tasks, facts)),
    section(taskSection(view.tasks, facts)),
    ...sectionsBelow(facts).map(section),
    notesInMarkdown(facts),
    section(keptSection(view)),
    view.tasks.length > 0 && view.tasks.length <= MAX_GRAPH_TASKS
      ? `## Graph\n\n\`\`\`mermaid\n${renderMermaid(plan, view)}\`\`\``
      : '',
    `Written ${clock(input.generatedAt)}.`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function figureRow(label: string, value: string, note: string): string {
  return `| ${label} | **${value}** | ${note} |`
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
      blocks.length > 0 ? `Blocked: ${cellInMarkdown({ tasks: blocks, most: 30 })}` : '',
      log ? `End of its log:\n\n${markdownBlock(log)}` : '',
    ]
    return parts.filter((part) => part !== '').join('\n\n')
  })
  const left = facts.failures.length - items.length
  const more = left > 0 ? [`And ${plural(left, 'more failure')}, see the tasks.`] : []
  return ['## What went wrong', ...items, ...more].join('\n\n')
}

function retrySection(tasks: readonly TaskView[], { endAt }: Facts): ReportSection | null {
  const retried = tasks.filter((task) => task.history.length > 1)
  if (retried.length === 0) return null
  const rows = retried.slice(0, MAX_RETRIED).map((task): Cell[] => [
    { tasks: [task.id] },
    task.history
      .slice(-10)
      .map((attempt) => {
        const by = attempt.insteadOf ? `, ${attemptAgent(attempt)}` : ''
        return `${attempt.attempt}: ${attemptWord(attempt)}${by} (${formatDuration(attemptMs(attempt, endAt))})`
      })
      .join('; '),
  ])
  return { title: 'Retried tasks', head: ['Task', 'Attempts'], rows, leftOut: retried.length - rows.length }
}

function taskSection(tasks: readonly TaskView[], { endAt, waits }: Facts): ReportSection {
  const rank = new Map(STATUS_ORDER.map((status, index) => [status, index]))
  // With one agent for all of them there is nothing to tell apart.
  const showsAgent = new Set(tasks.flatMap((task) => task.history.map(attemptAgent))).size > 1
  const rows = tasks
    .toSorted((a, b) => (rank.get(a.status) ?? 0) - (rank.get(b.status) ?? 0))
    .slice(0, MAX_TASK_ROWS)
    .map((task): Cell[] => {
      const last = task.history.at(-1)
      const wait = Object.hasOwn(waits, task.id) ? waits[task.id] : undefined
      const said = task.failure ? failureLine(task.failure) : (wait?.text ?? last?.summary ?? '')
      return [
        `${STATUS_SIGN[task.status]} ${task.status}`,
        [{ code: task.id }, ` ${line(task.title, 80)}`],
        ...(showsAgent ? [last ? attemptAgent(last) : ''] : []),
        task.history.length > 0 ? formatDuration(taskMs(task, endAt)) : '',
        String(task.history.length),
        last?.diff ? diffWords(last.diff) : '',
        task.landedCommit ? { code: shortCommit(task.landedCommit) } : '',
        line(said, 120),
      ]
    })
  const agent = showsAgent ? ['Agent'] : []
  const head = [
    'Status',
    'Task',
    ...agent,
    'Time',
    'Attempts',
    'Changes',
    'Commit',
    'Summary, failure or what it waits for',
  ]
  return { title: 'Tasks', head, rows, leftOut: tasks.length - rows.length }
}
