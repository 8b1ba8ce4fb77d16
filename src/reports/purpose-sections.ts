// The part of a report that says what the work goes back to: the decisions that the plan names.
import { html, line, markdown, markdownCode } from './escape.ts'
import type { PurposeFacts } from './purpose-facts.ts'
import { links } from './task-list.ts'

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
