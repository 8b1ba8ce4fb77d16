// A clock that is set while a run goes on. Back: time goes on for the run as if nothing had happened. Forward: nobody can
// tell that from a machine that slept, so it is time that has passed; attempts whose time is up end and are tried again.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

const HOUR_MS = 3_600_000

/** Sets the clock by this much, until the test ends. */
function setClock(context: TestContext, byMs: number): void {
  const { now } = Date
  context.mock.method(Date, 'now', () => now() + byMs)
}

test('set back an hour: a retry does not wait for an hour, and the times of the journal never go back', async (t) => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', retries: 1 }], { backoff: { initialMs: 50, maxMs: 50 } })
  const first = await rig.stage.next('a')
  setClock(t, -HOUR_MS)
  await first.exit(1)
  const second = await rig.stage.next('a')
  assert.equal(second.attempt, 2)
  await second.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.ok(outcome.durationMs >= 0 && outcome.durationMs < HOUR_MS / 2, `${outcome.durationMs} ms`)
  const times = run.events.map(({ at }) => at)
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
})

test('set back an hour: an attempt is ended when its time is up, not an hour later', async (t) => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', timeoutMs: 3_000 }])
  await rig.stage.next('a')
  setClock(t, -HOUR_MS)
  await run.finish()
  assert.equal(run.task('a').failure?.reason, 'timeout')
})

test('set back an hour: no attempt that has time left is ended', async (t) => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', timeoutMs: 60_000 }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  setClock(t, -HOUR_MS)
  await b.deliver('b.txt')
  await run.saw('landing.landed')
  assert.ok(a.alive)
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['b/1', 'a/1'])
})

test('set back an hour before the run is resumed: a retry does not wait for an hour', async (t) => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a', retries: 1 }], { backoff: { initialMs: 500, maxMs: 500 } })
  await (await rig.stage.next('a')).exit(1)
  await first.saw('attempt.finished')
  first.run.abandon()
  await first.finish()
  setClock(t, -HOUR_MS)
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
})

test('set forward an hour: an attempt whose time is up by that ends, its work is kept, and it is tried again', async (t) => {
  await using rig = await Rig.open()
  const run = await rig.start([
    { id: 'a', timeoutMs: 60_000, retries: 1 },
    { id: 'b', timeoutMs: 2 * HOUR_MS },
  ])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.write('half.txt', 'half\n')
  setClock(t, HOUR_MS)
  await b.deliver('b.txt')
  const { failure } = await run.saw('attempt.finished', ({ task }) => task === 'a')
  assert.equal(failure?.reason, 'timeout')
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['b/1', 'a/2'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`), 'half')
})
