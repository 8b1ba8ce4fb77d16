// The report as Markdown: for a terminal, a pull request, an issue.

import { attemptMs, workedMs } from '../facts/durations.ts'
import { messageParts } from '../failure.ts'
import { formatDuration } from '../text/duration.ts'
import { clock, count, diffText, shortCommit } from '../text/figures.ts'
import { attemptAgent, attemptWord, STATUS_ORDER, STATUS_SIGN } from '../text/status-look.ts'
import { whyFailed } from '../text/telling-lines.ts'
import type { AttemptView, TaskView } from '../view.ts'
import { line } from './escape.ts'
import { type Facts, factsOf, type ReportInput } from './facts/run.ts'
import { renderMermaid } from './mermaid.ts'
import { type Cell, documentInMarkdown, listed, type ReportSection, table } from './sections/section.ts'
import { sectionsAbove, sectionsBelow } from './sections/section-order.ts'
import { type FailedTask, summaryOf } from './summary.ts'

const MAX_TASK_ROWS = 500
const MAX_RETRIED = 50
/** Larger graphs are unreadable in Mermaid. */
const MAX_GRAPH_TASKS = 60
const MAX_PATHS = 20
const MAX_BLOCKED = 30

export function renderMarkdown(input: ReportInput): string {
  const { view, plan, generatedAt } = input
  const facts = factsOf(input)
  const { title, detail, objective, figures, failures, failuresLeftOut, notes } = summaryOf(input, facts)
  const run: Cell = [
    ...['Run ', { code: view.run }, ', branch ', { code: view.branch }, ' at ', { code: shortCommit(view.head) }],
    ...[' from base ', { code: shortCommit(view.base) }, `, started ${clock(view.startedAt)} UTC`],
    `${view.finishedAt === null ? '' : `, finished ${clock(view.finishedAt)} UTC`}; written ${clock(generatedAt)} UTC.`,
  ]
  const isDrawn = view.tasks.length > 0 && view.tasks.length <= MAX_GRAPH_TASKS
  return documentInMarkdown({
    title: `${line(view.name || view.run, 120)}: ${title}`,
    words: [`${detail}${detail.endsWith('.') ? '' : '.'}`, ...(objective ? [`Objective: ${objective}`] : []), run],
    figures,
    sections: [
      { title: 'What went wrong', sections: failures.map(failureSection), leftOut: failuresLeftOut },
      ...sectionsAbove(view, facts),
      retrySection(view.tasks, facts),
      taskSection(view.tasks, facts),
      ...sectionsBelow(view, facts),
      { title: 'Session notes', sections: notes },
      isDrawn ? { title: 'Graph', mermaid: renderMermaid(plan, view) } : null,
    ],
  })
}

function failureSection({ task, title, failure, attempts, blocks, log }: FailedTask): ReportSection {
  const { said, output } = messageParts(failure?.message ?? '')
  const after = `after ${count(attempts, 'attempt')}`
  const paths = (failure?.paths ?? []).slice(0, MAX_PATHS).map((code) => ({ code }))
  return {
    title: `${task} ${title}`,
    words: [failure ? `${failure.reason} ${after}: ${said}` : `It ended ${after}.`],
    blocks: output === '' ? [] : [output],
    list: [
      ...(paths.length > 0 ? [['Paths: ', ...listed(paths)]] : []),
      ...(blocks.length > 0 ? [['Blocked: ', { tasks: blocks, most: MAX_BLOCKED }]] : []),
    ],
    sections: log === '' ? [] : [{ title: 'End of its log', blocks: [log] }],
  }
}

function retrySection(tasks: readonly TaskView[], { endAt }: Facts): ReportSection {
  const retried = tasks.filter((task) => task.history.length > 1)
  const wordOf = (attempt: AttemptView) => {
    const by = attempt.insteadOf ? `, ${attemptAgent(attempt)}` : ''
    return `${attempt.attempt}: ${attemptWord(attempt)}${by} (${formatDuration(attemptMs(attempt, endAt))})`
  }
  const cells = ({ id, history }: TaskView) => [{ tasks: [id] }, history.slice(-10).map(wordOf).join('; ')]
  return { title: 'Retried tasks', ...table(['Task', 'Attempts'], retried, cells, MAX_RETRIED) }
}

function taskSection(tasks: readonly TaskView[], { endAt, waits }: Facts): ReportSection {
  const rank = new Map(STATUS_ORDER.map((status, index) => [status, index]))
  // With one agent for all of them there is nothing to tell apart.
  const showsAgent = new Set(tasks.flatMap((task) => task.history.map(attemptAgent))).size > 1
  const cells = (task: TaskView): Cell[] => {
    const last = task.history.at(-1)
    const wait = Object.hasOwn(waits, task.id) ? waits[task.id] : undefined
    const said = task.failure ? whyFailed(task.failure) : (wait?.text ?? last?.summary ?? '')
    return [
      `${STATUS_SIGN[task.status]} ${task.status}`,
      [{ code: task.id }, ` ${line(task.title, 80)}`],
      ...(showsAgent ? [last ? attemptAgent(last) : ''] : []),
      task.history.length > 0 ? formatDuration(workedMs(task.history, endAt)) : '',
      String(task.history.length),
      last?.diff ? diffText(last.diff) : '',
      task.landedCommit ? { code: shortCommit(task.landedCommit) } : '',
      line(said, 120),
    ]
  }
  const figures = ['Time', 'Attempts', 'Changes', 'Commit', 'Summary, failure or what it waits for']
  const head = ['Status', 'Task', ...(showsAgent ? ['Agent'] : []), ...figures]
  const inOrder = tasks.toSorted((a, b) => (rank.get(a.status) ?? 0) - (rank.get(b.status) ?? 0))
  return { title: 'Tasks', ...table(head, inOrder, cells, MAX_TASK_ROWS) }
}
