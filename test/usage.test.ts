import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsage, mostUsage, NO_USAGE, type Usage, usageSince } from '../src/usage.ts'

const some: Usage = {
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 3_000,
  cacheWriteTokens: 400,
  reasoningTokens: 5,
  costUsd: 0.25,
}

test('sums are taken kind by kind', () => {
  assert.deepEqual(addUsage(some, NO_USAGE), some)
  assert.deepEqual(addUsage(some, some), {
    inputTokens: 200,
    outputTokens: 40,
    cacheReadTokens: 6_000,
    cacheWriteTokens: 800,
    reasoningTokens: 10,
    costUsd: 0.5,
  })
})

test('of a counter that goes on, only what came since counts', () => {
  assert.deepEqual(usageSince(addUsage(some, some), some), some)
  assert.deepEqual(usageSince(some, some), NO_USAGE)
})

test('of two counts that may be behind, the larger counts, kind by kind', () => {
  const behind = { ...some, outputTokens: 1, inputTokens: 101 }
  assert.deepEqual(mostUsage(some, behind), { ...some, inputTokens: 101 })
})

test('a counter that began anew counts in full: tokens together, the cost by itself', () => {
  const more = addUsage(some, some)
  assert.deepEqual(usageSince({ ...more, costUsd: 0.1 }, some), { ...some, costUsd: 0.1 })
  // By chance there is more of one kind than there was before.
  const anew = { ...NO_USAGE, inputTokens: 150, outputTokens: 7, costUsd: 0.5 }
  assert.deepEqual(usageSince(anew, some), { ...anew, costUsd: 0.25 })
})

test('one kind alone that goes backwards gives nothing back, and counts nothing twice', () => {
  const corrected = { ...addUsage(some, some), reasoningTokens: 4, inputTokens: 99 }
  assert.deepEqual(usageSince(corrected, some), { ...some, reasoningTokens: 0, inputTokens: 0 })
})

test('a sum with something nobody knows the cost of says so', () => {
  const unknown: Usage = { ...some, costUsd: 0, costUnknown: true }
  assert.deepEqual(addUsage(some, unknown), { ...addUsage(some, some), costUsd: 0.25, costUnknown: true })
  assert.deepEqual(usageSince(addUsage(unknown, unknown), unknown), unknown)
})
