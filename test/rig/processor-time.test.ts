import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processorMs, quickest } from './processor-time.ts'

const LIMIT_MS = 30

function work(ms: number): void {
  const end = processorMs() + ms
  while (processorMs() < end);
}

test('what is quick is run once', () => {
  let runs = 0
  const { result, tookMs } = quickest(10_000, () => ++runs)
  assert.deepEqual([result, runs, tookMs < 10_000], [1, 1, true])
})

test('what is slow once is not slow', () => {
  let runs = 0
  const { tookMs } = quickest(LIMIT_MS, () => {
    runs++
    if (runs === 1) work(LIMIT_MS)
  })
  assert.ok(tookMs < LIMIT_MS, `${tookMs} ms`)
  assert.ok(runs > 1)
})

test('what is slow each time is', () => {
  let runs = 0
  const { tookMs } = quickest(LIMIT_MS, () => {
    runs++
    work(LIMIT_MS)
  })
  assert.deepEqual([runs, tookMs >= LIMIT_MS], [3, true])
})
