// The parts of a report that hand on what agents found out: what they noticed, and a note for each of their sessions.
import type { SessionNote } from '../engine/session-note.ts'
import { html, line, markdown, markdownCode } from './escape.ts'
import type { Facts } from './facts.ts'
import { noteRows, noteWords } from './note-rows.ts'
import type { NoticedFacts } from './noticed-facts.ts'
import { links } from './task-list.ts'

const NOTICED = 'What agents noticed'
const NOTES = 'Session notes'
const MAX_NOTICED = 100
const MAX_NOTES = 100
const TITLE_CHARS = 160
const SUMMARY_CHARS = 1_500

export function noticedInMarkdown(noticed: readonly NoticedFacts[]): string {
  if (noticed.length === 0) return ''
  const rows = noticed
    .slice(0, MAX_NOTICED)
    .map(({ task, kind, ...note }) => `- ${kind}, ${markdownCode(task)}: ${markdown(noteWords(note))}`)
  return [`## ${NOTICED}`, '', ...rows, ...more(noticed.length - rows.length).flatMap((text) => ['', text])].join('\n')
}

export function noticedInHtml(noticed: readonly NoticedFacts[], known: Set<string>): string {
  if (noticed.length === 0) return ''
  const rows = noticed.slice(0, MAX_NOTICED).map(({ task, kind, ...note }) => {
    return `<li><b>${kind}</b>, ${links([task], known)}: ${html(noteWords(note))}</li>`
  })
  const left = more(noticed.length - rows.length).map((text) => `<p class="note">${text}</p>`)
  return `<section><h2>${NOTICED}</h2><ul class="paths">${rows.join('')}</ul>${left.join('')}</section>`
}

export function notesInMarkdown({ notes, notesLeftOut }: Facts): string {
  if (notes.length === 0) return ''
  const shown = notes.slice(0, MAX_NOTES)
  const left = notes.length - shown.length + notesLeftOut
  return [`## ${NOTES}`, ...shown.map((note) => renderNote(note).trimEnd()), ...more(left, SEE_SESSIONS)].join('\n\n')
}

/** One note as Markdown. */
export function renderNote(note: SessionNote): string {
  const rows = noteRows(note, { words: markdown, code: markdownCode })
  const summary = note.summary ? [`${markdown(line(note.summary, SUMMARY_CHARS))}\n`] : []
  const title = `### ${markdownCode(`${note.task}/${note.attempt}`)} ${markdown(line(note.title, TITLE_CHARS))}`
  return `${[`${title}\n`, ...summary, ...rows.map(([name, value]) => `- ${name}: ${value}`)].join('\n')}\n`
}

export function notesInHtml({ notes, notesLeftOut }: Facts, known: Set<string>): string {
  if (notes.length === 0) return ''
  const shown = notes.slice(0, MAX_NOTES)
  const items = shown.map((note) => {
    const rows = noteRows(note, { words: html, code: (text) => `<code>${html(text)}</code>` })
    if (note.summary) rows.unshift(['Summary', html(line(note.summary, SUMMARY_CHARS))])
    const list = [['Task', links([note.task], known)], ...rows].map(
      ([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`,
    )
    const head = `<b class="m">${html(`${note.task}/${note.attempt}`)}</b> ${html(line(note.title, TITLE_CHARS))}`
    return `<details class="sn"><summary>${head}</summary><div class="more"><dl>${list.join('')}</dl></div></details>`
  })
  const left = more(notes.length - shown.length + notesLeftOut, SEE_SESSIONS)
  const note = left.map((text) => `<p class="note">${html(text)}</p>`)
  return `<section><h2>${NOTES}</h2>${items.join('')}${note.join('')}</section>`
}

function more(left: number, where = 'the JSON report has all of them'): string[] {
  return left > 0 ? [`And ${left} more; ${where}.`] : []
}

const SEE_SESSIONS = 'the command espalier sessions --notes prints all of them'
