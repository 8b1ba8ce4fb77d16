// Lessons by domain, and the details of one lesson.
import type { DomainLessons } from '../../engine/expertise/manage-lessons.ts'
import type { Lesson } from '../../learning-records.ts'
import { clock, count, shortCommit } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { hanging } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'
import { blocks, labelled, tableLines } from '../terminal/table.ts'

export function domainLines(domains: readonly DomainLessons[], look: Look): string[] {
  const cells = (lesson: Lesson) => [trustText(lesson), lesson.id, lesson.kind, lesson.text]
  return blocks(
    domains.map(({ domain, lessons }) => [
      `${look.palette.strong(domain)}  ${look.palette.dim(count(lessons.length, 'lesson'))}`,
      ...tableLines(
        null,
        lessons.map((one) => cells(one).map(safeLine)),
        look,
      ),
    ]),
  )
}

export function lessonLines(lesson: Lesson, look: Look): string[] {
  const { id, domain, kind, seen, helped, failed, learnedAt, updatedAt, paths, evidence } = lesson
  const row = (label: string, text: string) => labelled(label, 11, text, look)
  return [
    ...hanging(safeLine(lesson.text), look.width, 0),
    '',
    row('lesson', `${id}, ${kind}, domain ${domain}`),
    row('confidence', trustText(lesson)),
    row('seen', `${count(seen, 'time')}; with it ${count(helped, 'attempt')} succeeded and ${failed} failed`),
    row('learned', `${clock(learnedAt)}; last changed ${clock(updatedAt)}`),
    ...(paths.length > 0 ? [row('files', paths.join(', '))] : []),
    ...evidence.map((one, index) => row(index === 0 ? 'evidence' : '', evidenceText(one))),
  ]
}

function trustText({ confidence }: Lesson): string {
  const full = Math.round(confidence * 10)
  return `${'█'.repeat(full)}${'░'.repeat(10 - full)} ${String(Math.round(confidence * 100)).padStart(3)} %`
}

function evidenceText({ run, task, attempt, session, commit }: Lesson['evidence'][number]): string {
  const found = [session === null ? '' : `session ${session}`, commit === null ? '' : `commit ${shortCommit(commit)}`]
  return [`${run}/${task}, attempt ${attempt}`, ...found.filter((one) => one !== '')].join(', ')
}
