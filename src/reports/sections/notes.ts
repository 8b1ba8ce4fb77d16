// What the note of a session has to say, as names and values: the same in every format.
import type { SessionNote } from '../../engine/run/session-note.ts'
import { messageParts } from '../../failure.ts'
import type { Note } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { usageText } from '../../text/usage-text.ts'
import type { Facts, NoticedFacts } from '../facts/run.ts'
import { html, line, markdown, markdownCode } from '../html/escape.ts'
import { links } from '../html/task-list.ts'
import { diffWords, plural, shortCommit } from '../wording.ts'

/** How what an agent wrote is made harmless, and what is typed set apart. */
export type Writing = { words(text: string): string; code(text: string): string }

export type NoteRow = [name: string, value: string]

export function noteRows(note: SessionNote, to: Writing): NoteRow[] {
  return [
    ['Agent', to.words(line([note.agent, note.model ?? ''].join(' '), TEXT_CHARS))],
    ...chosen(note, to),
    ['Outcome', to.words(outcome(note))],
    ...work(note, to),
    ...told(note, to),
    ...conversation(note, to),
  ]
}

export function noteWords({ text, details }: Pick<Note, 'text' | 'details'>): string {
  return line(details ? `${text} (${details})` : text, TEXT_CHARS)
}

function chosen({ choice }: SessionNote, to: Writing): NoteRow[] {
  if (!choice) return []
  const { model, tier, tiers, why } = choice
  return [['Model', to.words(line(`${model}, ${tier} of ${tiers}, chosen: ${why}`, TEXT_CHARS))]]
}

/** `failed after 1m 12s, verify-failed: …` */
function outcome({ outcome, startedAt, finishedAt, failure }: SessionNote): string {
  if (finishedAt === null) return 'at work'
  const took = `${outcome ?? 'ended'} after ${formatDuration(Math.max(0, finishedAt - startedAt))}`
  return failure ? line(`${took}, ${failure.reason}: ${messageParts(failure.message).said}`, TEXT_CHARS) : took
}

function work({ changed, diff, commit, ownCommits, checks, decisions }: SessionNote, to: Writing): NoteRow[] {
  const rows: NoteRow[] = []
  if (changed) rows.push(['Changed', `${paths(changed, to)}${diff ? ` (${diffWords(diff)})` : ''}`])
  const own = ownCommits > 0 ? ` (${plural(ownCommits, 'commit')} by the agent)` : ''
  if (commit) rows.push(['Commit', to.code(shortCommit(commit)) + own])
  const tried = checks.map(({ command, passed }) => `${sign(passed)} ${to.code(line(command, TEXT_CHARS))}`)
  if (tried.length > 0) rows.push(['Checks', tried.join(', ')])
  if (decisions.length > 0) rows.push(['Decisions', to.words(line(decisions.join(', '), TEXT_CHARS))])
  return rows
}

function told({ notes, asked }: SessionNote, to: Writing): NoteRow[] {
  return [
    ...notes.slice(-MAX_TOLD).map((note): NoteRow => [`Told (${note.kind})`, to.words(noteWords(note))]),
    ...asked.slice(-MAX_TOLD).map(({ paths: wanted, holder }): NoteRow => {
      const what = paths({ paths: wanted, count: wanted.length }, to)
      return holder === null ? ['Was given', what] : ['Was refused', `${what}, claimed by ${to.code(holder)}`]
    }),
  ]
}

function conversation({ usage, session, endReason, ownTranscript, transcript }: SessionNote, to: Writing): NoteRow[] {
  const rows: NoteRow[] = []
  if (usage) rows.push(['Used', usageText(usage)])
  const ended = endReason ? ` (${to.words(line(`ended: ${endReason}`, TEXT_CHARS))})` : ''
  if (session) rows.push(['Session', to.code(line(session, TEXT_CHARS)) + ended])
  // What it printed is always there; its own record may have more.
  const file = ownTranscript ?? transcript[0]
  if (file !== undefined) rows.push(['Transcript', to.code(line(file, TEXT_CHARS))])
  return rows
}

function sign(passed: boolean | null): string {
  return passed === null ? '–' : passed ? '✓' : '✗'
}

function paths({ paths, count }: { paths: string[]; count: number }, to: Writing): string {
  const shown = paths.slice(0, MAX_PATHS).map((path) => to.code(line(path, TEXT_CHARS)))
  return `${shown.join(', ')}${paths.length > MAX_PATHS ? ` … ${plural(count, 'path')}` : ''}`
}

const TEXT_CHARS = 500
const MAX_PATHS = 10
/** Of one session, the last of them. */
const MAX_TOLD = 20

// The parts of a report that hand on what agents found out: what they noticed, and a note for each of their sessions.

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
