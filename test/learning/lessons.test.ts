import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../../src/config.ts'
import { absorb, judge, prune } from '../../src/learning/absorb.ts'
import { expertiseFor } from '../../src/learning/lessons-for-prompt.ts'
import { observe, tidy } from '../../src/learning/observe.ts'
import { EVIDENCE, type Known, type Lesson, type LessonKind, lesson } from '../../src/learning-records.ts'
import { random } from '../simulation/random.ts'
import { EVIDENCE_OF_A, lessonOf, observationOf, sessionOf } from './sample.ts'

function texts(kind: LessonKind, ...args: Parameters<typeof observe>): string[] {
  return observe(...args)
    .filter((one) => one.kind === kind)
    .map(({ text }) => text)
}

test('what an attempt teaches', () => {
  const session = sessionOf({
    undeclared: ['package.json'],
    fixed: [{ message: '`npm test` failed\nError: no such table: orders', paths: ['db/schema.sql'] }],
    conflicts: ['src/routes.ts'],
    denied: ['.env'],
    advice: ['Run `npm run codegen` after a change of db/schema.sql.'],
  })
  assert.match(texts('fix', session)[0] ?? '', /no such table: orders\. What put it right: a change of db\/schema\.sql/)
  assert.match(texts('conflict', session)[0] ?? '', /^Several tasks change src\/routes\.ts at the same time/)
  assert.equal(texts('paths', session).length, 2)
  const [said] = observe(session).filter(({ kind }) => kind === 'advice')
  assert.deepEqual(said?.paths, ['db/schema.sql'])
})

test('characters that nobody sees are taken out before secrets are looked for', () => {
  const token = ['gh', 'p_', '16C7e42F292c', '6912E7710c838347Ae178B4a'].join('')
  for (const unseen of ['\u200b', '\u00ad', '\u202e', '\ufeff'])
    assert.equal(tidy(`use ${token.slice(0, 9)}${unseen}${token.slice(9)} here`), 'use [secret] here')
  assert.equal(tidy('one\u0007two\r\n three\u200b'), 'onetwo three')
})

test('values that are known to be secret are in nothing that is learned', () => {
  const secret = 'two 5s words in src/vault/'
  const learned = observe(
    sessionOf({
      fixed: [{ message: `it failed\nError: ${'x'.repeat(170)} ${secret}`, paths: ['a.ts'] }],
      advice: [`Say ${secret}.`],
    }),
    [secret],
  )
  assert.equal(learned.length, 2)
  for (const { text, paths } of learned) assert.doesNotMatch(JSON.stringify([text, paths]), /two|vault/)
})

test('a failed attempt teaches no fixes', () => {
  assert.deepEqual(observe(sessionOf({ succeeded: false, fixed: [{ message: 'no', paths: ['a'] }] })), [])
})

test('no secret gets into a lesson', () => {
  const key = ['sk-', 'live-', 'abcdEFGH12345678'].join('')
  const session = sessionOf({
    fixed: [{ message: `Error: 401 with ${key}`, paths: ['a.ts'] }],
    advice: [`Log in with ${key}`],
  })
  const seen = observe(session)
  assert.equal(seen.length, 2)
  const known: Known = new Map()
  absorb(known, seen, 1)
  assert.ok(!JSON.stringify([...known]).includes(key))
})

test('seen again: one lesson, more confidence, and its newest evidence', () => {
  const known: Known = new Map()
  for (let n = 1; n <= 8; n++) absorb(known, [observationOf({ evidence: { ...EVIDENCE_OF_A, attempt: n } })], n)
  const [only] = [...known.values()]
  assert.equal(known.size, 1)
  assert.equal(only?.seen, 8)
  assert.equal(only?.evidence.length, EVIDENCE)
  assert.equal(only?.evidence.at(-1)?.attempt, 8)
  assert.ok(only && only.confidence > 0.9 && only.confidence < 1)
  assert.ok(lesson.safeParse(only).success)
})

