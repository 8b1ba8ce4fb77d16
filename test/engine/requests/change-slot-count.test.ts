// How many tasks run at the same time, changed while they do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestSlots } from '../../../src/engine/requests/change-run.ts'
import { readSummary } from '../../../src/workspace/read-runs.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('more start at once, fewer stop nobody, and a resumed run keeps the number', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { maxConcurrency: 1 })
  const workspace = await workspaceAt(rig.top)
  const a = await rig.stage.next('a')
  assert.deepEqual(run.statuses(), { a: 'running', b: 'ready', c: 'ready' })

  const more = await requestSlots(workspace, { run: run.id, slots: 2 })
  assert.deepEqual(more, { ok: true, value: { run: run.id, maxConcurrency: 2, delivered: 'to-engine' } })
  const b = await rig.stage.next('b')
  assert.notEqual(a.hello.env.ESPALIER_PORT, b.hello.env.ESPALIER_PORT)

  await requestSlots(workspace, { run: run.id, slots: 1 })
  await run.saw('slots.changed', ({ slots }) => slots === 1)
  assert.deepEqual(run.statuses(), { a: 'running', b: 'running', c: 'ready' })
  await a.deliver('a.txt')
  await run.saw('landing.landed')
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'running', c: 'ready' }, 'one runs, and one may')

  run.run.interrupt()
  await run.finish()
  const resumed = await rig.resume()
  assert.equal(resumed.run.summary().slots, 1)
  for (const id of ['b', 'c']) await (await rig.stage.next(id)).deliver(`${id}.txt`)
  await resumed.finish()
  const over = await requestSlots(workspace, { run: run.id, slots: 3 })
  assert.match(over.ok ? '' : (over.problems[0]?.message ?? ''), /has finished \(completed\)/)
})

test('without an engine it says how to continue, and a run that is not there is named', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  await rig.stage.next('a')
  run.run.interrupt()
  await run.finish()
  const workspace = await workspaceAt(rig.top)
  const asked = await requestSlots(workspace, { run: run.id, slots: 4 })
  assert.match(asked.ok ? '' : (asked.problems[0]?.message ?? ''), /espalier resume plan-1 -j 4/)
  const unknown = await requestSlots(workspace, { run: 'none-1', slots: 4 })
  assert.match(unknown.ok ? '' : (unknown.problems[0]?.message ?? ''), /there is no run none-1/)
  const summary = await readSummary(workspace, { run: run.id })
  assert.equal(summary.ok && summary.value?.engine, null)
})
