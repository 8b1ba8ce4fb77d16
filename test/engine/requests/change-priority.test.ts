// The priority of a task, changed while its run goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestPriority } from '../../../src/engine/requests/change-run.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('the task starts next, also where the engine came back in between; what is over is refused', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }], { maxConcurrency: 1 })
  const workspace = await workspaceAt(rig.top)
  const a = await rig.stage.next('a')
  const asked = await requestPriority(workspace, { run: run.id, task: 'd', priority: 5 })
  assert.deepEqual(asked, { ok: true, value: { run: run.id, task: 'd', priority: 5, delivered: 'to-engine' } })
  await run.saw('priority.changed')
  await a.deliver('a.txt')
  await rig.stage.next('d')
  run.run.interrupt()
  await run.finish()

  const recorded = await requestPriority(workspace, { run: run.id, task: 'c', priority: 9 })
  assert.equal(recorded.ok && recorded.value.delivered, 'recorded')
  const over = await requestPriority(workspace, { run: run.id, task: 'a', priority: 1 })
  assert.match(over.ok ? '' : (over.problems[0]?.message ?? ''), /a of run plan-1 has finished \(landed\)/)
  const unknown = await requestPriority(workspace, { run: run.id, task: 'none', priority: 1 })
  assert.match(unknown.ok ? '' : (unknown.problems[0]?.message ?? ''), /has no task none/)
  const resumed = await rig.resume()
  await resumed.saw('priority.changed', ({ task }) => task === 'c')
  for (const id of ['c', 'd', 'b']) await (await rig.stage.next(id)).deliver(`${id}.txt`)
  await resumed.finish()
})
