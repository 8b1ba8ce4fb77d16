import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyText, outdated } from '../../../src/engine/upkeep/what-may-be-removed.ts'
import type { RunSummary } from '../../../src/view.ts'
import { summary } from '../../store/contract.ts'

const DAY_MS = 24 * 3_600_000
const NOW = 1_000 * DAY_MS

/** Ended so many days ago; null: it can be resumed. */
function ended(run: string, daysAgo: number | null): RunSummary {
  const finishedAt = daysAgo === null ? null : NOW - daysAgo * DAY_MS
  return { ...summary(run, NOW - 500 * DAY_MS), resumable: daysAgo === null, finishedAt }
}

const RUNS = [ended('e', 40), ended('d', 41), ended('c', null), ended('b', 42), ended('a', 1)]

const table: [what: string, runs: number | null, days: number | null, gone: string[]][] = [
  ['without bounds all stay', null, null, []],
  ['too old, but for the newest of all', null, 30, ['d', 'b']],
  ['too many, counted from their end: the one that was resumed yesterday stays', 2, null, ['d', 'b']],
  ['one stays, and with it the newest of all', 1, null, ['d', 'b']],
  ['either is enough', 3, 41, ['b']],
  ['what can be resumed never goes', 1, 1, ['d', 'b']],
]
for (const [what, runs, days, gone] of table)
  test(`history ${runs} runs, ${days} days: ${what}`, () => {
    const found = outdated(RUNS, { runs, days }, NOW).map(({ run }) => run)
    assert.deepEqual(found, gone)
  })

test('no runs, nothing to remove', () => assert.deepEqual(outdated([], { runs: 1, days: 1 }, NOW), []))

test('the policy in words', () => {
  assert.equal(historyText({ runs: 20, days: 30 }), 'the newest 20 are kept, for at most 30 days')
  assert.equal(historyText({ runs: null, days: 1 }), 'all are kept, for at most 1 day')
  assert.equal(historyText({ runs: 3, days: null }), 'the newest 3 are kept')
})
