import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Activity } from '../../../src/agents/activity-counter.ts'
import { AgentRecord } from '../../../src/attempt/watch/agent-usage.ts'
import { LIMITS } from '../../../src/config.ts'

type Looping = Parameters<AgentRecord['looping']>

function loopingFailure(limits: Looping[1], activity: Looping[0]['activity']) {
  return new AgentRecord({ order: {} } as never).looping({ activity }, limits)
}

test('as much as the task lets it is not too much', () => {
  const limits = { maxTurns: 3, maxToolCalls: 4 }
  assert.equal(loopingFailure(limits, { turns: 3, toolCalls: 4, repeats: LIMITS.repeatedCalls - 1 }), null)
  const tooMuch = [
    { turns: 4, toolCalls: 4, repeats: 1 },
    { turns: 3, toolCalls: 5, repeats: 1 },
    { turns: 1, toolCalls: 1, repeats: LIMITS.repeatedCalls },
  ]
  for (const done of tooMuch) assert.equal(loopingFailure(limits, done)?.reason, 'agent-looping')
})

test('without limits it may go on for ever, but not in a circle', () => {
  assert.equal(loopingFailure({}, { turns: 1e6, toolCalls: 1e6, repeats: 1 }), null)
  assert.match(loopingFailure({}, { turns: 1, toolCalls: 1, repeats: 1e3 })?.message ?? '', /the same call of a tool/)
})

test('a task that has to wait for something may ask for it more often, or as often as it likes', () => {
  const calls = (repeats: number) => ({ turns: 1, toolCalls: 1, repeats })
  assert.equal(loopingFailure({ maxRepeats: 50 }, calls(49)), null)
  const message = loopingFailure({ maxRepeats: 50 }, calls(50))?.message ?? ''
  assert.match(message, /the same call of a tool 50 times in a row.*give it more with `maxRepeats:`/)
  assert.equal(loopingFailure({ maxRepeats: 0 }, calls(1e6)), null)
})

test('calls repeat each other only in a row and word for word; what is not told in full never does', () => {
  const repeats = (...calls: (string | null)[]) => {
    const activity = new Activity()
    return calls.map((call) => {
      activity.call(call)
      return activity.repeats
    })
  }
  assert.deepEqual(repeats('a', 'a', 'a', 'b', 'a', 'a'), [1, 2, 3, 1, 1, 2])
  assert.deepEqual(repeats(null, null, 'a', null), [1, 1, 1, 1])
})
