// The rules of the landing queue's batch: as tables, and as properties of whole queues on a virtual clock.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type QueueOptions, type QueueRun, virtualQueue } from '../../../bench/virtual-queue.ts'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import type { Limits } from '../../../src/event.ts'
import {
  batchSize,
  culprit,
  emptyBatch,
  firstBad,
  goodPart,
  isNeedless,
  nextToVerify,
} from '../../../src/scheduler/landing/batch.ts'
import { type Random, random } from '../../simulation/random.ts'

const HOW: Limits['landing'] = { verify: true, window: 1, allgreen: false, reruns: 2 }
const ALL: Limits['landing'] = { ...HOW, allgreen: true }
const MANY_SLOTS = 100

type LandingBatch = ReturnType<typeof emptyBatch>

/** One character per item: `.` not verified yet, `+` passed, a digit: failed so often. */
function batchOf(picture: string, more: Partial<LandingBatch> = {}): LandingBatch {
  const items = [...picture].map((sign, unit) => {
    const failures = Number(sign) || 0
    const failure = failures > 0 ? { reason: 'landing-failed' as const, message: 'exit 1' } : null
    return { unit, work: `w${unit}`, commit: `c${unit}`, passed: sign === '+', failures, failure }
  })
  return { ...emptyBatch(), items, ...more }
}

function verifying(...commits: string[]): Pick<LandingBatch, 'verifications'> {
  const one = { worker: 'local', halting: false, startedAt: 0 }
  return { verifications: commits.map((commit, n) => ({ ...one, number: n + 1, slot: n + 1, commit })) }
}

describe('the good part of a batch, and the first bad item after it', () => {
  const cases: [picture: string, good: number, bad: number, goodIfAll: number, badIfAll: number][] = [
    ['', 0, -1, 0, -1],
    ['....', 0, -1, 0, -1],
    ['...+', 4, -1, 0, -1],
    ['.+..', 2, -1, 0, -1],
    ['...1', 0, 3, 0, 3],
    ['.+.1', 2, 3, 0, 3],
    ['.1.1', 0, 1, 0, 1],
    ['+1.1', 1, 1, 1, 1],
    // It failed, and passed with more on top of it: the rest put it right. With allgreen it may not land like that.
    ['.2.+', 4, -1, 0, 1],
    ['++.+', 4, -1, 2, -1],
    ['++++', 4, -1, 4, -1],
  ]
  for (const [picture, good, bad, goodIfAll, badIfAll] of cases)
    test(`'${picture}'`, () => {
      const batch = batchOf(picture)
      assert.equal(goodPart(batch, HOW), good)
      assert.equal(firstBad(batch, good), bad)
      assert.equal(goodPart(batch, ALL), goodIfAll)
      assert.equal(firstBad(batch, goodIfAll), badIfAll)
    })
})

describe('the culprit', () => {
  const cases: [name: string, picture: string, more: Partial<LandingBatch>, culprit: number | null][] = [
    ['failed more often than it is repeated', '3..', {}, 0],
    ['is not beyond doubt yet', '2..', {}, null],
    ['is not alone: what is before it may be', '.3.', {}, null],
    ['waits until what is before it has landed', '+3.', {}, null],
    ['waits while the branch is being moved', '3..', { moving: 'c9' }, null],
    ['is not one whom what is on top of it puts right', '3.+', {}, null],
    ['is nobody in an empty batch', '', {}, null],
  ]
  for (const [name, picture, more, expected] of cases)
    test(name, () => assert.equal(culprit(batchOf(picture, more), HOW)?.unit ?? null, expected))
  test('is who failed once, where nothing is repeated', () => {
    assert.equal(culprit(batchOf('1.'), { ...HOW, reruns: 0 })?.unit, 0)
  })
})

