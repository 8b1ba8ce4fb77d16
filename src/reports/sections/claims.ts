// The part of a report that says who changed what they had not claimed, who changed the same at the same time, and who
// changed what other programs run or obey.
import type { PathList } from '../../status.ts'
import type { Facts } from '../facts/run.ts'
import { html, markdownCode } from '../html/escape.ts'
import { links, paths } from '../html/task-list.ts'
import { plural } from '../wording.ts'

const MAX_ROWS = 50
const MAX_PATHS = 10

const UNDECLARED = 'Changed without a claim'
const OVERLAPS = 'Changed by two tasks at the same time'
const FLAGGED = 'Worth a look: run or obeyed by other programs'

export function claimsInMarkdown({ claims, flagged }: Facts): string {
  const undeclared = claims.undeclared.map((fact) => ({ who: markdownCode(fact.task), ...fact }))
  const overlaps = claims.overlaps.map((fact) => ({ who: fact.tasks.map(markdownCode).join(' and '), ...fact }))
  const toLookAt = flagged.map((fact) => ({ who: markdownCode(fact.task), ...fact }))
  return [list(FLAGGED, toLookAt), list(UNDECLARED, undeclared), list(OVERLAPS, overlaps)]
    .filter((text) => text !== '')
    .join('\n\n')
}

function list(title: string, facts: ({ who: string } & PathList)[]): string {
  if (facts.length === 0) return ''
  const lines = facts.slice(0, MAX_ROWS).map((fact) => {
    const shown = fact.paths.slice(0, MAX_PATHS).map(markdownCode).join(', ')
    return `- ${fact.who}: ${shown}${total(fact, MAX_PATHS)}`
  })
  return [`## ${title}`, '', ...lines, ...left(facts.length)].join('\n')
}

export function claimsInHtml({ claims, flagged }: Facts, known: Set<string>): string {
  const undeclared = claims.undeclared.map((fact) => ({ who: links([fact.task], known), ...fact }))
  const overlaps = claims.overlaps.map((fact) => ({ who: links(fact.tasks, known), ...fact }))
  const toLookAt = flagged.map((fact) => ({ who: links([fact.task], known), ...fact }))
  return section(FLAGGED, toLookAt) + section(UNDECLARED, undeclared) + section(OVERLAPS, overlaps)
}

function section(title: string, facts: ({ who: string } & PathList)[]): string {
  if (facts.length === 0) return ''
  const rows = facts
    .slice(0, MAX_ROWS)
    .map((fact) => `<li>${fact.who}: ${paths(fact.paths)}${html(total(fact, fact.paths.length))}</li>`)
  const note = left(facts.length).map((text) => `<p class="note">${html(text)}</p>`)
  return `<section><h2>${title}</h2><ul class="paths">${rows.join('')}</ul>${note.join('')}</section>`
}

/** Folders stand for what is in them, so the list alone does not say how many there are. */
function total({ count, paths }: PathList, shown: number): string {
  return count > Math.min(shown, paths.length) ? ` (${plural(count, 'path')})` : ''
}

function left(facts: number): string[] {
  return facts > MAX_ROWS ? [`And ${facts - MAX_ROWS} more; the JSON report has all of them.`] : []
}
