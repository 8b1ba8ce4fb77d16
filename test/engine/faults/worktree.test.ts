// A worktree that somebody deletes or breaks, before, while and after its agent works. (By the agent itself: see
// agent-git.test.ts; whatever can be wrong with a slot: test/git/slots/prepare-slot.test.ts.)
import assert from 'node:assert/strict'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'

for (const [what, spoil] of [
  ['deleted', (slot: string) => rm(slot, { recursive: true })],
  ['replaced by a file', (slot: string) => rm(slot, { recursive: true }).then(() => writeFile(slot, 'x'))],
  ['left with an index that makes no sense', (slot: string) => writeFile(`${slot}.index`, 'x'.repeat(500))],
  ['left with a note that makes no sense', (slot: string) => writeFile(`${slot}.json`, '{')],
  ['left with files nobody knows', (slot: string) => writeFile(join(slot, 'stranger.txt'), 'x')],
] as const)
  test(`a worktree that was ${what} between two attempts is made again`, async () => {
    await using rig = await Rig.open()
    await rig.run([{ id: 'a', run: 'true' }])
    await spoil(join(rig.state, 'slots', '1'))
    const next = await rig.run(
      [
        { id: 'c', run: 'ls > c.txt' },
        { id: 'd', run: 'ls > d.txt' },
      ],
      { maxConcurrency: 2 },
    )
    assert.deepEqual(next.statuses(), { c: 'landed', d: 'landed' })
    for (const file of ['c.txt', 'd.txt']) assert.equal(rig.landedFile(next.outcome, file), `README.md\n${file}\nsrc`)
  })

test('a worktree deleted by somebody while the agent works: the attempt fails and says so, the next one gets another', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', retries: 1 }])
  const first = await rig.stage.next('a')
  await rm(first.hello.cwd, { recursive: true })
  await first.exit()
  const { failure } = await run.saw('attempt.finished')
  assert.equal(failure?.reason, 'worktree-broken')
  assert.ok(failure?.message.includes(`The worktree ${first.hello.cwd} is gone`), failure?.message)
  const second = await rig.stage.next('a')
  assert.equal(await second.sh('cat src/a.txt'), 'a')
  await second.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
})

test("a worktree replaced by a link to the user's checkout: the attempt fails, and the checkout stays as it is", async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', retries: 1 }])
  const first = await rig.stage.next('a')
  await rm(first.hello.cwd, { recursive: true })
  await symlink(rig.top, first.hello.cwd)
  await first.exit()
  const { failure } = await run.saw('attempt.finished')
  assert.equal(failure?.reason, 'worktree-broken')
  assert.match(failure?.message ?? '', /is gone, and the attempt's work with it\. Find out what removed it/)
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.equal(rig.git('status', '--short'), '')
  assert.deepEqual((await readdir(rig.top)).sort(), ['.git', 'README.md', 'src'])
})

test("the agent's repository broken while it works: its files land all the same", async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  await a.write('a.txt', 'a\n')
  await rm(join(a.hello.cwd, '.git', 'objects'), { recursive: true })
  await writeFile(join(a.hello.cwd, '.git', 'index'), 'x')
  await a.exit()
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
})

test('a worktree deleted while nobody looks, after the agent was done: the attempt fails, the next one lands', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a', retries: 1 }]), makeSettings())
  const first = await rig.stage.next('a')
  await engine.kill()
  await first.deliver('a.txt')
  await first.gone()
  await rm(first.hello.cwd, { recursive: true })
  const run = await rig.resume()
  const second = await rig.stage.next('a')
  assert.equal(run.task('a').history[0]?.failure?.reason, 'worktree-broken')
  await second.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
})

test('all worktrees deleted while the engine is gone: what has landed is safe, the rest is done again', async () => {
  await using rig = await Rig.open()
  const plan = rig.plan([{ id: 'a' }, { id: 'b', needs: ['a'], retries: 1 }])
  await using engine = new DoomedEngine(rig.top, plan, makeSettings())
  await (await rig.stage.next('a')).deliver('a.txt')
  const first = await rig.stage.next('b')
  await engine.kill()
  await rm(join(rig.state, 'slots'), { recursive: true })
  const run = await rig.resume()
  await first.exit()
  const second = await rig.stage.next('b')
  assert.equal(await second.sh('cat a.txt'), 'a')
  await second.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2'])
})

test('a file in the place of all worktrees: the run stops and names it, and goes on once it is gone', async () => {
  await using rig = await Rig.open()
  await mkdir(rig.state)
  await writeFile(join(rig.state, 'slots'), '')
  const { outcome } = await rig.run([{ id: 'a', run: 'echo a > a.txt' }])
  assert.match(outcome.stuck ?? '', /^a could not continue: .*slots/)
  assert.deepEqual(outcome.failures, [])
  await rm(join(rig.state, 'slots'))
  const resumed = await (await rig.resume()).finish()
  assert.deepEqual(rig.landings(resumed.outcome), ['a/1'])
})
