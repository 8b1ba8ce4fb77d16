// A real disk that fills up or turns read-only under the engine and its agents. (Each place where the engine can meet
// that, one by one and for anybody who runs the tests: faults-disk.test.ts.)

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openRun } from '../../../src/index.ts'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { noSmallDisk, SmallDisk } from '../../rig/full-disk.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const skip = noSmallDisk

test('an agent that ends while the disk is full: the run stops, its work stays, and lands without another try', {
  skip,
}, async () => {
  await using rig = await Rig.open()
  using disk = new SmallDisk(rig.state)
  const first = await rig.start([{ id: 'a', verify: ['test -s a.txt'] }])
  const a = await rig.stage.next('a')
  await a.write('a.txt', 'precious\n')
  disk.fill()
  await a.exit()
  const { outcome } = await first.finish()
  assert.match(outcome.stuck ?? '', /free some disk$/)
  assert.equal(await readFile(join(a.hello.cwd, 'a.txt'), 'utf8'), 'precious\n')
  // That it has ended is on record in spite of it: nobody waited for its timeout.
  const status = await readFile(join(rig.state, 'runs', 'plan-1', 'a', '1', 'work', 'exit'), 'utf8')
  assert.deepEqual(JSON.parse(status), { code: 0 })
  const tooEarly = await espalier(rig.top, ['resume'])
  assert.match(tooEarly.err, /free some disk/)
  assert.equal(tooEarly.status, 2, tooEarly.out + tooEarly.err)
  disk.free()
  const resumed = await espalier(rig.top, ['resume'])
  assert.equal(resumed.status, 0, resumed.out + resumed.err)
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.stage.all.length, 1)
})

// The agents need no room themselves: they write over what is there.
test('a run with too little room, a bit more each time: it is refused or stops, and no agent works twice', {
  skip,
}, async () => {
  await using rig = await Rig.open({ files: { a: 'a\n', b: 'b\n' } })
  using disk = new SmallDisk(rig.state)
  const log = join(rig.repository.path, 'log')
  const over = (id: string) => `echo ${id} >> '${log}'; printf X 1<>${id}`
  const tasks = [
    { id: 'a', run: over('a'), verify: ['true'] },
    { id: 'b', run: over('b'), needs: ['a'] },
  ]
  await rig.run(tasks)
  const seen = { refused: 0, stopped: 0, completed: 0 }
  for (let leftKb = 32; seen.completed === 0 && leftKb < MOST_KB; leftKb += STEP_KB) {
    disk.fill(leftKb)
    const opened = await openRun(await workspaceAt(rig.top), { plan: rig.plan(tasks), settings: makeSettings() })
    if (!opened.ok) {
      seen.refused++
      assert.match(opened.problems[0]?.message ?? '', /free some disk|is its disk full/)
      disk.free()
      continue
    }
    const stuck = await opened.value.execute().then((outcome) => outcome.stuck)
    await opened.value[Symbol.asyncDispose]()
    disk.free()
    if (stuck === null) seen.completed++
    else {
      seen.stopped++
      assert.match(stuck, /free some disk$|is its disk full/)
      await (await rig.resume()).finish()
    }
    const { id, branch } = opened.value
    assert.deepEqual(rig.landings({ branch, base: 'main' }), ['a/1', 'b/1'], `${id}, ${leftKb} kB, ${stuck}`)
  }
  assert.ok(seen.refused > 0 && seen.stopped > 3 && seen.completed > 0, JSON.stringify(seen))
  const worked = (await readFile(log, 'utf8')).trim().split('\n')
  assert.equal(worked.length, 2 * (1 + seen.stopped + seen.completed))
})

const STEP_KB = 40
const MOST_KB = 1_000

