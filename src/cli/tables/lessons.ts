// `espalier expertise list` and `show`: lessons for a person to read.
import type { Audited, DomainLessons, Lesson, LessonHistory } from '../../internal.ts'
import { safeLine } from '../../text/safe.ts'
import { shortCount } from '../../text/usage-text.ts'
import { displayWidth, fit, hanging, padEnd, widest } from '../../text/width.ts'
import { count, short } from '../live/event-line.ts'
import type { Look } from '../surroundings.ts'
import { blocks, labelled } from '../terminal/table.ts'

/** A block per domain, a line per lesson, the most trusted first. */
export function lessonLines(domains: readonly DomainLessons[], look: Look): string[] {
  return blocks(domains.map((one) => domainLines(one, look)))
}

function domainLines({ domain, lines, maxLines, lessons }: DomainLessons, { width, palette }: Look): string[] {
  const head = `${palette.strong(domain)}  ${palette.dim(`${shortCount(lines)} of ${shortCount(maxLines)} lines`)}`
  const kinds = widest(lessons.map(({ kind }) => kind))
  const rows = lessons.map((lesson) => {
    const start = `${bar(lesson.confidence)} ${percent(lesson)}  ${lesson.id}  ${padEnd(lesson.kind, kinds)}  `
    return `${palette.dim(start)}${fit(safeLine(lesson.text), width - displayWidth(start))}`
  })
  return [head, ...rows]
}

export function historyLines({ lesson, audit }: LessonHistory, look: Look): string[] {
  const done = audit.map((one, index) => row(index === 0 ? 'history' : '', auditText(one), look))
  if (!lesson) return [row('lesson', `${audit.at(-1)?.lesson ?? ''} was dropped`, look), ...done]
  const { id, domain, kind, seen, helped, failed, learnedAt, updatedAt, version, paths, evidence } = lesson
  const outcomes = `with it ${count(helped, 'attempt')} succeeded and ${failed} failed`
  return [
    ...hanging(safeLine(lesson.text), look.width, 0),
    '',
    row('lesson', `${id}, ${kind}, domain ${domain}`, look),
    row('confidence', `${bar(lesson.confidence)} ${percent(lesson).trim()}`, look),
    row('seen', `${count(seen, 'time')}; ${outcomes}`, look),
    row('learned', `${clock(learnedAt)}; last changed ${clock(updatedAt)}, version ${version}`, look),
    ...(paths.length > 0 ? [row('files', paths.join(', '), look)] : []),
    ...evidence.map((one, index) => row(index === 0 ? 'evidence' : '', evidenceText(one), look)),
    ...done,
  ]
}

function bar(confidence: number): string {
  const full = Math.round(confidence * 10)
  return '█'.repeat(full) + '░'.repeat(10 - full)
}

function percent({ confidence }: Lesson): string {
  return `${String(Math.round(confidence * 100)).padStart(3)} %`
}

function evidenceText({ run, task, attempt, session, commit }: Lesson['evidence'][number]): string {
  const found = [session === null ? '' : `session ${session}`, commit === null ? '' : `commit ${short(commit)}`]
  return [`${run}/${task}, attempt ${attempt}`, ...found.filter((one) => one !== '')].join(', ')
}

function auditText({ at, action, version, why }: Audited): string {
  return `${clock(at)}  ${padEnd(action, 9)}  version ${version}  ${why}`
}

function row(label: string, text: string, look: Look): string {
  return labelled(label, 11, text, look)
}

/** `2026-03-03 21:40`, in UTC like the times of a report. */
function clock(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`
}
