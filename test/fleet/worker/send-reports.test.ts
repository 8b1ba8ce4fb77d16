import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptReport } from '../../../src/attempt/attempt-order.ts'
import { Reports } from '../../../src/fleet/worker/send-reports.ts'

test('everything is sent in order, at most 50 facts at a time, however many have come', async () => {
  const sent: AttemptReport[][] = []
  const reports = new Reports(async (facts) => void sent.push(facts))
  const facts = Array.from({ length: 120 }, (_, n): AttemptReport => {
    return { type: 'attempt.spent', task: 'a', attempt: 1, costUsd: n }
  })
  for (const fact of facts) reports.fact(fact)
  await reports.flush()
  assert.deepEqual(
    sent.map(({ length }) => length),
    [50, 50, 20],
  )
  assert.deepEqual(sent.flat(), facts)
})
