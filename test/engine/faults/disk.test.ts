// A disk that is full, wherever the engine meets it: the run stops in order and says so, agents go on, nothing is
// lost, nothing is charged, and the next engine goes on where this one stopped.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openRun, type RunResult } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { espalier, espalierHere } from '../../rig/espalier.ts'
import { fullDatabase, GitTrouble } from '../../rig/full-disk.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** Of the shape every orderly stop has. */
function stoppedFor(outcome: RunResult): string {
  assert.deepEqual([outcome.status, outcome.interrupted], ['running', true])
  assert.deepEqual(outcome.failures, [])
  return outcome.stuck ?? ''
}

test('a journal that finds the disk full stops the run; agents go on, and nothing is run twice', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a'] }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  {
    using _ = fullDatabase({ noRoomAtAll: true })
    await a.deliver('a.txt')
    const message = stoppedFor((await first.finish()).outcome)
    assert.match(message, /state\.db could not be written \(database or disk is full\): free some disk$/)
  }
  assert.ok(b.alive)
  const run = await rig.resume()
  await b.deliver('b.txt')
  await (await rig.stage.next('c')).deliver('c.txt')
  const { outcome } = await run.finish()
  assert.deepEqual([outcome.status, outcome.stuck], ['completed', null])
  assert.deepEqual(rig.landings(outcome).sort(), ['a/1', 'b/1', 'c/1'])
  assert.equal(rig.stage.all.length, 3)
})

test('a run whose end cannot be written is not over', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  {
    await a.deliver('a.txt')
    await first.saw('landing.started')
    using _ = fullDatabase({ noRoomAtAll: true })
    stoppedFor((await first.finish()).outcome)
  }
  const { outcome } = await (await rig.resume()).finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('a run that cannot write its first words is refused with what to do', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'true' }])
  using _ = fullDatabase()
  const plan = rig.plan([{ id: 'a', title: 'long '.repeat(10_000) }])
  const opened = await openRun(await workspaceAt(rig.top), { plan, settings: makeSettings() })
  if (opened.ok) await opened.value[Symbol.asyncDispose]()
  assert.ok(!opened.ok)
  assert.match(opened.problems[0]?.message ?? '', /state\.db could not be written \(.*full\): free some disk$/)
})

test('the command line says why it stopped and what to type, and what it tells to type works', async () => {
  await using rig = await Rig.open()
  const tasks = Array.from({ length: 24 }, (_, n) => ({
    id: `t${n}`,
    run: `echo ${n} > ${n}.txt`,
    needs: n === 0 ? [] : [`t${n - 1}`],
  }))
  await rig.repository.write('../plan.json', JSON.stringify({ name: 'plan', tasks }))
  const run = await espalier(rig.top, ['run', '../plan.json'], { fileKb: 1_000 })
  assert.equal(run.status, 1, run.out + run.err)
  assert.match(
    run.err,
    /run plan-1 was stopped by an environment error: .*state\.db could not be written .*(free some disk|is its disk full)/,
  )
  assert.match(run.err, /`espalier resume plan-1`/)
  assert.doesNotMatch(run.err, /unexpected| at .*\.ts:\d/)
  const resumed = await espalier(rig.top, ['resume', 'plan-1'])
  assert.equal(resumed.status, 0, resumed.out + resumed.err)
  const landed = rig.landings({ branch: 'espalier/plan-1', base: 'main' })
  assert.deepEqual(
    landed,
    tasks.map(({ id }) => `${id}/1`),
  )
})

test('a checkout that finds the disk full stops the run and costs no attempt', async () => {
  await using rig = await Rig.open()
  using trouble = new GitTrouble(rig.repository.path)
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'], retries: 0 }])
  const a = await rig.stage.next('a')
  trouble.begin('full', 'read-tree')
  await a.deliver('a.txt')
  assert.match(
    stoppedFor((await first.finish()).outcome),
    /^b could not continue: git read-tree failed .*: free some disk$/s,
  )
  trouble.end()
  const run = await rig.resume()
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
})

test('work that cannot be kept for want of disk stays where it is until it can', async () => {
  await using rig = await Rig.open()
  using trouble = new GitTrouble(rig.repository.path)
  const first = await rig.start([{ id: 'a', retries: 3, verify: ['echo ok > "$TMPDIR/checked"'] }])
  const a = await rig.stage.next('a')
  trouble.begin('full', 'add')
  await a.deliver('a.txt')
  assert.match(stoppedFor((await first.finish()).outcome), /^a could not continue: git add failed .*: free some disk$/s)
  assert.equal(await readFile(join(a.hello.cwd, 'a.txt'), 'utf8'), 'a\n')
  trouble.end()
  const { outcome } = await (await rig.resume()).finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.stage.all.length, 1)
})

test('work that git does not add in one step is looked at file by file, and lands', async () => {
  await using rig = await Rig.open()
  using trouble = new GitTrouble(rig.repository.path)
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  trouble.begin('broken', 'add')
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('work that was set aside by an engine which could not note that is looked at again, and lands', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const a = await rig.stage.next('a')
  await engine.kill()
  await a.deliver('a.txt')
  await a.gone()
  await rename(a.hello.cwd, join(rig.state, 'slots', 'work-of-plan-1-a-1'))
  const { outcome } = await (await rig.resume()).finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.stage.all.length, 1)
})

test('work that git cannot keep for another reason is set aside, said, and survives the next attempt', async () => {
  await using rig = await Rig.open()
  using trouble = new GitTrouble(rig.repository.path)
  const run = await rig.start([{ id: 'a', retries: 1 }])
  const a = await rig.stage.next('a')
  trouble.begin('broken', 'add', 'update-index')
  await a.deliver('precious.txt')
  const { failure } = await run.saw('attempt.finished')
  trouble.end()
  const aside = join(rig.state, 'slots', `work-of-${run.id}-a-1`)
  assert.equal(failure?.reason, 'worktree-broken')
  assert.ok(failure?.message.includes(aside), failure?.message)
  const again = await rig.stage.next('a')
  assert.ok(!existsSync(join(again.hello.cwd, 'precious.txt')))
  await again.deliver('a.txt')
  await run.finish()
  assert.equal(await readFile(join(aside, 'precious.txt'), 'utf8'), 'a\n')
  const kept = await espalierHere(rig.top, ['clean', '--all'])
  assert.match(kept.out, /kept .*work-of-plan-1-a-1 .*--force/s)
  assert.ok(existsSync(aside), 'clean never removes what is nowhere else')
  await espalierHere(rig.top, ['clean', '--all', '--force'])
  assert.ok(!existsSync(aside))
})

test('output that has no room is dropped, the agent goes on, and its result says that the log is incomplete', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }], { logs: { chunkBytes: 64 << 10, maxBytes: 1 << 20 } })
  const a = await rig.stage.next('a')
  await a.print('the beginning\n')
  // In place of the second chunk.
  await a.sh('ln -s /nowhere/at/all "$ESPALIER_LOG_DIR/../work/output.aab"')
  await a.print('x'.repeat(300 << 10))
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  assert.match(run.task('a').history[0]?.summary ?? '', /a part of its output could not be written/)
})
