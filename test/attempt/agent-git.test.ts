// Agents that use git themselves, and agents that break what they were given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'

test("an agent's own commits land as they are, what it left uncommitted comes on top", async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    {
      id: 'a',
      run: `git config user.name 'Some Agent'; git config user.email agent@example.com
        echo 1 > one.txt; git add .; git commit -qm 'first step'
        echo 2 > two.txt; git add .; git commit -qm 'second step'
        echo 3 > three.txt`,
    },
  ])
  const { outcome } = run
  assert.equal(outcome.counts.landed, 1)
  const log = rig.git('log', '--format=%an: %s', '--reverse', `${outcome.base}..${outcome.branch}`)
  assert.deepEqual(log.split('\n'), [
    'Some Agent: first step',
    'Some Agent: second step',
    'Test Person: do a',
    'Test Person: Land a: do a',
  ])
  assert.equal(rig.git('ls-tree', '--name-only', outcome.branch), 'README.md\none.txt\nsrc\nthree.txt\ntwo.txt')
  assert.deepEqual(run.task('a').history[0]?.diff, { files: 3, insertions: 3, deletions: 0 })
})

test('rewriting the history it was given is a failure, and its files are kept', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    {
      id: 'a',
      run: `git config user.name x; git config user.email x@example.com; echo a > a.txt; git add .
        git commit -q --amend -m rewritten`,
    },
  ])
  assert.equal(run.task('a').failure?.reason, 'history-rewritten')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:a.txt`), 'a')
  assert.deepEqual(rig.landings(run.outcome), [])
})

test('an agent that deletes its worktree fails; the next attempt gets a new one, and nothing happens elsewhere', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', retries: 1 }])
  const first = await rig.stage.next('a')
  await first.remove(first.hello.cwd)
  await first.exit()
  const finished = await run.saw('attempt.finished')
  assert.deepEqual([finished.outcome, finished.failure?.reason], ['crashed', 'worktree-broken'])
  const second = await rig.stage.next('a')
  assert.equal(second.hello.cwd, first.hello.cwd)
  assert.equal(await second.sh('cat src/a.txt; git status --short'), 'a')
  await second.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.equal(rig.git('status', '--short'), '')
})

test('a worktree that is deleted while verify runs fails the attempt', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'a', run: 'echo a > a.txt', verify: ['rm -rf "$ESPALIER_WORKTREE"', 'echo ran anyway > "$TMPDIR/../ran"'] },
  ])
  assert.equal(run.task('a').status, 'failed')
  assert.deepEqual(rig.landings(run.outcome), [])
})
