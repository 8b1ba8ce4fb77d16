import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonText } from '../../src/text/json.ts'

const cases: { name: string; value: unknown; text: string }[] = [
  { name: 'a sum of dollars', value: { costUsd: 0.1 + 0.2 }, text: '{"costUsd":0.3}' },
  { name: 'dollars deep inside', value: [{ usage: { costUsd: 1.1 + 2.2 } }], text: '[{"usage":{"costUsd":3.3}}]' },
  { name: 'the price of a few tokens', value: { costUsd: 0.0000125 }, text: '{"costUsd":0.000013}' },
  { name: 'more than was saved', value: { savedUsd: 0.1 - 0.4 }, text: '{"savedUsd":-0.3}' },
  { name: 'a large sum', value: { budgetUsd: 123_456_789.123 }, text: '{"budgetUsd":123456789.123}' },
  { name: 'an amount nobody knows', value: { costUsd: null }, text: '{"costUsd":null}' },
  { name: 'what is no money', value: { share: 0.1 + 0.2 }, text: '{"share":0.30000000000000004}' },
]
for (const { name, value, text } of cases) test(name, () => assert.equal(jsonText(value), text))