describe('what is verified next', () => {
  const three = { ...HOW, window: 3 }
  const cases: [
    name: string,
    picture: string,
    how: Limits['landing'],
    more: Partial<LandingBatch>,
    next: string | null,
  ][] = [
    ['the last one, for all of them', '....', HOW, {}, 'c3'],
    ['nothing while as many as may are being verified', '....', HOW, verifying('c3'), null],
    ['nothing twice', '....', three, verifying('c3'), null],
    ['more behind a batch that is being verified', '.....', three, verifying('c2'), 'c4'],
    ['nothing when all has passed', '...+', HOW, {}, null],
    ['the middle of what failed', '.......1', HOW, {}, 'c3'],
    ['the middle of what is left', '...+...1', HOW, {}, 'c5'],
    ['the shorter part of what failed', '...1...1', HOW, {}, 'c1'],
    ['the one that makes the difference again', '++1.', HOW, {}, 'c2'],
    ['… as often as it is to be repeated', '++2.', HOW, {}, 'c2'],
    ['… and then no more', '++3.', HOW, {}, null],
    ['a cut in four with three at once', '.......1', three, {}, 'c1'],
    ['… then its second', '.......1', three, verifying('c1'), 'c3'],
    ['… then its third', '.......1', three, verifying('c1', 'c3'), 'c5'],
    ['every one in turn with allgreen', '+..', ALL, {}, 'c1'],
    ['… none behind one that failed', '+.1.', ALL, {}, 'c1'],
    ['… the failed one itself once all before it have passed', '++1.', ALL, {}, 'c2'],
    ['… several at once', '+...', { ...ALL, window: 2 }, verifying('c1'), 'c2'],
  ]
  for (const [name, picture, how, more, next] of cases)
    test(name, () => assert.equal(nextToVerify(batchOf(picture, more), how, MANY_SLOTS)?.commit ?? null, next, picture))

  test('one always, more only where slots are free', () => {
    const four = { ...HOW, window: 4 }
    const failed = (...commits: string[]) => batchOf('...............1', verifying(...commits))
    assert.ok(nextToVerify(failed(), four, 0), 'the first needs no spare slot')
    assert.equal(nextToVerify(failed('c2'), four, 0), null)
    assert.ok(nextToVerify(failed('c2'), four, 1))
    assert.equal(nextToVerify(failed('c2', 'c5'), four, 1), null)
  })

  test('the more work turned out bad, the nearer to the start the search begins', () => {
    const at = (ejected: number) =>
      Number(nextToVerify(batchOf(`${'.'.repeat(31)}1`, { ejected }), HOW, 0)?.commit.slice(1))
    const places = [0, 5, 20, 100].map(at)
    assert.deepEqual(
      places,
      places.toSorted((a, b) => b - a),
    )
    assert.ok((places[0] ?? 0) > 8 && (places[3] ?? 31) < 3, String(places))
  })

  for (const window of [1, 2, 3, 4, 8])
    test(`the cuts of ${window} at once lie inside, whatever the length and the share of bad work`, () => {
      const how = { ...HOW, window }
      for (let length = 1; length <= 40; length++)
        for (const ejected of [0, 3, 50]) {
          const picture = `${'.'.repeat(length)}1`
          const found: string[] = []
          for (;;) {
            const next = nextToVerify(batchOf(picture, { ejected, ...verifying(...found) }), how, MANY_SLOTS)
            if (!next) break
            assert.ok(next.unit < length, `item ${next.unit} of ${length} is not in doubt`)
            found.push(next.commit)
          }
          assert.ok(found.length >= 1 && found.length <= Math.min(window, length))
        }
    })
})

