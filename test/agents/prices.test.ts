import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOf, PRICES, PRICES_DATED, priceOf } from '../../src/agents/prices.ts'
import { NO_USAGE } from '../../src/usage.ts'

test('the longest name that a model begins with counts', () => {
  assert.equal(priceOf('gpt-5'), PRICES['gpt-5'])
  assert.equal(priceOf('gpt-5-2025-08-07'), PRICES['gpt-5'])
  assert.equal(priceOf('gpt-5-mini-2025-08-07'), PRICES['gpt-5-mini'])
  assert.equal(priceOf('gemini-2.5-flash-lite'), PRICES['gemini-2.5-flash-lite'])
})

test('the price of an unknown model is not guessed', () => {
  assert.equal(priceOf('llama-4'), null)
  assert.equal(priceOf(''), null)
  assert.equal(priceOf('gpt-5.9'), null, 'another model, not a version of this one')
})

test('own prices go before the built-in ones, also where theirs are longer', () => {
  const mine = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
  assert.equal(priceOf('gpt-5-mini', { 'gpt-5': mine }), mine)
  assert.equal(priceOf('my-model-7', { 'my-model': mine }), mine)
  assert.equal(priceOf('gpt-5', { 'my-model': mine }), PRICES['gpt-5'])
})

test('each kind of token has its price; what was thought is part of the output', () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
  const million = 1_000_000
  const cost = (counted: object) => costOf({ ...NO_USAGE, ...counted }, price)
  assert.equal(cost({ inputTokens: million }), 3)
  assert.equal(cost({ outputTokens: million, reasoningTokens: million }), 15)
  assert.equal(cost({ cacheReadTokens: million }), 0.3)
  assert.equal(cost({ cacheWriteTokens: million }), 3.75)
  assert.equal(cost({ inputTokens: 100, outputTokens: 20 }), 0.0006)
  assert.equal(cost({ costUsd: 7 }), 0, 'what is known otherwise is not added')
})

test('the table says of when it is, and holds no price of nothing', () => {
  assert.match(PRICES_DATED, /^20\d\d-\d\d-\d\d$/)
  for (const [model, { input, output, cacheRead }] of Object.entries(PRICES))
    assert.ok(input > 0 && output > input && cacheRead < input, model)
})
