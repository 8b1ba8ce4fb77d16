import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../../../src/event.ts'
import type { WorkOrder } from '../../../src/fleet/orders.ts'
import type { Control } from '../../../src/fleet/protocol.ts'
import { Held } from '../../../src/fleet/worker/held-assignment.ts'

const order = { kind: 'verification', number: 1, run: 'r-1' } as WorkOrder
const why: Failure = { reason: 'cancelled', message: 'you cancelled it' }
const stop: Control = { type: 'stop', why, decidedAt: 1 }

function held() {
  const heard: string[] = []
  const one = new Held('job', order, () => {})
  const begin = () => one.begin(({ type }) => void heard.push(type))
  return { one, heard, begin }
}

test('what comes before it begins waits for it; begun again, it hears all that counts still', () => {
  const { one, heard, begin } = held()
  one.tell({ type: 'allow', globs: ['a'] })
  begin()
  one.tell({ type: 'budget', budget: { tightestUsd: 1, taskUsd: null } as never })
  one.tell({ type: 'budget', budget: { tightestUsd: 2, taskUsd: null } as never })
  one.tell({ type: 'allow', globs: ['b'] })
  assert.deepEqual(heard.splice(0), ['allow', 'budget', 'budget', 'allow'])
  begin()
  assert.deepEqual(heard, ['allow', 'budget', 'allow'])
})

test('one that was told to stop says so to whoever waits, unless it continues', () => {
  const { one, heard, begin } = held()
  begin()
  one.tell(stop)
  assert.equal(one.stopped.aborted, true)
  assert.deepEqual(one.stopping?.why, why)
  one.continues()
  assert.equal(one.stopping, null)
  begin()
  assert.deepEqual(heard, ['stop'])
})
