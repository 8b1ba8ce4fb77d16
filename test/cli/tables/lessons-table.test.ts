import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainLines, lessonLines } from '../../../src/cli/tables/lessons-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { lessonOf } from '../../learning/sample.ts'

const WIDE = { width: Number.POSITIVE_INFINITY, palette: palette(false) }
const NASTY = 'Say \u001b[31mhello\nto it.'
const domains = [
  { domain: 'api', lessons: [lessonOf({ confidence: 1, text: NASTY })] },
  {
    domain: 'database',
    lessons: [lessonOf({ confidence: 0.62, kind: 'paths' }), lessonOf({ confidence: 0.04, kind: 'fix' })],
  },
]

test('a block per domain, a line per lesson, with how sure it is', () => {
  assert.deepEqual(domainLines(domains, WIDE), [
    'api  1 lesson',
    '██████████ 100 %  0123456789  advice  Say hello to it.',
    '',
    'database  2 lessons',
    '██████░░░░  62 %  0123456789  paths  Mind the gap.',
    '░░░░░░░░░░   4 %  0123456789  fix    Mind the gap.',
  ])
})

test('one lesson with its evidence', () => {
  const lesson = lessonOf({ paths: ['a.ts'], helped: 1, learnedAt: 0, updatedAt: 3_600_000 })
  assert.deepEqual(lessonLines(lesson, WIDE), [
    'Mind the gap.',
    '',
    'lesson      0123456789, advice, domain api',
    'confidence  ██████░░░░  60 %',
    'seen        1 time; with it 1 attempt succeeded and 0 failed',
    'learned     1970-01-01 00:00; last changed 1970-01-01 01:00',
    'files       a.ts',
    'evidence    r1/a, attempt 1, session s1, commit cccccccc',
  ])
})

test('no line is wider than the terminal', () => {
  const lesson = lessonOf({ text: '日本語 '.repeat(60), paths: ['x'.repeat(100)] })
  const look = { width: 60, palette: palette(true) }
  const shown = [...domainLines([{ domain: 'api', lessons: [lesson] }], look), ...lessonLines(lesson, look)]
  for (const line of shown) assert.ok(displayWidth(line) <= 60, line)
})
