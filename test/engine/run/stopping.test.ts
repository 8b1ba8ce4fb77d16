// Timeouts, cancelling and stopping: what runs ends with everything it started, and the rest stays in order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestCancel } from '../../../src/index.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a timeout ends the whole tree, children in other sessions too, and the task is tried again', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', timeoutMs: 3_000, retries: 1 }])
  const first = await rig.stage.next('a')
  await first.ignore('SIGTERM')
  const orphan = await first.orphan()
  await first.write('half.txt', 'half\n')
  const finished = await run.saw('attempt.finished')
  assert.deepEqual([finished.outcome, finished.failure?.reason], ['timeout', 'timeout'])
  assert.equal(processIdentity(orphan), null)
  assert.deepEqual(run.processes('a', 1), [])
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`), 'half')
})

test('an agent that says 0 because it was told to end has not finished its work', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', timeoutMs: 3_000 }])
  const puppet = await rig.stage.next('a')
  await puppet.obey('SIGTERM')
  await puppet.write('half.txt', 'half\n')
  const { outcome } = await run.finish()
  assert.equal(run.task('a').status, 'failed')
  assert.equal(run.task('a').failure?.reason, 'timeout')
  assert.equal(rig.landedFile(outcome, 'half.txt'), null)
})

test('a timeout counts for setup and verify commands as well', async () => {
  await using rig = await Rig.open()
  const run = await rig.run(
    [
      { id: 'a', run: 'echo a > a.txt', verify: ['sleep 60'], timeoutMs: 700 },
      { id: 'b', run: 'echo b > b.txt', timeoutMs: 10_000 },
    ],
    { maxConcurrency: 1 },
  )
  assert.deepEqual(run.statuses(), { a: 'failed', b: 'landed' })
  assert.equal(run.task('a').failure?.reason, 'timeout')
  assert.equal(run.task('a').outcome, 'timeout')
})

test('one task is cancelled: nothing is left of it, its dependents are blocked, the others go on', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a'] }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.write('half.txt', 'half\n')
  const orphan = await a.orphan()
  assert.deepEqual([run.run.cancel('none'), run.run.cancel('a'), run.run.cancel('a')], [0, 1, 0])
  await run.saw('attempt.stopping')
  assert.equal(run.run.cancel('a'), 0)
  await run.saw('attempt.finished')
  assert.equal(processIdentity(orphan), null)
  assert.deepEqual(run.processes('a', 1), [])
  assert.ok(b.alive)
  await b.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'cancelled', b: 'landed', c: 'blocked' })
  assert.equal(run.task('a').outcome, 'cancelled')
  assert.equal(outcome.status, 'failed')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`), 'half')
})

test('a task that waits is cancelled at once', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }], { maxConcurrency: 1 })
  const a = await rig.stage.next('a')
  assert.equal(run.run.cancel('b'), 0)
  await run.saw('task.cancelled')
  assert.equal(run.statuses().b, 'cancelled')
  await a.deliver('a.txt')
  await run.finish()
  assert.equal(run.task('b').attempts, 0)
})

test('a whole run is cancelled', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  const a = await rig.stage.next('a')
  assert.deepEqual([run.run.cancel(), run.run.cancel(), run.run.cancel('a')], [1, 0, 0])
  const { outcome } = await run.finish()
  assert.deepEqual([outcome.status, outcome.interrupted], ['cancelled', false])
  assert.deepEqual(run.statuses(), { a: 'cancelled', b: 'cancelled' })
  assert.equal(a.alive, false)
})

test('another process cancels a task, then the run', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  await rig.stage.next('a')
  await rig.stage.next('b')
  const c = await rig.stage.next('c')
  const one = await requestCancel(await workspaceAt(rig.top), { task: 'a' })
  assert.deepEqual(one, { ok: true, value: { run: run.id, task: 'a', delivered: 'to-engine', again: false } })
  const twice = await requestCancel(await workspaceAt(rig.top), { task: 'a' })
  assert.ok(twice.ok && twice.value.again, 'somebody had asked before')
  await run.saw('attempt.finished', (event) => event.task === 'a')
  const late = await requestCancel(await workspaceAt(rig.top), { task: 'a' })
  assert.deepEqual(late, { ok: true, value: { run: run.id, task: 'a', delivered: 'carried-out', again: true } })
  await c.deliver('c.txt')
  await run.saw('landing.landed')
  const landed = await requestCancel(await workspaceAt(rig.top), { task: 'c' })
  assert.ok(!landed.ok && landed.problems[0]?.message.includes('c of run plan-1 has finished (landed)'))
  const unknown = await requestCancel(await workspaceAt(rig.top), { task: 'nobody' })
  assert.ok(!unknown.ok && unknown.problems[0]?.message.includes('has no task nobody'))
  await requestCancel(await workspaceAt(rig.top))
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'cancelled')
  assert.deepEqual(run.statuses(), { a: 'cancelled', b: 'cancelled', c: 'landed' })
  const over = await requestCancel(await workspaceAt(rig.top))
  assert.ok(!over.ok && over.problems[0]?.message.includes('has finished'))
})

test('a strict run stops at the first failure', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }], { strict: true, maxConcurrency: 2 })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.exit(1)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  assert.deepEqual(run.statuses(), { a: 'failed', b: 'cancelled', c: 'cancelled' })
  assert.deepEqual([run.task('c').failure?.reason, run.task('c').failure?.cause], ['strict-stop', 'a'])
  assert.equal(b.alive, false)
})
