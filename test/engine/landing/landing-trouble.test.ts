// Landings that git cannot do: the run stops in order, and the next engine goes on.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

test('a landing that git cannot do stops the run with its reason, and is done when the run is resumed', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  // A folder in place of the branch's reflog: git cannot write it, as on a full disk.
  const log = join(rig.state, 'engine.git', 'logs', 'refs', 'heads', 'espalier', first.id)
  await rm(log, { force: true })
  await mkdir(log)
  await writeFile(join(log, 'x'), '')
  await a.deliver('a.txt')
  const stopped = (await first.finish()).outcome
  assert.deepEqual([stopped.status, stopped.interrupted], ['running', true])
  assert.match(stopped.stuck ?? '', /^a could not land: git update-ref failed/)
  assert.ok(b.alive)
  await rm(log, { recursive: true })
  const run = await rig.resume()
  await b.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.stuck, null)
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
})

test('a branch of the engine that somebody has moved fails what would land on it, and the run ends', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', retries: 3 }])
  const a = await rig.stage.next('a')
  const other = rig.repository.commit('somebody else')
  rig.git(`--git-dir=${rig.state}/engine.git`, 'update-ref', `refs/heads/espalier/${run.id}`, other)
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  assert.equal(run.task('a').failure?.reason, 'landing-refused')
  assert.match(run.task('a').failure?.message ?? '', /something else has moved the branch/)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:a.txt`), 'a')
})

test('a lock that a dead git left behind does not keep a new run from starting', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'true' }])
  await writeFile(join(rig.state, 'engine.git', 'refs', 'heads', 'espalier', 'plan-2.lock'), '')
  const { outcome } = await rig.run([{ id: 'a', run: 'echo a > a.txt' }])
  assert.deepEqual([outcome.run, outcome.status], ['plan-2', 'completed'])
})
