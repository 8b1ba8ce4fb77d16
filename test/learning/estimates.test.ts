import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimate } from '../../src/learning/estimates.ts'
import { experienceOf } from './sample.ts'

const LOOKS = { task: 'new', plan: 'r1', domain: 'api', complexity: 0.4, words: ['invoice'] }

test('nothing is estimated from nothing, or from hardly anything', () => {
  assert.equal(estimate(LOOKS, []), null)
  assert.equal(estimate(LOOKS, [experienceOf({ task: 'other' })]), null)
})

test('the same task of an earlier run says most', () => {
  const past = [
    ...Array.from({ length: 20 }, () => experienceOf({ task: 'other', durationMs: 1_000, costUsd: 1 })),
    experienceOf({ task: 'new', durationMs: 90_000, costUsd: 7 }),
  ]
  assert.deepEqual(estimate(LOOKS, past), { durationMs: 90_000, costUsd: 7, isSame: true })
})

test('similar tasks are weighed, and one odd one among them changes nothing', () => {
  const past = [
    ...Array.from({ length: 5 }, (_, n) => experienceOf({ task: `t${n}`, durationMs: 10_000, costUsd: 2 })),
    experienceOf({ task: 'odd', durationMs: 9_000_000, costUsd: 500 }),
    ...Array.from({ length: 20 }, (_, n) =>
      experienceOf({ task: `f${n}`, domain: 'frontend', complexity: 0.9, durationMs: 1 }),
    ),
  ]
  const found = estimate(LOOKS, past)
  assert.deepEqual(found, { durationMs: 10_000, costUsd: 2, isSame: false })
})

test('a task of the same name in another plan is another task', () => {
  const past = [experienceOf({ task: 'new', run: 'other-4', domain: 'frontend', complexity: 1 })]
  assert.equal(estimate(LOOKS, past), null)
})

test('what nobody knows the cost of says nothing about it', () => {
  const past = [experienceOf({ task: 'new', costUsd: null }), experienceOf({ task: 'new', costUsd: 4 })]
  assert.equal(estimate(LOOKS, past)?.costUsd, 4)
})

test('in a large plan only what has run before is estimated', () => {
  const past = Array.from({ length: 9 }, (_, n) => experienceOf({ task: `t${n}` }))
  assert.notEqual(estimate(LOOKS, past), null)
  assert.equal(estimate(LOOKS, past, 'same'), null)
})

test('what never cost anything has no cost', () => {
  const past = Array.from({ length: 5 }, () => experienceOf({ task: 'new', costUsd: 0 }))
  assert.equal(estimate(LOOKS, past)?.costUsd, null)
})
