// A run in the events of the documents.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { BatchEvents } from '../../src/engine/run/batch-progress-events.ts'
import { batchEvents } from '../../src/index.ts'
import { Rig } from '../rig/rig.ts'
import { Core, planOf } from '../scheduler/plan-rig.ts'

test('a batch begins once and ends once, also where several of its tasks come to rest with one event', () => {
  // What needs the failed one is blocked with it: three tasks of two batches at once.
  const plan = planOf({ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['a'] })
  const core = new Core(plan)
  core.fail('a')
  const events = new BatchEvents(plan)
  const all = core.journal.flatMap((event) => events.take(event))
  assert.deepEqual(
    all.map((one) => [one.type, 'task_id' in one ? one.task_id : one.batch_number]),
    [
      ['batch_start', 0],
      ['task_start', 'a'],
      ['task_complete', 'a'],
      ['batch_complete', 0],
      ['batch_start', 1],
      ['task_complete', 'b'],
      ['task_complete', 'c'],
      ['batch_complete', 1],
    ],
  )
})

test('a store that cannot be read is an error, and does not look like a run without events', async () => {
  await using rig = await Rig.open()
  const { run } = await rig.run([{ id: 'a', run: 'true' }])
  await rm(rig.state, { recursive: true })
  await assert.rejects(Array.fromAsync(batchEvents(run)), /the store has no run plan-1/)
})

test('a run of the library has them too, until it ends', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([
    { id: 'a', run: 'echo a > a' },
    { id: 'b', run: 'exit 1', needs: ['a'], retries: 0 },
  ])
  const events = Array.fromAsync(batchEvents(started.run))
  await started.finish()
  const ended = (await events).flatMap((event) => (event.type === 'batch_complete' ? [event.result] : []))
  assert.deepEqual(
    ended.map(({ completed, failed, cost }) => [completed, failed.map(({ task_id }) => task_id), cost]),
    [
      [1, [], 0],
      [0, ['b'], 0],
    ],
  )
})
