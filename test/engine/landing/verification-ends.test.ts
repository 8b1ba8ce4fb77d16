// A verification that is ended half-way: by Ctrl-C, by a cancel, by the death of its engine. Nothing of it is left, and
// everything lands exactly once.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { LayerSettings } from '../../../src/config.ts'
import { readRun } from '../../../src/index.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import type { Death } from '../../rig/engine-process.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

function writes(...ids: string[]) {
  return ids.map((id) => ({ id, run: `echo ${id} > ${id}.txt` }))
}

function verifying(verify: string, more: LayerSettings = {}): LayerSettings {
  return { landing: { verify: [verify], reruns: 0 }, ...more }
}

test('interrupted while it is verified, the work waits; resumed, it lands without being done again', async () => {
  await using rig = await Rig.open()
  const settings = verifying(rig.stage.command('verify'))
  const first = await rig.start(writes('a'), settings)
  const check = await rig.stage.next('', 'verify')
  const orphan = await check.orphan()
  first.run.interrupt()
  const { outcome: interrupted } = await first.finish()
  assert.deepEqual([interrupted.status, interrupted.interrupted], ['cancelled', true])
  assert.deepEqual([check.alive, processIdentity(orphan)], [false, null])
  assert.equal(first.statuses().a, 'landing')
  const run = await rig.resume()
  await (await rig.stage.next('', 'verify')).exit()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('killed while it is verified, its commands are ended by the next engine, which verifies again', async () => {
  await using rig = await Rig.open()
  const settings = makeSettings(verifying(rig.stage.command('verify')))
  await using engine = new DoomedEngine(rig.top, rig.plan(writes('a')), settings)
  const check = await rig.stage.next('', 'verify')
  const orphan = await check.orphan()
  await engine.kill()
  assert.ok(check.alive)
  const run = await rig.resume()
  await (await rig.stage.next('', 'verify')).exit()
  const { outcome } = await run.finish()
  assert.deepEqual([check.alive, processIdentity(orphan)], [false, null])
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('killed while it is verified, and then the same tree passes in another run: its commands are ended by that run', async () => {
  await using rig = await Rig.open()
  const settings = makeSettings(verifying(rig.stage.command('verify')))
  await using engine = new DoomedEngine(rig.top, rig.plan(writes('a')), settings)
  const check = await rig.stage.next('', 'verify')
  await engine.kill()
  const other = await rig.start(writes('a'), verifying(rig.stage.command('verify')))
  await check.gone()
  await (await rig.stage.next('', 'verify')).exit()
  await other.finish()
  const run = await (await rig.resume({}, 'plan-1')).finish()
  assert.deepEqual(run.all('landing.verified').at(-1)?.verdict?.cached, true)
  assert.deepEqual(rig.landings(run.outcome), ['a/1'])
})

test('a task of the batch is cancelled: what is merged on top of it is merged and verified without it', async () => {
  await using rig = await Rig.open()
  const run = await rig.start(writes('a', 'b'), verifying(rig.stage.command('verify'), { maxConcurrency: 1 }))
  // The first may be verified alone; from then on both wait, or the second alone does.
  const first = await rig.stage.next('', 'verify')
  await run.saw('attempt.finished', ({ task }) => task === 'b')
  run.run.cancel('a')
  await run.saw('task.cancelled')
  await first.gone()
  const second = await rig.stage.next('', 'verify')
  assert.equal(await second.sh('ls *.txt'), 'b.txt')
  await second.exit()
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'cancelled', b: 'landed' })
  assert.deepEqual(rig.landings(outcome), ['b/1'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:a.txt`), 'a', 'its work is kept')
})

test('the run is cancelled while it verifies: nothing lands, nothing runs, the work is kept', async () => {
  await using rig = await Rig.open()
  const run = await rig.start(writes('a'), verifying(rig.stage.command('verify')))
  const check = await rig.stage.next('', 'verify')
  await check.ignore('SIGTERM')
  run.run.cancel()
  const { outcome } = await run.finish()
  assert.deepEqual([outcome.status, run.statuses()], ['cancelled', { a: 'cancelled' }])
  assert.equal(check.alive, false)
  assert.equal(outcome.head, outcome.base)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:a.txt`), 'a')
})

test('a task that fails in a strict run does not stop what waits to land', async () => {
  await using rig = await Rig.open()
  const settings = verifying(rig.stage.command('verify'), { strict: true })
  const run = await rig.start([...writes('a'), { id: 'bad' }], settings)
  const check = await rig.stage.next('', 'verify')
  await (await rig.stage.next('bad')).exit(1)
  await run.saw('attempt.finished', ({ task }) => task === 'bad')
  await check.exit()
  await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', bad: 'failed' })
})

suite('the engine dies at the journal writes of a run that verifies', { concurrency: true }, () => {
  // By turns: what was done last is not written yet, or what was written last is not done yet.
  for (const odd of [0, 1])
    test(odd ? 'after every second one' : 'before every second one', async () => {
      let write = FIRST_WRITE + odd
      while (await survives({ write, when: odd ? 'after' : 'before' })) write += 2
      assert.ok(write > FIRST_WRITE + 4, `only ${write} writes`)
    })
})

/** The ones before start the tasks; the other kill matrix has them. */
const FIRST_WRITE = 4

/** `a` is bad, and `b` is merged on top of it. False if the run was over before that write. */
async function survives(death: Death): Promise<boolean> {
  await using rig = await Rig.open()
  const settings = makeSettings({ ...verifying('test ! -e a.txt'), maxConcurrency: 2 })
  await using engine = new DoomedEngine(rig.top, rig.plan(writes('a', 'b')), settings, { death })
  if ((await engine.ended()) === 'finished') return false
  const before = await lookAt(rig)
  if (before.resumable) await (await rig.resume()).finish()
  const view = await lookAt(rig)
  const statuses = Object.fromEntries(view.tasks.map(({ id, status }) => [id, status]))
  assert.deepEqual(statuses, { a: 'failed', b: 'landed' }, JSON.stringify(death))
  assert.deepEqual(rig.landings(view), ['b/1'], JSON.stringify(death))
  assert.equal(rig.landedFile(view, 'a.txt'), null)
  assert.equal(rig.git('show', `refs/espalier/${view.run}/failed/a/1:a.txt`), 'a')
  return true
}

async function lookAt(rig: Rig) {
  const view = await readRun(await workspaceAt(rig.top))
  assert.ok(view.ok && view.value, JSON.stringify(view))
  return view.value
}
