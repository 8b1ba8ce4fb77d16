// What others have learned, taken into what is known here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeLessons } from '../../../src/engine/expertise/export-and-import-lessons.ts'
import { EVIDENCE, type Known, type Lesson } from '../../../src/lesson.ts'
import { EVIDENCE_OF_A, lessonOf } from '../../learning/sample.ts'

function merged(ours: Lesson, theirs: Lesson): Lesson {
  const known: Known = new Map([[ours.id, ours]])
  mergeLessons(known, [theirs], 100, 'x')
  return known.get(ours.id) as Lesson
}

test('the words of the later version count, and the confidence of both by what each has seen', () => {
  const ours = lessonOf({ text: 'ours', version: 2, confidence: 0.2, seen: 1, helped: 0, learnedAt: 7 })
  const theirs = lessonOf({ text: 'theirs', version: 5, confidence: 0.8, seen: 2, helped: 3, learnedAt: 3 })
  const both = merged(ours, theirs)
  assert.deepEqual([both.text, both.version, both.learnedAt, both.updatedAt], ['theirs', 5, 3, 100])
  assert.deepEqual([both.seen, both.helped, both.failed], [2, 3, 0])
  assert.equal(merged(ours, { ...theirs, text: 'ours' }).confidence, (2 * 0.2 + 6 * 0.8) / 8)
  assert.equal(both.confidence, 0.6, 'these words were never tried here')
  const back = merged(theirs, { ...ours, failed: 4 })
  assert.deepEqual([back.text, back.version, back.failed], ['theirs', 6, 4])
})

test('however sure a file is of what nobody here has tried, it is trusted a little only', () => {
  const known: Known = new Map()
  const sure = lessonOf({ confidence: 1, seen: 900_000_000, helped: 900_000_000, failed: 0, version: 900_000_000 })
  const unsure = lessonOf({ id: 'cccc000003', confidence: 0.3 })
  const { taken } = mergeLessons(known, [sure, unsure], 100, 'x')
  assert.deepEqual(
    taken.map(({ confidence, seen, helped, version }) => [confidence, seen, helped, version]),
    [
      [0.6, 10_000, 10_000, 10_000],
      [0.3, unsure.seen, unsure.helped, unsure.version],
    ],
  )
  assert.deepEqual([...known.values()], taken)
  assert.equal(mergeLessons(known, [sure, unsure], 101, 'x').unchanged, 2)
})

test('what was seen here counts against any number in a file', () => {
  const ours = lessonOf({ confidence: 0.1, seen: 49, helped: 0, failed: 0 })
  const theirs = { ...ours, confidence: 1, seen: 900_000_000, version: 2 }
  assert.equal(merged(ours, theirs).confidence, 0.55)
})

test('what is not news changes nothing', () => {
  const ours = lessonOf({ version: 3, seen: 2 })
  assert.equal(merged(ours, { ...ours }), ours)
  assert.equal(merged(ours, { ...ours, version: 1, seen: 1, text: 'older', confidence: 1 }), ours)
})

test('evidence of both is kept, ours first of all, as much as there is room for', () => {
  const seenIn = (...tasks: string[]) => tasks.map((task) => ({ ...EVIDENCE_OF_A, task }))
  const ours = lessonOf({ evidence: seenIn('a', 'b', 'c') })
  const theirs = lessonOf({ version: 2, evidence: seenIn('d', 'e', 'b', 'f') })
  const tasks = merged(ours, theirs).evidence.map(({ task }) => task)
  assert.deepEqual(tasks, ['e', 'f', 'a', 'b', 'c'])
  assert.equal(tasks.length, EVIDENCE)
})

const side = fc
  .record({
    version: fc.integer({ min: 1, max: 9 }),
    seen: fc.nat(9),
    helped: fc.nat(9),
    failed: fc.nat(9),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map((more) => lessonOf({ ...more, text: `version ${more.version}` }))

test('two people who exchange their files come to rest, with the same words and counts', () => {
  fc.assert(
    fc.property(side, side, (a, b) => {
      let [ours, theirs] = [a, b]
      for (let turn = 0; turn < 4; turn++) {
        ours = merged(ours, theirs)
        theirs = merged(theirs, ours)
      }
      assert.equal(merged(ours, theirs), ours)
      assert.equal(merged(theirs, ours), theirs)
      const told = ({ version, seen, helped, failed }: Lesson) => [version, seen, helped, failed]
      assert.deepEqual(told(ours), told(theirs))
      if (a.version !== b.version) assert.equal(ours.text, theirs.text)
      assert.ok(ours.confidence >= 0 && ours.confidence <= 1)
    }),
  )
})