describe('whose result is of no use any more', () => {
  const cases: [name: string, picture: string, how: Limits['landing'], commit: string, needless: boolean][] = [
    ['one of a batch nothing is known of', '....', HOW, 'c3', false],
    ['one before the part that has passed', '.+..', HOW, 'c0', true],
    ['one behind it', '.+..', HOW, 'c3', false],
    ['one behind the first that failed', '.1..', HOW, 'c3', true],
    ['one before it', '.1..', HOW, 'c0', false],
    ['the failed one itself, which is repeated', '.1..', HOW, 'c1', false],
    ['one that is in no batch any more', '....', HOW, 'gone', true],
    ['with allgreen one before a part that has passed', '.+..', ALL, 'c0', false],
  ]
  for (const [name, picture, how, commit, needless] of cases)
    test(name, () => {
      const [verification] = verifying(commit).verifications
      assert.ok(verification)
      assert.equal(isNeedless(batchOf(picture), how, verification), needless)
    })
})

describe('how many make a batch', () => {
  const cases: [landed: number, ejected: number, waiting: number, size: number][] = [
    [0, 0, 1, 1],
    [0, 0, 64, 64],
    [500, 0, 200, 200],
    [0, 0, 1000, 256],
    // 3 of 45 were bad: a batch that holds about one.
    [0, 1, 64, 14],
    // A rest that is much smaller would cost a verification of its own.
    [0, 1, 18, 18],
    [0, 1, 19, 14],
    [1000, 1, 300, 256],
    [0, 1000, 64, 1],
  ]
  for (const [landed, ejected, waiting, size] of cases)
    test(`${waiting} wait, ${landed} have landed, ${ejected} were bad: ${size}`, () =>
      assert.equal(batchSize({ ...emptyBatch(), landed, ejected }, waiting), size))

  test('never more than `landing.batch` says', () => {
    assert.equal(batchSize(emptyBatch(), 100, 3), 3)
    assert.equal(batchSize({ ...emptyBatch(), landed: 100, ejected: 1 }, 7, 5), 5)
  })
})

/** What holds for every queue, whatever is bad in it and however often the commands fail for no reason. */
function checkQueue(run: QueueRun, { items, isBad, landing }: QueueOptions): void {
  assert.equal(run.landed.length + run.ejected.length, items, 'every item ends landed or ejected (G6)')
  assert.equal(new Set([...run.landed, ...run.ejected]).size, items, 'and once')
  for (const commit of landing.allgreen ? run.chain : run.points) {
    assert.ok(run.passed.has(commit), 'the branch moves only to what has passed (G2)')
    assert.ok(!isBad(run.contents.get(commit) ?? new Set()), 'nothing bad is where the branch moves to')
  }
}

function someOf(rnd: Random, items: number, count: number): Set<string> {
  const found = new Set<string>()
  while (found.size < count) found.add(`t${rnd.int(items)}`)
  return found
}

/**
 * Each bad item is found by one search: its cuts halve what is in doubt, or nearly. Then it is repeated, and what was
 * behind it is verified anew. Around that lie the batches. With several at once, each step may cost as many.
 */
function mostRuns(items: number, bad: number, { window, reruns, allgreen }: Limits['landing'], slots: number): number {
  const atOnce = Math.min(window, slots + 1)
  if (allgreen) return items + bad * (reruns + atOnce)
  const search = Math.ceil(Math.log2(items + 1)) + 2
  return slots + 1 + (bad === 0 ? atOnce : 0) + bad * ((search + 1) * atOnce + reruns)
}

