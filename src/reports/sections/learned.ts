// Lessons that the run learned or saw again.
import type { Lesson } from '../../lesson.ts'
import { percent, plural } from '../wording.ts'
import type { ReportSection } from './section.ts'

/** The most trusted first. */
export function learnedSection(lessons: readonly Lesson[]): ReportSection | null {
  if (lessons.length === 0) return null
  const shown = lessons.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_ROWS)
  return {
    title: 'What was learned',
    words: [`${plural(lessons.length, 'lesson')} learned or seen again. All lessons: espalier expertise list`],
    head: ['Lesson', 'Seen', 'Confidence', 'Domain', 'Id'],
    rows: shown.map(({ id, text, seen, confidence, domain }) => [
      ...[text, seen === 1 ? 'new' : `${seen}×`, percent(confidence), domain, id],
    ]),
    leftOut: lessons.length - shown.length,
  }
}

/** `espalier expertise list` has all of them. */
const MAX_ROWS = 5
