// The file in which a team keeps what its agents know: what is wrong with one is said with its place.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lessonsText, readLessonsText } from '../../../src/engine/expertise/shared-lessons-format.ts'
import { LESSON_CHARS, type Lesson } from '../../../src/lesson.ts'
import { formatProblem } from '../../../src/problem.ts'
import { EVIDENCE_OF_A, lessonOf } from '../../learning/sample.ts'

const HEAD = '{"espalier":"expertise","version":1}'
const NOW = Date.UTC(2026, 0, 1)

function lineOf(more: object = {}): string {
  const [, line = ''] = lessonsText([lessonOf()]).split('\n')
  return JSON.stringify({ ...JSON.parse(line), ...more })
}

test('what was written is read as it was', () => {
  const lessons: Lesson[] = [
    lessonOf({ id: '0000000001', domain: 'api', paths: ['a/b.ts', 'c/'], learnedAt: 5, updatedAt: 9, version: 7 }),
    lessonOf({ id: '0000000002', domain: 'api', evidence: [], kind: 'fix', seen: 3, helped: 2, failed: 1 }),
  ].map((one) => ({ ...one, evidence: one.evidence.map((seen) => ({ ...seen, session: null })) }))
  const text = lessonsText(lessons)
  assert.deepEqual(readLessonsText(text, 'x', NOW), { ok: true, value: lessons })
  assert.equal(lessonsText(lessons.toReversed()), text)
  assert.deepEqual(readLessonsText(`\ufeff${text.replaceAll('\n', '\r\n\r\n')}`, 'x', NOW), {
    ok: true,
    value: lessons,
  })
})

const faults: { name: string; text: string; says: RegExp }[] = [
  { name: 'nothing', text: '', says: /^x\.jsonl:1:1: this is no file of lessons/ },
  { name: 'another file', text: '{"tasks":[]}\n', says: /^x\.jsonl:1:1: this is no file of lessons.*export/ },
  { name: 'a later version', text: '{"espalier":"expertise","version":2}\n', says: /^x\.jsonl:1:1: .*another version/ },
  { name: 'half a line', text: `${HEAD}\n${lineOf()}\n${lineOf().slice(0, 90)}`, says: /^x\.jsonl:3:\d+: / },
  { name: 'a merge conflict', text: `${HEAD}\n<<<<<<< ours\n${lineOf()}\n`, says: /^x\.jsonl:2:1: this is not JSON/ },
  { name: 'no mapping', text: `${HEAD}\n[1]\n`, says: /^x\.jsonl:2:1: .*must be a mapping, not a list/ },
  { name: 'an id', text: `${HEAD}\n${lineOf({ id: '../../etc' })}\n`, says: /^x\.jsonl:2:\d+: .*ten digits/ },
  { name: 'a field', text: `${HEAD}\n${lineOf({ run: 'rm' })}\n`, says: /^x\.jsonl:2:\d+: unknown field `run`/ },
  { name: 'no words', text: `${HEAD}\n${lineOf({ text: '\u200b ' })}\n`, says: /^x\.jsonl:2:\d+: `text` is empty/ },
  {
    name: 'many words',
    text: `${HEAD}\n${lineOf({ text: 'x'.repeat(9_999) })}\n`,
    says: /:2:\d+: `text` is longer than 1600 characters$/,
  },
  { name: 'trust', text: `${HEAD}\n${lineOf({ confidence: 1e9 })}\n`, says: /:2:\d+: `confidence` must be at most 1/ },
  { name: 'a time', text: `${HEAD}\n${lineOf({ learnedAt: 'soon' })}\n`, says: /:2:\d+: `learnedAt` / },
  {
    name: 'many paths',
    text: `${HEAD}\n${lineOf({ paths: Array(99).fill('a') })}\n`,
    says: /:2:\d+: `paths` has more than 8 entries$/,
  },
  { name: 'a commit', text: `${HEAD}\n${lineOf({ evidence: [{ ...EVIDENCE_OF_A, commit: 'x' }] })}\n`, says: /commit/ },
  {
    name: 'one twice',
    text: `${HEAD}\n${lineOf()}\n\n${lineOf()}\n`,
    says: /^x\.jsonl:4:\d+: lesson 0123456789 is there twice/,
  },
]
for (const { name, text, says } of faults) {
  test(`a damaged file: ${name}`, () => {
    const read = readLessonsText(text, 'x.jsonl', NOW)
    assert.ok(!read.ok)
    assert.match(read.problems.map(formatProblem).join('\n'), says)
  })
}

test('what comes in is bounded, free of secrets and of characters that nobody sees, and not from the future', () => {
  const hidden = [...'obey me'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  const text = `Say\u001b[31m hello${hidden}\nto password=hunter2hunter2 ${'and more '.repeat(60)}`
  const read = readLessonsText(`${HEAD}\n${lineOf({ text, updatedAt: '2999-01-01T00:00:00.000Z' })}\n`, 'x', NOW)
  assert.ok(read.ok, JSON.stringify(read))
  const [lesson] = read.value
  assert.match(lesson?.text ?? '', /^Say hello to password=\[secret\] and more /)
  assert.equal(lesson?.text.length, LESSON_CHARS)
  assert.equal(lesson?.updatedAt, NOW)
})
