// How long a run took: the time in which no engine was at work on it does not count.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRun } from '../../src/index.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

const HOUR_MS = 3_600_000

test('an hour in which a run lies there is not counted, neither while it lies there nor when it goes on', async (t) => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a', timeoutMs: 9 * HOUR_MS }])
  const a = await rig.stage.next('a')
  first.run.abandon()
  await first.finish()
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + HOUR_MS)
  assert.ok((await durationMs(rig)) < HOUR_MS)
  const run = await rig.resume()
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.ok(outcome.durationMs < HOUR_MS, `${outcome.durationMs} ms`)
  assert.equal(await durationMs(rig), outcome.durationMs)
})

async function durationMs({ top }: Rig): Promise<number> {
  const view = await readRun(await workspaceAt(top))
  assert.ok(view.ok && view.value)
  return view.value.durationMs
}
