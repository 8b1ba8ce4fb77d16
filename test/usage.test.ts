import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsage, NO_USAGE, type Usage, usage, usageSince } from '../src/usage.ts'

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

test('a counter that began anew gives nothing back, and the others still count', () => {
  const anew = { ...addUsage(some, some), inputTokens: 7, costUsd: 0.1 }
  assert.deepEqual(usageSince(anew, some), { ...some, inputTokens: 0, costUsd: 0 })
})

test('journals from before caches were counted can be read', () => {
  assert.deepEqual(usage.parse({ inputTokens: 1, outputTokens: 2, costUsd: 3 }), {
    ...NO_USAGE,
    inputTokens: 1,
    outputTokens: 2,
    costUsd: 3,
  })
  assert.equal(usage.safeParse({ ...some, costUsd: -1 }).success, false)
})