describe('queues of the real scheduler on a virtual clock', () => {
  for (const allgreen of [false, true])
    for (const window of [1, 2, 3, 4])
      test(`exactly the bad ones are ejected: ${allgreen ? 'allgreen, ' : ''}window ${window}`, () => {
        for (let seed = 1; seed <= 60; seed++) {
          const rnd = random(seed)
          const items = 1 + rnd.int(48)
          const bad = someOf(rnd, items, rnd.int(Math.min(items, 6) + 1))
          const landing = { verify: true, window, allgreen, reruns: rnd.int(3) }
          const slots = 1 + rnd.int(4)
          const isBad = (tasks: ReadonlySet<string>) => [...bad].some((task) => tasks.has(task))
          const spread = rnd.chance(0.5)
          const doneAt = () => (spread ? rnd.int(20_000) : 0)
          const options = { items, landing, slots, verifyMs: 1_000, isBad, flakes: () => false, doneAt }
          const run = virtualQueue(options)
          checkQueue(run, options)
          assert.deepEqual(new Set(run.ejected), bad, `seed ${seed}`)
          const most = mostRuns(items, bad.size, landing, slots)
          if (!spread) assert.ok(run.runs <= most, `seed ${seed}: ${run.runs} verifications, not ${most}`)
        }
      })

  test('pairs that are bad together only: one of each pair is ejected, the other lands', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const rnd = random(seed)
      const items = 8 + rnd.int(40)
      const ids = [...someOf(rnd, items, 6)]
      const pairs = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6)]
      const isBad = (tasks: ReadonlySet<string>) => pairs.some((pair) => pair.every((task) => tasks.has(task)))
      const landing = { ...HOW, window: 1 + rnd.int(3), allgreen: rnd.chance(0.3) }
      const options = { items, landing, slots: 2, verifyMs: 1_000, isBad, flakes: () => false }
      const run = virtualQueue(options)
      checkQueue(run, options)
      for (const pair of pairs) assert.equal(pair.filter((task) => run.ejected.includes(task)).length, 1)
      assert.equal(run.ejected.length, pairs.length, `seed ${seed}`)
    }
  })

  test('all bad, or the first, or the last: the queue comes to rest', () => {
    for (const bad of [['t0'], ['t15'], ['t0', 't15'], Array.from({ length: 16 }, (_, n) => `t${n}`)]) {
      const isBad = (tasks: ReadonlySet<string>) => bad.some((task) => tasks.has(task))
      const options = { items: 16, landing: HOW, slots: 2, verifyMs: 1_000, isBad, flakes: () => false }
      const run = virtualQueue(options)
      checkQueue(run, options)
      assert.deepEqual(new Set(run.ejected), new Set(bad))
    }
  })

  test('64 of which 3 are bad take at least 3 times fewer verifications than one by one', () => {
    const counts: number[] = []
    for (let seed = 1; seed <= 40; seed++) {
      const bad = someOf(random(seed), 64, 3)
      const isBad = (tasks: ReadonlySet<string>) => [...bad].some((task) => tasks.has(task))
      const options = { items: 64, landing: HOW, slots: 2, verifyMs: 1_000, isBad, flakes: () => false }
      const run = virtualQueue(options)
      checkQueue(run, options)
      assert.deepEqual(new Set(run.ejected), bad, `seed ${seed}`)
      assert.ok(run.runs <= mostRuns(64, 3, HOW, 2), `seed ${seed}: ${run.runs}`)
      counts.push(run.trees)
    }
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    assert.ok(mean <= 64 / 3, `${mean} verifications`)
  })

  for (const count of [0, 3])
    test(`one verification in twenty fails for no reason, ${count} of 64 are bad: nobody good is ejected`, () => {
      for (let seed = 1; seed <= 20; seed++) {
        const rnd = random(seed)
        const bad = someOf(rnd, 64, count)
        const { window, allgreen, reruns } = DEFAULT_SETTINGS.landing
        const options = {
          ...{ items: 64, landing: { verify: true, window, allgreen, reruns }, slots: 2, verifyMs: 1_000 },
          isBad: (tasks: ReadonlySet<string>) => [...bad].some((task) => tasks.has(task)),
          flakes: () => rnd.chance(0.05),
        }
        const run = virtualQueue(options)
        checkQueue(run, options)
        assert.deepEqual(new Set(run.ejected), bad, `seed ${seed}`)
      }
    })

  test('commands that always fail end the queue with everything ejected, after a bounded number of them', () => {
    const options = { items: 20, landing: HOW, slots: 2, verifyMs: 1_000, isBad: () => true, flakes: () => false }
    const run = virtualQueue(options)
    assert.equal(run.ejected.length, 20)
    assert.ok(run.runs <= mostRuns(20, 20, HOW, 2), String(run.runs))
  })
})
