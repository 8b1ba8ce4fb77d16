import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MODELS_DATED } from '../../src/agents/facts.ts'
import { AGENTS } from '../../src/agents/list.ts'
import { priceOf } from '../../src/agents/prices.ts'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { costOf, NO_USAGE } from '../../src/usage.ts'
import { PRICES } from './list-prices.ts'

test('a name stands for itself and its dated versions', () => {
  assert.equal(priceOf('gpt-5'), PRICES['gpt-5'])
  assert.equal(priceOf('gpt-5-2025-08-07'), PRICES['gpt-5'])
  assert.equal(priceOf('gpt-5-mini-2025-08-07'), PRICES['gpt-5-mini'])
  assert.equal(priceOf('claude-sonnet-4-20250514'), PRICES['claude-sonnet-4'])
  assert.equal(priceOf('claude-3-5-haiku-latest'), PRICES['claude-3-5-haiku'])
  assert.equal(priceOf('gemini-2.5-flash-lite'), PRICES['gemini-2.5-flash-lite'])
})

test('another version has another price', () => {
  const inputs = (...models: string[]) => models.map((model) => priceOf(model)?.input ?? null)
  const opus = inputs('claude-opus-4', 'claude-opus-4-20250514', 'claude-opus-4-1', 'claude-opus-4-5-20251101')
  assert.deepEqual(opus, [15, 15, 15, 5])
  assert.deepEqual(inputs('gpt-5', 'gpt-5-codex', 'gpt-5-pro', 'gpt-5.1'), [1.25, 1.25, 15, 1.25])
  assert.deepEqual(inputs('claude-opus-4-99', 'gpt-5-chat', 'gpt-5-2025', 'gpt-5-latest-x'), [null, null, null, null])
})

test('the models that are chosen from by default have a price, the cheapest first, and that of the program is the last', () => {
  for (const agent of ['claude', 'codex', 'gemini'] as const) {
    const { tiers } = DEFAULT_SETTINGS.agents[agent]
    const outputs = tiers.map((model) => priceOf(model)?.output ?? assert.fail(`${model} has no price`))
    assert.deepEqual(
      outputs,
      outputs.toSorted((a, b) => a - b),
      agent,
    )
    if (agent !== 'gemini') assert.equal(tiers.at(-1), AGENTS[agent].defaultModel)
  }
})

test('the price of an unknown model is not guessed', () => {
  assert.equal(priceOf('llama-4'), null)
  assert.equal(priceOf(''), null)
  assert.equal(priceOf('gpt-5.9'), null, 'another model, not a version of this one')
  assert.equal(priceOf('constructor'), null)
})

test('own prices go before the built-in ones, by the same rule', () => {
  const mine = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
  assert.equal(priceOf('gpt-5-2025-08-07', { 'gpt-5': mine }), mine)
  assert.equal(priceOf('gpt-5-pro', { 'gpt-5': mine }), PRICES['gpt-5-pro'])
  assert.equal(priceOf('my-model-20260101', { 'my-model': mine }), mine)
  assert.equal(priceOf('my-model-7', { 'my-model': mine }), null)
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
  assert.match(MODELS_DATED, /^20\d\d-\d\d-\d\d$/)
  for (const [model, { input, output, cacheRead }] of Object.entries(PRICES))
    assert.ok(input > 0 && output > input && cacheRead <= input, model)
})
