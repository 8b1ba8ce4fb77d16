// The part of a report that says what the work goes back to: the decisions that the plan names.

import type { RunView } from '../../status.ts'
import type { PurposeFacts } from '../facts/run.ts'
import { html, line, markdown, markdownCode } from '../html/escape.ts'
import { links } from '../html/task-list.ts'
import type { TableSection } from './table.ts'

const TITLE = 'Decisions'
const MAX_DECISIONS = 50
const MAX_TASKS = 20
const MAX_CHARS = 200

export function decisionsInMarkdown({ decisions }: PurposeFacts): string {
  if (decisions.length === 0) return ''
  const lines = decisions.slice(0, MAX_DECISIONS).map(({ decision, epics, tasks }) => {
    const ids = tasks.slice(0, MAX_TASKS).map(markdownCode)
    if (tasks.length > MAX_TASKS) ids.push(`${tasks.length - MAX_TASKS} more`)
    return `- ${markdown(line(decision, MAX_CHARS))}: ${[...epics.map((epic) => `epic ${markdownCode(epic)}`), ...ids].join(', ')}`
  })
  return [`## ${TITLE}`, '', ...lines, ...leftOut(decisions.length)].join('\n')
}

export function decisionsInHtml({ decisions }: PurposeFacts, known: Set<string>): string {
  if (decisions.length === 0) return ''
  const rows = decisions.slice(0, MAX_DECISIONS).map(({ decision, epics, tasks }) => {
    const behind = [...epics.map((epic) => `epic <span class="m">${html(line(epic, 80))}</span>`)]
    if (tasks.length > 0) behind.push(links(tasks, known, MAX_TASKS))
    return `<li><b>${html(line(decision, MAX_CHARS))}</b>: ${behind.join(', ')}</li>`
  })
  const note = leftOut(decisions.length).map((text) => `<p class="note">${html(text)}</p>`)
  return `<section><h2>${TITLE}</h2><ul class="paths">${rows.join('')}</ul>${note.join('')}</section>`
}

function leftOut(decisions: number): string[] {
  const left = decisions - MAX_DECISIONS
  return left > 0 ? [`And ${left} more; the JSON report has all of them.`] : []
}

// The part of a report that says what the plan file does not say about the run.

const MAX_ROWS = 50

export function unwrittenSection({ unwritten, run }: Pick<RunView, 'unwritten' | 'run'>): TableSection | null {
  if (!unwritten) return null
  const { files, conflicts } = unwritten
  const rows = [
    ...files.map(({ file, why }) => [file, '', `could not be written: ${why}`]),
    ...conflicts.map(({ file, task, message }) => [file, task, message]),
  ]
  const words = [
    ...(files.length > 0 ? [`Once the file can be written, espalier resume ${run} writes how the tasks stand.`] : []),
    ...(conflicts.length > 0 ? ['What people changed for a task while the run went on is left as they have it.'] : []),
  ]
  const head = ['File', 'Task', 'Why']
  return { title: 'Not in the plan file', words, head, rows: rows.slice(0, MAX_ROWS), leftOut: rows.length - MAX_ROWS }
}
