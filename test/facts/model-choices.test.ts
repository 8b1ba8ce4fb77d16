import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenModels, savedBy } from '../../src/facts/model-choices.ts'
import type { ModelChoice } from '../../src/learning-records.ts'
import { NO_USAGE } from '../../src/usage.ts'
import type { AttemptView } from '../../src/view.ts'
import { attemptOf, taskOf } from '../reports/sample.ts'

const CHOICE: ModelChoice = {
  ...{ model: 'small', tier: 1, tiers: 3, why: 'easy', success: 0.9, expectedUsd: 0.1, dearestUsd: 99 },
  dearestPrice: { input: 0, output: 1, cacheRead: 0, cacheWrite: 2 },
}

/** The dearest takes a dollar for it. */
const MILLION = 1_000_000

function paid(costUsd: number, more: Partial<AttemptView> = {}): AttemptView {
  return attemptOf({ agent: 'claude', choice: CHOICE, usage: { ...NO_USAGE, outputTokens: MILLION, costUsd }, ...more })
}

test('what was chosen, and what came of it', () => {
  const failure = { reason: 'verify-failed', message: 'no' } as const
  const tasks = [
    taskOf({ id: 'a', history: [paid(0.1, { failure }), paid(0.3, { attempt: 2 })] }),
    taskOf({ id: 'b', history: [paid(0, { finishedAt: null, usage: null })] }),
    taskOf({ id: 'c', history: [attemptOf({})] }),
  ]
  assert.deepEqual(
    chosenModels(tasks).map(({ task, attempt, succeeded, costUsd }) => [task, attempt, succeeded, costUsd]),
    [
      ['a', 1, false, 0.1],
      ['a', 2, true, 0.3],
      ['b', 1, null, null],
    ],
  )
})

const NOTHING = { tasks: 0, costUsd: 0, dearestUsd: 0, savedUsd: 0 }

function saved(...tasks: Parameters<typeof taskOf>[0][]) {
  return savedBy(chosenModels(tasks.map(taskOf)))
}

test('the dearest counts once for a task: a cheap try that failed saves nothing', () => {
  const twice = { id: 'a', history: [paid(0.5), paid(1, { attempt: 2 })] }
  const once = { id: 'b', history: [paid(0.25)], status: 'passed' as const }
  assert.deepEqual(saved(twice, once), { tasks: 2, costUsd: 1.75, dearestUsd: 2, savedUsd: 0.25 })
  assert.deepEqual(saved(), NOTHING)
})

test('a task that was not done has saved nothing, however cheap it was', () => {
  for (const status of ['failed', 'cancelled', 'running', 'conflict', 'landing'] as const)
    assert.deepEqual(saved({ id: 'a', history: [paid(0.1)], status }), NOTHING, status)
})

test('what the dearest would have cost is worked out from the tokens that were used, not from the guess before', () => {
  const usage = { ...NO_USAGE, outputTokens: 3 * MILLION, cacheWriteTokens: MILLION, costUsd: 1 }
  assert.deepEqual(saved({ id: 'a', history: [paid(1, { usage })] }), {
    ...{ tasks: 1, costUsd: 1, dearestUsd: 5, savedUsd: 4 },
  })
})

test('the dearest itself saves nothing', () => {
  const choice = { ...CHOICE, tier: 3 }
  assert.deepEqual(saved({ id: 'a', history: [paid(7, { choice })] }), {
    ...{ tasks: 1, costUsd: 7, dearestUsd: 7, savedUsd: 0 },
  })
})

test('a task of which the cost, the tokens or the price are not known does not count', () => {
  const { dearestPrice: _, ...older } = CHOICE
  for (const history of [
    [paid(0)],
    [paid(1, { usage: null })],
    [paid(1, { usage: { ...NO_USAGE, costUsd: 1 } })],
    [paid(1, { usage: { ...NO_USAGE, outputTokens: 5, costUsd: 1, costUnknown: true } })],
    [paid(1, { choice: older })],
    [paid(0), paid(1, { attempt: 2 })],
    [paid(1), attemptOf({ attempt: 2 })],
  ])
    assert.deepEqual(saved({ id: 'a', history }), NOTHING, JSON.stringify(history))
})
