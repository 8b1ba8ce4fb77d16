import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costText, usageText } from '../../src/text/usage-text.ts'
import { NO_USAGE, type Usage } from '../../src/usage.ts'

const tokens: Usage = { ...NO_USAGE, inputTokens: 4_000_000, cacheReadTokens: 1_000_000, outputTokens: 39 }

const COSTS: { usage: Partial<Usage>; cost: string; text: string }[] = [
  { usage: { costUsd: 0.0152 }, cost: '$0.0152', text: '5.0M tokens in (20% cached), 39 out, $0.0152' },
  // A model on the user's own machine.
  { usage: {}, cost: '$0.00', text: '5.0M tokens in (20% cached), 39 out, $0.00' },
  { usage: { costUnknown: true }, cost: 'unknown', text: '5.0M tokens in (20% cached), 39 out, cost unknown' },
  {
    usage: { costUsd: 2, costUnknown: true },
    cost: '$2.00 + unknown',
    text: '5.0M tokens in (20% cached), 39 out, $2.00 + unknown',
  },
]

for (const { usage, cost, text } of COSTS) {
  test(`a cost in words: ${cost}`, () => {
    assert.equal(costText({ ...tokens, ...usage }), cost)
    assert.equal(usageText({ ...tokens, ...usage }), text)
  })
}
