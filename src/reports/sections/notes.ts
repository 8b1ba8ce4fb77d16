// Sections with the notes of agents for people, and with a note for each session.
import type { SessionNote } from '../../engine/query/agent-sessions.ts'
import type { PathList } from '../../event.ts'
import { attemptMs } from '../../facts/durations.ts'
import { messageParts } from '../../failure.ts'
import { formatDuration } from '../../text/duration.ts'
import { count, diffText, shortCommit } from '../../text/figures.ts'
import { usageText } from '../../text/usage-text.ts'
import type { Note } from '../../view.ts'
import { line } from '../escape.ts'
import type { Facts } from '../facts/run.ts'
import { type Cell, list, listed, partInMarkdown, type ReportSection } from './section.ts'

const MAX_NOTICED = 100
const MAX_NOTES = 100
const TITLE_CHARS = 160
const SUMMARY_CHARS = 1_500
const MAX_PATHS = 10
/** Notes shown of one session: the last ones. */
const MAX_REPORTED = 20

type NoticedFacts = Facts['noticed'][number]

export function noticedSection(noticed: readonly NoticedFacts[]): ReportSection {
  const entry = ({ task, kind, ...note }: NoticedFacts) => [`${kind}, `, { tasks: [task] }, `: ${noteText(note)}`]
  return { title: 'What agents noticed', ...list(noticed, entry, MAX_NOTICED) }
}

/** The note of a session in Markdown. */
export function renderNote(note: SessionNote): string {
  return `${partInMarkdown(noteSection(note), 3)}\n`
}

/** A section for each session. */
export function noteSections({ notes, notesLeftOut }: Facts): ReportSection[] {
  const shown = notes.slice(0, MAX_NOTES)
  const left = notes.length - shown.length + notesLeftOut
  const where = 'the command espalier sessions --notes prints all of them'
  return shown.map((note, index) => ({
    ...noteSection(note),
    ...(index === shown.length - 1 && left > 0 ? { leftOut: left, where } : {}),
  }))
}

function noteSection(note: SessionNote): ReportSection {
  return {
    title: `${note.task}/${note.attempt} ${line(note.title, TITLE_CHARS)}`,
    words: note.summary ? [line(note.summary, SUMMARY_CHARS)] : [],
    rows: noteRows(note),
  }
}

type NoteRow = [name: string, value: Cell]

function noteRows(note: SessionNote): NoteRow[] {
  const { choice, changed, diff, commit, ownCommits, checks, decisions, notes, asked } = note
  const { usage, session, endReason, ownTranscript, transcript } = note
  // The agent's output always exists; the agent's own transcript may have more.
  const file = ownTranscript ?? transcript[0]
  const rows: (NoteRow | false | null | undefined)[] = [
    ['Agent', [note.agent, note.model ?? ''].join(' ')],
    choice && ['Model', `${choice.model}, ${choice.tier} of ${choice.tiers}, chosen: ${choice.why}`],
    ['Outcome', outcome(note)],
    changed && ['Changed', [...paths(changed), diff ? ` (${diffText(diff)})` : '']],
    commit !== null && [
      'Commit',
      [{ code: shortCommit(commit) }, ownCommits > 0 ? ` (${count(ownCommits, 'commit')} by the agent)` : ''],
    ],
    checks.length > 0 && ['Checks', checks.flatMap(checkText)],
    decisions.length > 0 && ['Decisions', decisions.join(', ')],
    ...notes.slice(-MAX_REPORTED).map((note): NoteRow => [`Reported (${note.kind})`, noteText(note)]),
    ...asked.slice(-MAX_REPORTED).map(({ paths: wanted, holder }): NoteRow => {
      const what = paths({ paths: wanted, count: wanted.length })
      return holder === null ? ['Was given', what] : ['Was refused', [...what, ', claimed by ', { code: holder }]]
    }),
    usage && ['Used', usageText(usage)],
    session !== null && ['Session', [{ code: session }, endReason ? ` (ended: ${endReason})` : '']],
    file !== undefined && ['Transcript', { code: file }],
  ]
  return rows.filter((row) => Array.isArray(row))
}

function noteText({ text, details }: Pick<Note, 'text' | 'details'>): string {
  return details ? `${text} (${details})` : text
}

/** `failed after 1m 12s, verify-failed: …` */
function outcome(note: SessionNote): string {
  const { outcome, finishedAt, failure } = note
  if (finishedAt === null) return 'running'
  const took = `${outcome ?? 'ended'} after ${formatDuration(attemptMs(note, finishedAt))}`
  return failure ? `${took}, ${failure.reason}: ${messageParts(failure.message).said}` : took
}

function checkText({ command, passed }: SessionNote['checks'][number], index: number) {
  const sign = passed === null ? '–' : passed ? '✓' : '✗'
  return [`${index === 0 ? '' : ', '}${sign} `, { code: command }]
}

function paths({ paths, count: all }: PathList) {
  const shown = listed(paths.slice(0, MAX_PATHS).map((code) => ({ code })))
  return [...shown, ...(paths.length > MAX_PATHS ? [` … ${count(all, 'path')}`] : [])]
}
