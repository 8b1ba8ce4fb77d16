// Agents that fall silent: reported, or ended and tried again; and who may be silent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'

test('a silent agent is reported, and again when it stirs; its work lands as if nothing had been', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }], { stallAfterMs: 400 })
  const puppet = await rig.stage.next('a')
  const stalled = await run.saw('attempt.stalled')
  assert.ok(stalled.at - stalled.since >= 400, `${stalled.at - stalled.since} ms`)
  assert.equal(run.task('a').stalledSince, stalled.since)
  await puppet.print('no newline needed')
  const stirred = await run.saw('attempt.stirred')
  assert.ok(stirred.seq > stalled.seq)
  await puppet.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.deepEqual(run.all('attempt.stopping'), [])
  assert.equal(run.task('a').stalledSince, null)
})

test('with `onStall: retry` it is ended with its whole tree and tried again, its work so far is kept', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', retries: 1 }], { stallAfterMs: 1_500, onStall: 'retry' })
  const first = await rig.stage.next('a')
  await first.ignore('SIGTERM')
  const orphan = await first.orphan()
  await first.write('half.txt', 'half\n')
  const { since } = await run.saw('attempt.stalled')
  const finished = await run.saw('attempt.finished')
  assert.deepEqual([finished.outcome, finished.failure?.reason], ['timeout', 'stalled'])
  assert.match(finished.failure?.message ?? '', /^its agent printed nothing for [1-9][\d.]*s; .*`stallAfter:`/)
  assert.ok(since < finished.at)
  assert.equal(processIdentity(orphan), null)
  assert.deepEqual(run.processes('a', 1), [])
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`), 'half')
})

test('an agent that prints while it is being ended for its silence has not stirred', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }], { stallAfterMs: 400, onStall: 'retry', graceMs: 2_000 })
  const puppet = await rig.stage.next('a')
  await puppet.ignore('SIGTERM')
  await run.saw('attempt.stopping')
  await puppet.print('wait\n')
  await run.finish()
  assert.equal(run.task('a').failure?.reason, 'stalled')
  assert.deepEqual(run.all('attempt.stirred'), [])
})

test('checks may be as quiet as they like', async () => {
  await using rig = await Rig.open()
  const verify = [rig.stage.command('verify')]
  const run = await rig.start([{ id: 'a', run: 'echo a > a.txt', verify }, { id: 'b' }], { stallAfterMs: 400 })
  const check = await rig.stage.next('a', 'verify')
  const puppet = await rig.stage.next('b')
  for (let silences = 1; silences <= 2; silences++) {
    const quietSince = Date.now()
    await puppet.print('here\n')
    await run.saw('attempt.stalled', ({ since, task }) => task === 'b' && since >= quietSince - CLOCK_TICK_MS)
  }
  assert.ok(run.all('attempt.stalled').every(({ task }) => task === 'b'))
  await check.exit()
  await puppet.deliver('b.txt')
  assert.deepEqual(rig.landings((await run.finish()).outcome).sort(), ['a/1', 'b/1'])
})

test('a silent agent that is at its checks has not stalled any more', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', verify: [rig.stage.command('verify')] }], { stallAfterMs: 400 })
  const puppet = await rig.stage.next('a')
  await run.saw('attempt.stalled')
  await puppet.deliver('a.txt')
  const check = await rig.stage.next('a', 'verify')
  await until('it to count as well again', () => run.task('a').stalledSince === null)
  await check.exit()
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
})

test('an agent that outlived its engine has been silent since it printed last', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings({ stallAfterMs: 0 }))
  const puppet = await rig.stage.next('a')
  await puppet.print('last words\n')
  await engine.saw('attempt.progress')
  await engine.kill()
  const killedAt = Date.now()
  await until('the silence to be long', () => Date.now() > killedAt + 1_000)
  const run = await rig.resume({ stallAfterMs: 1_000 })
  const { since } = await run.saw('attempt.stalled')
  assert.ok(since <= killedAt, `${since - killedAt} ms too late`)
  await puppet.deliver('a.txt')
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
})

test('what stalled under one engine has not under the next, if that one does not mind', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings({ stallAfterMs: 400 }))
  const puppet = await rig.stage.next('a')
  await engine.saw('attempt.stalled')
  await engine.kill()
  const run = await rig.resume({ stallAfterMs: 0, onStall: 'retry' })
  assert.equal(run.task('a').stalledSince, null)
  await puppet.deliver('a.txt')
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/1'])
})

test('an engine that dies while it ends a silent agent: the next one finishes that, and tries again', async () => {
  await using rig = await Rig.open()
  const settings = makeSettings({ stallAfterMs: 1_000, onStall: 'retry', graceMs: 60_000 })
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a', retries: 1 }]), settings)
  const first = await rig.stage.next('a')
  await first.ignore('SIGTERM')
  await engine.saw('attempt.stopping')
  await engine.kill()
  assert.ok(first.alive)
  const run = await rig.resume({ graceMs: 200, stallAfterMs: 0 })
  const finished = await run.saw('attempt.finished')
  assert.equal(finished.failure?.reason, 'stalled')
  assert.match(finished.failure?.message ?? '', /nothing for [1-9]/)
  await (await rig.stage.next('a')).deliver('a.txt')
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/2'])
})

/** File times are taken from a clock that is behind by up to this much. */
const CLOCK_TICK_MS = 10
