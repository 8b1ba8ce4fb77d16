// `isolation: epic`: one worktree, one after another, one landing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../../rig/rig.ts'

const shared = { epic: 'e', isolation: 'epic' } as const

test('tasks of an epic share a worktree and its caches, run one after another and land as one', async () => {
  await using rig = await Rig.open({ files: { '.gitignore': 'cache/\n', 'README.md': 'read me\n' } })
  const run = await rig.start([
    { id: 'one', ...shared },
    { id: 'two', ...shared },
    { id: 'later', needs: ['one'] },
  ])
  const one = await rig.stage.next('one')
  assert.deepEqual(run.statuses(), { one: 'running', two: 'pending', later: 'pending' })
  await one.write('cache/built', 'expensive\n')
  await one.deliver('one.txt')
  const two = await rig.stage.next('two')
  assert.equal(two.hello.cwd, one.hello.cwd)
  assert.equal(await two.sh('cat one.txt cache/built'), 'one\nexpensive')
  assert.deepEqual(run.all('landing.landed'), [])
  assert.equal(run.statuses().later, 'pending')
  await two.deliver('two.txt')
  const later = await rig.stage.next('later')
  assert.equal(await later.sh('ls'), 'README.md\none.txt\ntwo.txt')
  await later.exit()
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { one: 'landed', two: 'landed', later: 'passed' })
  assert.deepEqual(rig.landings(outcome), ['one two/1 1'])
  assert.equal(rig.landedFile(outcome, 'cache/built'), null)
})

test('if one of them fails none lands, the others are blocked by it, and the work is kept', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'one', run: 'echo one > one.txt', ...shared },
    { id: 'two', run: 'exit 4', ...shared },
    { id: 'three', run: 'echo three > three.txt', ...shared },
    { id: 'outside', run: 'true', needs: ['three'] },
    { id: 'elsewhere', run: 'echo x > x.txt' },
  ])
  assert.deepEqual(run.statuses(), {
    one: 'blocked',
    two: 'failed',
    three: 'blocked',
    outside: 'blocked',
    elsewhere: 'landed',
  })
  assert.deepEqual(rig.landings(run.outcome), ['elsewhere/1'])
  for (const id of ['one', 'three']) {
    const { reason, cause } = run.task(id).failure ?? {}
    assert.deepEqual({ reason, cause }, { reason: 'epic-failed', cause: 'two' })
  }
  assert.equal(run.task('outside').failure?.cause, 'two')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/one/1:one.txt`), 'one')
})

test('a task of an epic is tried again on what those before it did', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([
    { id: 'one', ...shared },
    { id: 'two', retries: 1, ...shared },
  ])
  await (await rig.stage.next('one')).deliver('one.txt')
  const first = await rig.stage.next('two')
  await first.write('half.txt', 'half\n')
  await first.exit(1)
  const second = await rig.stage.next('two')
  assert.equal(await second.sh('ls'), 'README.md\none.txt\nsrc')
  await second.deliver('two.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['one two/1 2'])
  assert.equal(rig.stage.all.filter((puppet) => puppet.task === 'one').length, 1)
})
