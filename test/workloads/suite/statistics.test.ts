import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { autoShards, shareOut, splitFiles } from '../../../src/workloads/suite/shards.ts'
import { type Look, passAtK, stabilityOf, wilsonInterval } from '../../../src/workloads/suite/statistics.ts'
import { random } from '../../simulation/random.ts'

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 0.001, `${actual}, not ${expected}`)

test('the Wilson interval has the known values, and is honest about few looks', () => {
  const some = wilsonInterval(8, 10)
  near(some.low, 0.4902)
  near(some.high, 0.9433)
  const none = wilsonInterval(0, 10)
  near(none.low, 0)
  near(none.high, 0.2775)
  assert.deepEqual(wilsonInterval(0, 0), { low: 0, high: 1 })
  assert.ok(wilsonInterval(1, 1).low < 0.21)
})

test('pass@k is what counting all choices gives', () => {
  near(passAtK(5, 2, 1), 0.4)
  near(passAtK(5, 2, 3), 1 - 1 / 10)
  assert.equal(passAtK(5, 5, 1), 1)
  assert.equal(passAtK(5, 3, 3), 1)
  assert.equal(passAtK(4, 0, 2), 0)
  assert.ok(Number.isNaN(passAtK(2, 1, 3)))
})

/** A history of runs with two retries each, on a tree that changes now and then. */
function history(failureRate: number, runs: number, seed: number): Look[] {
  const rnd = random(seed)
  return Array.from({ length: runs }, (_, n) => {
    const tries: boolean[] = []
    while (tries.length < 3 && tries.at(-1) !== true) tries.push(!rnd.chance(failureRate))
    return { tree: `tree-${Math.floor(n / 5)}`, tries }
  })
}

test('entries that fail 5, 20 and 50 % of the time are called flaky in at least 95 of 100 histories, others never', () => {
  for (const rate of [0.05, 0.2, 0.5]) {
    const right = Array.from({ length: 100 }, (_, seed) => stabilityOf(history(rate, 100, seed + 1)))
    const flaky = right.filter(({ kind }) => kind === 'flaky').length
    assert.ok(flaky >= 95, `${flaky} of 100 at ${rate}`)
    const held = right.filter(({ interval }) => interval.low <= rate && rate <= interval.high).length
    assert.ok(held >= 85, `the interval holds ${rate} ${held} times of 100`)
  }
  assert.equal(stabilityOf(history(0, 100, 1)).kind, 'stable')
  assert.equal(stabilityOf(history(1, 100, 1)).kind, 'broken')
})

test('what a commit broke is not flaky, and what a commit put right is stable', () => {
  const passed = (tree: string): Look => ({ tree, tries: [true] })
  const failed = (tree: string): Look => ({ tree, tries: [false, false] })
  assert.equal(stabilityOf([passed('a'), passed('a'), failed('b')]).kind, 'broken')
  assert.equal(stabilityOf([passed('a'), failed('b'), passed('c')]).kind, 'stable')
  assert.equal(stabilityOf([passed('a'), failed('a')]).kind, 'flaky')
  assert.equal(stabilityOf([]).kind, 'unknown')
})

test('files are split so that no part is longer than the best by more than one file, and none is lost', () => {
  const file = fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 1000 }))
  fc.assert(
    fc.property(
      fc.uniqueArray(file, { selector: ([name]) => name, minLength: 1 }),
      fc.integer({ min: 1, max: 8 }),
      (files, count) => {
        const times = new Map(files)
        const names = files.map(([name]) => name)
        const parts = splitFiles(names, times, count)
        assert.deepEqual(parts.flatMap((part) => part.files).sort(), names.sort())
        assert.equal(parts.length, Math.min(count, names.length))
        const total = files.reduce((sum, [, ms]) => sum + ms, 0)
        const longest = Math.max(...files.map(([, ms]) => ms))
        assert.ok((parts[0]?.ms ?? 0) <= total / parts.length + longest)
      },
    ),
  )
})

test('without measured times there are more parts than workers, with them as many', () => {
  const files = Array.from({ length: 20 }, (_, n) => `f${n}`)
  assert.equal(autoShards(files, new Map(), 2), 6)
  assert.equal(autoShards(files, new Map(files.map((name) => [name, 1])), 2), 2)
  assert.equal(autoShards(['a'], new Map(), 4), 1)
})

test('files of a part together took as long as the part did, and one that takes a second longer than another still does', () => {
  const starting = shareOut(['a', 'b'], new Map([['a', 1_000]]), 3_000)
  assert.deepEqual([...starting.values()], [2_000, 1_000])
  const together = shareOut(
    ['a', 'b'],
    new Map([
      ['a', 3_000],
      ['b', 1_000],
    ]),
    2_000,
  )
  assert.deepEqual([...together.values()], [1_500, 500])
  assert.deepEqual([...shareOut(['a', 'b'], new Map(), 500).values()], [250, 250], 'a runner that names no files')
})
