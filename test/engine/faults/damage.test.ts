// What is removed or damaged under a run: it says what that was, in words that are true, and goes on where it can.
import assert from 'node:assert/strict'
import { open, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'

test('a state folder removed while the run works: it stops, and does not ask for disk', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  const a = await rig.stage.next('a')
  await a.write('a.txt', 'a\n')
  await rm(rig.state, { recursive: true, force: true })
  await a.exit()
  const { outcome } = await run.finish()
  assert.match(outcome.stuck ?? '', /removed/)
  assert.doesNotMatch(outcome.stuck ?? '', /free some disk/)
})

test("the engine's repository removed while no engine works: what landed stays, the rest is done", async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  await (await rig.stage.next('a')).deliver('a.txt')
  const b = await rig.stage.next('b')
  first.run.abandon()
  await first.finish()
  await rm(join(rig.state, 'engine.git'), { recursive: true })
  const run = await rig.resume()
  await b.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'], JSON.stringify(run.task('b').failure))
})

test('the folder of runs removed: an agent that nobody can adopt is ended before its task starts again', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  const before = [await rig.stage.next('a'), await rig.stage.next('b'), await rig.stage.next('c')]
  first.run.abandon()
  await first.finish()
  await rm(join(rig.state, 'runs'), { recursive: true })
  const run = await rig.resume()
  assert.deepEqual(
    before.map((agent) => agent.alive),
    [false, false, false],
  )
  for (const task of ['a', 'b', 'c']) await (await rig.stage.next(task)).deliver(`${task}.txt`)
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome).sort(), ['a/1', 'b/1', 'c/1'])
})

test('a lock that a killed git of ours left on a ref of runs is removed', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  const lock = join(rig.top, '.git', 'refs', 'heads', 'espalier', `${run.id}.lock`)
  await writeFile(lock, '')
  await utimes(lock, 1, 1)
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.publishTrouble, null)
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('paths that git does not store are said, and kept', async () => {
  await using rig = await Rig.open()
  const work = 'mkdir .GIT; echo x > .GIT/x; echo y > y.txt'
  const run = await rig.run([{ id: 'a', run: work, retries: 0 }])
  const { failure } = run.task('a')
  assert.equal(failure?.reason, 'worktree-broken')
  assert.match(
    failure?.message ?? '',
    /Git does not store paths .*: \.GIT\/x\. Give them other names\. Its files are in .*work-of-/,
  )
})

test('a damaged page that no command has met yet: doctor finds it', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'true', title: 'long '.repeat(20_000) }])
  const database = await open(join(rig.state, 'state.db'), 'r+')
  const { size } = await database.stat()
  await database.write(Buffer.alloc(2_000, 0xff), 0, 2_000, Math.floor(size / 8_192) * 4_096)
  await database.close()
  const doctor = await espalierHere(rig.top, ['doctor'])
  assert.equal(doctor.status, 1, doctor.out)
  assert.match(doctor.out, /state\.db is damaged/)
})
