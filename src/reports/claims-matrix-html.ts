// Who may not run beside whom because of their claims, as a table of an HTML page.
import type { ClaimRow, ClaimsMatrix } from '../workloads/claims-matrix.ts'
import { html, line } from './escape.ts'
import { links } from './task-list.ts'
import { count } from './wording.ts'

const CLAIM_CHARS = 80
/** Tasks named in a row of those that claim the same. */
const MAX_CELL_NAMES = 6

/** `known`: tasks that can be linked to. */
export function claimsMatrixInHtml(matrix: ClaimsMatrix, known: Set<string>): string {
  const { rows, cells, leftOut, complete } = matrix
  if (rows.length === 0) return ''
  const signs = new Map(cells.flatMap(({ a, b, kind }) => [[`${a} ${b}`, kind] as const, [`${b} ${a}`, kind] as const]))
  const head = rows.map((row, at) => `<th title="${html(nameOf(row))}">${at + 1}</th>`)
  const body = rows.map((row, at) => {
    const marks = rows.map((other, to) => mark(signs.get(`${at} ${to}`), row, other))
    return `<tr><th>${at + 1}</th><td>${namesOf(row, known)}<br><code class="soft">${html(line(claimsOf(row), CLAIM_CHARS))}</code></td>${marks.join('')}</tr>`
  })
  const left = leftOut > 0 ? [`${count(leftOut)} more rows with fewer conflicts are not shown.`] : []
  const unsure = complete ? [] : ['The plan is too big to look at every pair: there may be more.']
  const notes = [...left, ...unsure].map((text) => `<p class="note">${text}</p>`)
  return [
    '<section><h2>Claims</h2><p class="soft">× never at the same time; · one after the other anyway, because one needs the other. Tasks that claim the same share a row.</p>',
    `<div class="scroll tall" tabindex="0"><table class="mx"><thead><tr><th></th><th></th>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table></div>${notes.join('')}</section>`,
  ].join('')
}

function mark(kind: 'conflict' | 'ordered' | undefined, row: ClaimRow, other: ClaimRow): string {
  if (kind === undefined) return '<td class="x"></td>'
  const words = kind === 'conflict' ? 'never at the same time' : 'one after the other anyway'
  const title = row === other ? `${nameOf(row)}: ${words}` : `${nameOf(row)} and ${nameOf(other)}: ${words}`
  return `<td class="x ${kind === 'conflict' ? 'bad' : 'mute'}" title="${html(title)}">${kind === 'conflict' ? '×' : '·'}</td>`
}

function namesOf({ tasks, count: many }: ClaimRow, known: Set<string>): string {
  const shown = tasks.slice(0, MAX_CELL_NAMES)
  return `${links(shown, known)}${many > shown.length ? ` and ${count(many - shown.length)} more` : ''}`
}

function nameOf({ tasks, count: many }: ClaimRow): string {
  const shown = tasks.slice(0, MAX_CELL_NAMES)
  return `${shown.join(', ')}${many > shown.length ? ` and ${count(many - shown.length)} more` : ''}`
}

function claimsOf({ write, read }: ClaimRow): string {
  return [...write, ...read.map((path) => `reads ${path}`)].join(' ')
}