test('a lesson that goes along with failures is forgotten, one that goes along with successes is not', () => {
  const good = lessonOf({ id: '0000000001' })
  const bad = lessonOf({ id: '0000000002' })
  const known: Known = new Map([good, bad].map((one) => [one.id, one]))
  for (let n = 0; n < 60; n++) {
    judge(known, { lessons: [good.id], succeeded: true }, 0.5, n)
    const touched = judge(known, { lessons: [bad.id], succeeded: false }, 0.5, n)
    if (n === 0) assert.deepEqual(touched, [bad.id])
  }
  assert.ok((known.get(good.id)?.confidence ?? 0) > 0.9)
  assert.equal(known.has(bad.id), false)
})

test('a lesson without effect is soon not told any more, however often tasks succeed anyway', () => {
  for (const usual of [0.5, 0.8, 0.9, 0.97]) {
    const known: Known = new Map([['0123456789', lessonOf({ confidence: 0.6 })]])
    const told: number[] = []
    const rnd = random(1)
    for (let n = 0; n < 3_000; n++) {
      judge(known, { lessons: ['0123456789'], succeeded: rnd.chance(usual) }, usual, n)
      told.push(known.get('0123456789')?.confidence ?? 0)
    }
    const late = told.slice(-1_000)
    const mean = late.reduce((sum, one) => sum + one, 0) / late.length
    assert.ok(mean < 0.3, `${usual}: ${mean}`)
  }
})

test('lessons go when all files that they are about are gone', () => {
  const all = [
    lessonOf({ id: '0000000001', kind: 'paths', paths: ['gone', 'lost'] }),
    lessonOf({ id: '0000000002', kind: 'fix', paths: ['a', 'gone'] }),
    lessonOf({ id: '0000000003', kind: 'conflict', paths: ['gone'] }),
    lessonOf({ id: '0000000004', kind: 'advice', paths: [] }),
  ]
  const known: Known = new Map(all.map((one) => [one.id, one]))
  const files = { now: (path: string) => path === 'a', before: () => true }
  assert.deepEqual(prune(known, files, 9), ['0000000001', '0000000003'])
  assert.deepEqual([...known.keys()], ['0000000002', '0000000004'])
})

test('a file that was not there before the run either may be on a branch: its lesson fades, run by run', () => {
  const known: Known = new Map([['0123456789', lessonOf({ paths: ['elsewhere.ts'] })]])
  const files = { now: () => false, before: () => false }
  prune(known, files, 1)
  assert.equal(known.size, 1)
  let runs = 1
  while (known.size > 0 && runs < 50) {
    prune(known, files, 1)
    runs++
  }
  assert.ok(runs > 3 && runs < 12, `${runs}`)
})

test('a domain never has more lessons than its bound, and keeps what it trusts most', () => {
  const most = LIMITS.lessonsPerDomain
  const full = Array.from({ length: most }, (_, n) =>
    lessonOf({ id: `${n}`.padStart(10, '0'), confidence: 0.3 + n / 9e3 }),
  )
  const known: Known = new Map(full.map((one) => [one.id, one]))
  const weak = absorb(known, [observationOf({ key: 'weak', trust: 0.2 })], 1)
  assert.deepEqual([weak.length, new Set(weak).size, known.size], [2, 1, most])
  const strong = absorb(known, [observationOf({ key: 'strong', trust: 0.9 })], 2)
  assert.deepEqual([strong[1], known.size, known.has(strong[0] ?? '')], ['0000000000', most, true])
})

const WANTED = { domain: 'api', claims: { write: [], read: [] }, words: [], verify: [], maxTokens: 1000 }

test('the best go into a prompt, within its space', () => {
  const lessons = Array.from({ length: 50 }, (_, n) =>
    lessonOf({ id: `${n}`.padStart(10, '0'), text: `Lesson ${n} about things.`, confidence: n / 50 }),
  )
  const chosen = expertiseFor(lessons, { ...WANTED, maxTokens: 30 })
  assert.deepEqual(
    chosen.map(({ text }) => text),
    ['Lesson 49 about things.', 'Lesson 48 about things.', 'Lesson 47 about things.'],
  )
  assert.deepEqual(expertiseFor(lessons, { ...WANTED, maxTokens: 0 }), [])
})

