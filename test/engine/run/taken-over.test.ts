// An engine that was replaced without knowing it: the journal's numbering stops it.
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'

test('an engine whose number is taken stops in order and touches nothing more', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await using store = await storeOf(rig)
  const before = await store.events('plan-1')
  const view = await store.view('plan-1')
  assert.ok(view)
  const theirs = { type: 'run.interrupted' as const, request: null, seq: before.length + 1, at: 1 }
  assert.equal(await store.append('plan-1', [theirs], { run: view, tasks: [] }), 'written')
  await a.deliver('a.txt')
  const { outcome } = await first.finish()
  assert.deepEqual([outcome.takenOver, outcome.interrupted, outcome.status], [true, true, 'running'])
  assert.equal(outcome.stuck, 'another engine has taken over run plan-1: this one leaves everything to it')
  assert.deepEqual(await store.events('plan-1'), [...before, theirs])
  assert.deepEqual(await store.view('plan-1'), view)
  assert.deepEqual(rig.landings(outcome), [])
  assert.ok(b.alive, 'its agents are the other engine’s now')
})

test('where the lock fails, the second engine gets the run and the first leaves it alone', async () => {
  await using rig = await Rig.open()
  await using first = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }, { id: 'b', needs: ['a'] }]), makeSettings())
  const a = await rig.stage.next('a')
  // As on a file system whose locks do not work.
  const lock = join(rig.state, 'engine.lock')
  for (const file of [lock, `${lock}.guard`]) await rm(file)
  const second = await rig.resume()
  await a.deliver('a.txt')
  assert.equal(await first.ended(), 'finished')
  assert.equal(JSON.parse(await readFile(lock, 'utf8')).pid, process.pid, 'the lock is the second one’s')
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await second.finish()
  assert.deepEqual([outcome.status, outcome.takenOver], ['completed', false])
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
  assert.equal(
    first.events.some(({ type }) => type === 'landing.landed'),
    false,
  )
})

async function storeOf(rig: Rig) {
  const opened = await openStore(join(rig.state, 'state.db'))
  assert.ok(opened.ok, JSON.stringify(opened))
  return opened.value
}
