// Lessons of the run, and what happened to earlier ones in it.
import type { LearnedLesson } from '../../engine/expertise/lesson-changes-in-run.ts'
import { percent, plural } from '../wording.ts'
import type { ReportSection } from './section.ts'

/** The most trusted first. */
export function learnedSection(lessons: readonly LearnedLesson[]): ReportSection | null {
  if (lessons.length === 0) return null
  const trust = ({ lesson }: LearnedLesson) => lesson?.confidence ?? -1
  const shown = lessons.toSorted((a, b) => trust(b) - trust(a)).slice(0, MAX_ROWS)
  return {
    title: 'What was learned',
    words: [`${counts(lessons)}. All lessons: espalier expertise list`],
    head: ['Lesson', 'In this run', 'Confidence', 'Domain', 'Id'],
    rows: shown.map(cells),
    leftOut: lessons.length - shown.length,
  }
}

/** Validated, doubted: attempts that had it in their prompt succeeded, or failed. */
function counts(lessons: readonly LearnedLesson[]): string {
  const parts: [number, string][] = [
    [lessons.filter(({ learned }) => learned).length, 'learned'],
    [lessons.filter(({ seen }) => seen > 0).length, 'seen again'],
    [lessons.filter(({ validated }) => validated > 0).length, 'validated'],
    [lessons.filter(({ doubted }) => doubted > 0).length, 'doubted'],
    [lessons.filter(({ pruned }) => pruned !== null).length, 'dropped'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word], index) => (index === 0 ? `${plural(count, 'lesson')} ${word}` : `${count} ${word}`))
    .join(', ')
}

function cells({ id, lesson, pruned, ...did }: LearnedLesson): string[] {
  const words = [
    ...(did.learned ? ['learned'] : []),
    ...times(did.seen, 'seen again'),
    ...times(did.validated, 'validated'),
    ...times(did.doubted, 'doubted'),
    ...(pruned === null ? (lesson ? [] : ['dropped since']) : [`dropped: ${pruned}`]),
  ]
  const known = lesson ? [percent(lesson.confidence), lesson.domain] : ['', '']
  return [lesson?.text ?? '', words.join(', '), ...known, id]
}

function times(count: number, word: string): string[] {
  return count === 0 ? [] : [count === 1 ? word : `${word} ${count}×`]
}

/** `espalier expertise list` has all of them. */
const MAX_ROWS = 5