test('a prompt has a handful of lessons, however much room there is', () => {
  const lessons = Array.from({ length: 50 }, (_, n) => lessonOf({ id: `${n}`.padStart(10, '0'), text: `Lesson ${n}.` }))
  assert.equal(expertiseFor(lessons, { ...WANTED, maxTokens: 20_000 }).length, 8)
})

test('lessons of another domain stay out, unless they are about files the task claims', () => {
  const far = lessonOf({ id: '0000000001', domain: 'frontend', paths: ['web/a.css'] })
  assert.deepEqual(expertiseFor([far], { ...WANTED, claims: { write: ['src/**'], read: [] } }), [])
  assert.deepEqual(expertiseFor([far], { ...WANTED, claims: { write: ['web/**'], read: [] } }), [far])
  const general = lessonOf({ id: '0000000002', domain: 'general' })
  assert.deepEqual(expertiseFor([general], WANTED), [general])
})

test('what is hardly trusted is not said', () => {
  assert.deepEqual(expertiseFor([lessonOf({ confidence: 0.15 })], WANTED), [])
})

test('what was seen by chance is not said: it takes several tasks, unless a check or somebody said it', () => {
  const seenBy = (kind: LessonKind, ...tasks: string[]) => {
    const evidence = tasks.map((task, n) => ({ ...EVIDENCE_OF_A, run: `shop-${n}`, task, attempt: n + 1 }))
    return expertiseFor([lessonOf({ kind, confidence: 0.9, seen: tasks.length, evidence })], WANTED).length
  }
  for (const kind of ['fix', 'advice'] as const) assert.equal(seenBy(kind, 'a'), 1, kind)
  for (const kind of ['conflict', 'paths'] as const)
    assert.deepEqual([seenBy(kind, 'a'), seenBy(kind, 'a', 'a'), seenBy(kind, 'a', 'b')], [0, 0, 1], kind)
})

/** As if three tasks had seen it. */
function sureOf(more: Partial<Lesson>): Lesson {
  const evidence = ['a', 'b', 'c'].map((task) => ({ ...EVIDENCE_OF_A, task }))
  return lessonOf({ confidence: 0.9, seen: 3, evidence, ...more })
}

test('the same thing is said once, also where two domains know it', () => {
  const twins = (kind: LessonKind, texts: [string, string], paths: string[] = []) =>
    ['api', 'general'].map((domain, n) =>
      sureOf({ id: `000000000${n}`, domain, kind, text: texts[n] as string, paths, confidence: 0.9 - n / 10 }),
    )
  const same: [LessonKind, [string, string], string[]?][] = [
    [
      'fix',
      [
        'A check failed: no sum. What put it right: a change of a.',
        'A check failed: no sum. What put it right: a change of b.',
      ],
    ],
    ['advice', ['Mind the gap.', 'Mind the gap.']],
    ['conflict', ['a is wanted.', 'a is wanted by all.'], ['a']],
  ]
  for (const [kind, texts, paths] of same) {
    const lessons = twins(kind, texts, paths)
    assert.deepEqual(expertiseFor(lessons, WANTED), [lessons[0]], kind)
  }
  assert.equal(expertiseFor(twins('advice', ['Use port 3000.', 'Use port 4000.']), WANTED).length, 2)
})

test('a task is not told what it knows by its own claims and checks, nor of files that it does not touch', () => {
  const told = (lesson: Lesson, write: string[], verify: string[] = []) =>
    expertiseFor([lesson], { ...WANTED, claims: { write, read: [] }, verify }).length === 1
  const hotspot = sureOf({ kind: 'conflict', paths: ['src/app.py'] })
  assert.deepEqual(
    [[], ['src/**'], ['src/app.py'], ['docs/**']].map((write) => told(hotspot, write)),
    [true, true, false, false],
  )
  const stray = sureOf({ kind: 'paths', paths: ['package.json'] })
  assert.deepEqual(
    [[], ['src/**'], ['package.json']].map((write) => told(stray, write)),
    [true, true, false],
  )
  const silent = sureOf({
    kind: 'fix',
    text: 'A check failed: `make` exited with status 1. What put it right: a change of a.',
  })
  assert.deepEqual([told(silent, [], ['npm test']), told(silent, [], ['make'])], [false, true])
})
