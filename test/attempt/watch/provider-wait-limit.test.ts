// Who waits for its provider by itself is ended after a while, unless it goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentReader } from '../../../src/agents/agent.ts'
import { ProviderWait } from '../../../src/attempt/watch/provider-wait-limit.ts'

const LONG_MS = 60_000
const PATIENCE_MS = 10_000

const CASES: { name: string; lines: boolean[]; isOver?: boolean; ends: number }[] = [
  { name: 'one that waits and says nothing more', lines: [false, true], ends: 1 },
  { name: 'one that says again and again that it waits', lines: [true, true, true], ends: 1 },
  { name: 'one that goes on', lines: [true, false], ends: 0 },
  { name: 'one that waits again', lines: [true, false, true], ends: 1 },
  { name: 'one that is not ours any more', lines: [true], isOver: true, ends: 0 },
]

for (const { name, lines, isOver = false, ends } of CASES) {
  test(`${name} is ${ends === 0 ? 'left alone' : 'ended'}`, ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const over = new AbortController()
    let ended = 0
    const heldUp = new ProviderWait(PATIENCE_MS, over.signal, () => ended++)
    for (const isWaiting of lines) {
      heldUp.look(reader(isWaiting))
      mock.timers.tick(1)
    }
    assert.equal(ended, 0, 'for a short while it may wait')
    if (isOver) over.abort()
    mock.timers.tick(LONG_MS)
    assert.equal(ended, ends)
  })
}

for (const [waitMs, isEnded] of [
  [LONG_MS, true],
  [3_000, false],
] as const) {
  test(`one that says it will wait for ${waitMs} ms is ${isEnded ? 'ended at once' : 'let wait'}`, ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    let ended = 0
    const heldUp = new ProviderWait(PATIENCE_MS, new AbortController().signal, () => ended++)
    heldUp.look(reader(true, Date.now() + waitMs))
    assert.equal(ended, 0, 'what it says next may be there already')
    mock.timers.tick(3_000)
    assert.equal(ended, isEnded ? 1 : 0)
  })
}

test('one that is told in the middle of it to wait for long is ended at once', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  let ended = 0
  const wait = new ProviderWait(PATIENCE_MS, new AbortController().signal, () => ended++)
  wait.look(reader(true))
  mock.timers.tick(PATIENCE_MS / 2)
  for (let line = 0; line < 3; line++) {
    wait.look(reader(true, Number.POSITIVE_INFINITY))
    mock.timers.tick(600)
  }
  assert.equal(ended, 1)
})

function reader(isWaiting: boolean, waitsUntil: number | null = null): AgentReader {
  return { isWaiting, waitsUntil, line: () => null, result: () => assert.fail('it has not ended') }
}
