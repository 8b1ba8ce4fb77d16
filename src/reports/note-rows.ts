// What the note of a session has to say, as names and values: the same in every format.

import type { SessionNote } from '../engine/session-note.ts'
import { messageParts } from '../failure.ts'
import type { Note } from '../status.ts'
import { formatDuration } from '../text/duration.ts'
import { usageText } from '../text/usage-text.ts'
import { line } from './escape.ts'
import { diffWords, plural, shortCommit } from './wording.ts'

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
