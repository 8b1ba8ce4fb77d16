// What the processes of one attempt used together, whatever their counters count from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counters } from '../../../src/agents/agent.ts'
import { usageOfAll } from '../../../src/attempt/watch/agent-totals.ts'
import { NO_USAGE, type Usage } from '../../../src/usage.ts'

function told(inputTokens: number, costUsd: number): Usage {
  return { ...NO_USAGE, inputTokens, costUsd }
}

/** Three processes, the second and third in the conversation of the first. */
const RESUMED = [told(10, 1), told(14, 3), told(20, 4)].map((usage, i) => ({ usage, resumed: i > 0 }))

const TABLE: [Counters, number, number][] = [
  [{ tokens: 'process', cost: 'process' }, 44, 8],
  [{ tokens: 'process', cost: 'session' }, 44, 4],
  [{ tokens: 'session', cost: 'none' }, 20, 8],
  [{ tokens: 'session', cost: 'session' }, 20, 4],
]

for (const [counters, inputTokens, costUsd] of TABLE) {
  test(`tokens by ${counters.tokens}, cost by ${counters.cost}`, () => {
    assert.deepEqual(usageOfAll(RESUMED, counters), told(inputTokens, costUsd))
  })
}

const SESSION: Counters = { tokens: 'session', cost: 'session' }

test('a conversation that was begun anew is counted from its start', () => {
  const processes = [told(10, 1), told(4, 2)].map((usage) => ({ usage, resumed: false }))
  assert.deepEqual(usageOfAll(processes, SESSION), told(14, 3))
})

test('a counter that begins anew with a process is counted in full, and goes on from there', () => {
  const processes = [told(10, 1), told(4, 0.5), told(6, 2)].map((usage, i) => ({ usage, resumed: i > 0 }))
  assert.deepEqual(usageOfAll(processes, SESSION), told(16, 3))
})

test('a process that told nothing does not make the one after it count from the start', () => {
  const processes = [
    { usage: told(10, 1), resumed: false },
    { usage: null, resumed: true },
    { usage: told(14, 3), resumed: true },
  ]
  assert.deepEqual(usageOfAll(processes, SESSION), told(14, 3))
})

test('where nobody told anything, nothing is known', () => {
  assert.equal(usageOfAll([{ usage: null, resumed: false }], SESSION), null)
  assert.equal(usageOfAll([], SESSION), null)
})