test('a worktree that has no room: the run stops before its agent starts, and goes on when there is', {
  skip,
}, async () => {
  await using rig = await Rig.open({ files: { big: 'x'.repeat(3 << 20) } })
  using disk = new SmallDisk(rig.state)
  disk.fill(2 << 10)
  await rig.repository.write('../plan.yaml', 'name: plan\ntasks: [{id: a, run: "echo a > a.txt", retries: 0}]\n')
  const run = await espalier(rig.top, ['run', '../plan.yaml'])
  assert.match(
    run.err,
    /^run plan-1 was stopped by an environment error: a could not continue: git read-tree failed .*: free some disk$/ms,
  )
  assert.match(run.err, /`espalier resume plan-1`/)
  assert.equal(run.status, 1)
  disk.free()
  const resumed = await espalier(rig.top, ['resume'])
  assert.equal(resumed.status, 0, resumed.out + resumed.err)
  assert.deepEqual(rig.landings({ branch: 'espalier/plan-1', base: 'main' }), ['a/1'])
})

test('output without room for it is dropped; the agent goes on and lands, and its result says so', {
  skip,
}, async () => {
  await using rig = await Rig.open()
  using disk = new SmallDisk(rig.state)
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  disk.fill()
  await a.print('x'.repeat(1 << 20))
  disk.free()
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.match(run.task('a').history[0]?.summary ?? '', /a part of its output could not be written/)
})

test('a read-only state folder: every command says so, and what to do; nothing is lost', { skip }, async () => {
  await using rig = await Rig.open()
  using disk = new SmallDisk(rig.state)
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  await (await rig.stage.next('a')).deliver('a.txt')
  const b = await rig.stage.next('b')
  first.run.interrupt()
  await first.finish()
  await b.gone()
  await rig.repository.write('../plan.yaml', 'name: plan\ntasks: [{id: a, run: "true"}]\n')
  disk.writable(false)
  for (const args of [['run', '../plan.yaml'], ['resume'], ['cancel'], ['clean'], ['status'], ['land']]) {
    const said = await espalier(rig.top, args)
    assert.match(said.err, /repo\.espalier.*make it (and its folder )?writable.*--state-dir/, args.join(' '))
    assert.doesNotMatch(said.err, /unexpected|free some disk/)
    assert.equal(said.status, 2, said.err)
  }
  disk.writable(true)
  const run = await rig.resume()
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2'])
})

test("a full disk under the user's repository: the result is safe, and the end says what to do", { skip }, async () => {
  await using rig = await Rig.open()
  using disk = new SmallDisk(rig.top)
  rig.git('init', '-q', '-b', 'main')
  rig.repository.commit('first')
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  disk.fill()
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.match(outcome.publishTrouble ?? '', /free some disk there\. The result is safe in .*`espalier land plan-1`/)
  disk.free()
  const landed = await espalier(rig.top, ['land'])
  assert.equal(landed.status, 0, landed.err)
  assert.equal(rig.git('show', 'main:a.txt'), 'a')
})

test('a full disk while the result is brought into the checkout: it is put back as it was', { skip }, async () => {
  await using rig = await Rig.open()
  using disk = new SmallDisk(rig.top)
  rig.git('init', '-q', '-b', 'main')
  await rig.repository.write('a.txt', 'before\n')
  rig.repository.commit('first')
  await rig.run([
    { id: 'a', run: 'echo after > a.txt; head -c 2000000 /dev/urandom > big; mkdir new; echo n > new/file' },
  ])
  await rig.repository.write('mine.txt', 'not to be touched\n')
  for (const leftKb of [0, 64, 1_000]) {
    disk.fill(leftKb)
    const said = await espalier(rig.top, ['land'])
    disk.free()
    assert.match(said.err, /The disk is full \(.*\)\. Free some of it, then land again\./)
    assert.equal(said.status, 1)
    assert.deepEqual([rig.git('status', '--short'), rig.git('show', 'HEAD:a.txt')], ['?? mine.txt', 'before'])
  }
  const landed = await espalier(rig.top, ['land'])
  assert.equal(landed.status, 0, landed.err)
  assert.equal(rig.git('show', 'main:new/file'), 'n')
})
