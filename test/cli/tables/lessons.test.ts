import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyLines, lessonLines } from '../../../src/cli/tables/lessons.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { Audited } from '../../../src/internal.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { lessonOf } from '../../learning/sample.ts'

const WIDE = { width: Number.POSITIVE_INFINITY, palette: palette(false) }
const NASTY = 'Say \u001b[31mhello\nto it.'
const domains = [
  { domain: 'api', lines: 1, maxLines: 1_000, lessons: [lessonOf({ confidence: 1, text: NASTY })] },
  {
    ...{ domain: 'database', lines: 2, maxLines: 20_000 },
    lessons: [lessonOf({ confidence: 0.62, kind: 'together' }), lessonOf({ confidence: 0.04, kind: 'fix' })],
  },
]

test('a block per domain, a line per lesson, with how sure it is', () => {
  assert.deepEqual(lessonLines(domains, WIDE), [
    'api  1 of 1,000 lines',
    '██████████ 100 %  0123456789  advice  Say hello to it.',
    '',
    'database  2 of 20k lines',
    '██████░░░░  62 %  0123456789  together  Mind the gap.',
    '░░░░░░░░░░   4 %  0123456789  fix       Mind the gap.',
  ])
})

const HOUR = 3_600_000
const audit: Audited[] = [
  { at: 0, lesson: '0123456789', action: 'learned', version: 1, why: 'r1/a' },
  { at: HOUR, lesson: '0123456789', action: 'validated', version: 2, why: 'r1/b' },
]

test('one lesson with its evidence and its history', () => {
  const lesson = lessonOf({ paths: ['a.ts'], helped: 1, version: 2, learnedAt: 0, updatedAt: HOUR })
  assert.deepEqual(historyLines({ lesson, audit }, WIDE), [
    'Mind the gap.',
    '',
    'lesson      0123456789, advice, domain api',
    'confidence  ██████░░░░ 60 %',
    'seen        1 time; with it 1 attempt succeeded and 0 failed',
    'learned     1970-01-01 00:00; last changed 1970-01-01 01:00, version 2',
    'files       a.ts',
    'evidence    r1/a, attempt 1, session s1, commit cccccccc',
    'history     1970-01-01 00:00  learned    version 1  r1/a',
    '            1970-01-01 01:00  validated  version 2  r1/b',
  ])
})

test('of one that was dropped the history is left', () => {
  const pruned: Audited = { at: HOUR, lesson: '0123456789', action: 'pruned', version: 2, why: 'a.ts is gone' }
  assert.deepEqual(historyLines({ lesson: null, audit: [pruned] }, WIDE), [
    'lesson      0123456789 was dropped',
    'history     1970-01-01 01:00  pruned     version 2  a.ts is gone',
  ])
})

test('no line is wider than the terminal', () => {
  const lesson = lessonOf({ text: '日本語 '.repeat(60), paths: ['x'.repeat(100)] })
  const look = { width: 60, palette: palette(true) }
  const shown = [
    ...lessonLines([{ ...domains[0], lessons: [lesson] } as never], look),
    ...historyLines({ lesson, audit }, look),
  ]
  for (const line of shown) assert.ok(displayWidth(line) <= 60, line)
})
