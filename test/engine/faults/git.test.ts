// What the user's git does to their repository while a run goes on: locks that are held, a base that moves or is
// rewritten, everything thrown away that no ref holds.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { landRun } from '../../../src/index.ts'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

async function lock(rig: Rig, name: string): Promise<string> {
  const path = join(rig.top, '.git', name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, '')
  return path
}

test("a lock on the branch in the user's repository is waited for, and the result comes when it is gone", async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  const path = await lock(rig, `refs/heads/espalier/${run.id}.lock`)
  await a.deliver('a.txt')
  await run.saw('landing.landed')
  const since = performance.now()
  await until('more than the 100 ms that git waits by itself', () => performance.now() - since > 500)
  await rm(path)
  const { outcome } = await run.finish()
  assert.equal(outcome.publishTrouble, null)
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('a lock on all packed refs keeps nothing from being published', async () => {
  await using rig = await Rig.open()
  await lock(rig, 'packed-refs.lock')
  const { outcome } = await rig.run([{ id: 'a', run: 'echo a > a.txt' }])
  assert.deepEqual([outcome.status, outcome.publishTrouble], ['completed', null])
})

test('a lock that stays is said with the file to remove and the command that brings the result, which works', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  const path = await lock(rig, `refs/heads/espalier/${run.id}.lock`)
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.ok(outcome.publishTrouble?.includes(path), outcome.publishTrouble ?? 'no trouble')
  assert.match(outcome.publishTrouble ?? '', /`espalier land plan-1`/)
  const landed = await landRun(await workspaceAt(rig.top))
  assert.ok(landed.ok, JSON.stringify(landed))
  assert.equal(rig.git('show', 'main:a.txt'), 'a')
})

for (const name of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])
  test(`a lock in the way of \`espalier land\` (${name}) is said, and the checkout stays as it is`, async () => {
    await using rig = await Rig.open()
    await rig.run([{ id: 'a', run: 'echo a > a.txt; echo changed > README.md' }])
    const path = await lock(rig, name)
    const said = await espalier(rig.top, ['land'])
    assert.equal(said.err, `Another git is at work there, it holds ${path}. ${ADVICE}\n`)
    assert.equal(said.status, 1)
    await rm(path)
    assert.equal(rig.git('status', '--short'), '')
    assert.equal((await espalier(rig.top, ['land'])).status, 0)
    assert.equal(rig.git('show', 'main:a.txt'), 'a')
  })

const ADVICE = 'Wait for it, or remove that file if there is none; then land again.'

test("a base branch that moved on: the result is on the run's branch, and landing merges it", async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  await rig.repository.write('mine.txt', 'mine\n')
  rig.repository.commit('meanwhile')
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  assert.equal(rig.landedFile(outcome, 'mine.txt'), null)
  const landed = await landRun(await workspaceAt(rig.top))
  assert.ok(landed.ok && landed.value.how === 'merge', JSON.stringify(landed))
  assert.deepEqual([rig.git('show', 'main:a.txt'), rig.git('show', 'main:mine.txt')], ['a', 'mine'])
})

test('a base branch that moved on into a conflict: landing names the files and what to do', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  await rig.repository.write('src/a.txt', 'mine\n')
  rig.repository.commit('meanwhile')
  await a.deliver('src/a.txt', 'theirs\n')
  await run.finish()
  const said = await espalier(rig.top, ['land'])
  assert.match(said.err, /conflicts with main in src\/a\.txt: .*`git merge espalier\/plan-1`/)
  assert.equal(said.status, 1)
  assert.equal(rig.git('status', '--short'), '')
})

test('history rewritten and pruned during the run: base and landed work survive, and landing says what to do', async () => {
  await using rig = await Rig.open()
  const base = rig.git('rev-parse', 'HEAD')
  const run = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', run: 'echo c > c.txt; exit 1' }])
  const a = await rig.stage.next('a')
  rig.git('commit', '-q', '--amend', '-m', 'another first')
  // Pruning removes what another git is just storing, so not before it is stored.
  await until('the work of c', () => rig.git('for-each-ref', `refs/espalier/${run.id}/failed/c/1`))
  prune(rig)
  await a.deliver('a.txt')
  const b = await rig.stage.next('b')
  await until('the work of a', () => rig.git('ls-tree', '--name-only', `espalier/${run.id}`).includes('a.txt'))
  prune(rig)
  assert.equal(await b.sh('cat README.md a.txt'), 'read me\na')
  await b.deliver('b.txt')
  const { outcome } = await run.finish()
  prune(rig)
  assert.equal(outcome.base, base)
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
  rig.git('fsck', '--full', '--strict')
  rig.git(`--git-dir=${rig.state}/engine.git`, 'fsck', '--full', '--strict')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/c/1:c.txt`), 'c')
  const said = await espalier(rig.top, ['land'])
  assert.match(said.err, /main does not contain .*, the commit that run plan-1 began from.*`git rebase --onto main /s)
  assert.equal(said.status, 1)
  // What it tells to type works.
  const [, command = 'false'] = /`(git rebase [^`]*)`/.exec(said.err) ?? []
  rig.git(...command.split(' ').slice(1))
  assert.equal(rig.git('show', 'HEAD:b.txt'), 'b')
  assert.equal(rig.git('merge-base', 'HEAD', 'main'), rig.git('rev-parse', 'main'))
})

test('the base pruned together with the refs that kept it: land says so, and lands once it is back', async () => {
  await using rig = await Rig.open()
  await rig.repository.write('base.txt', 'base')
  const base = rig.repository.commit('base')
  rig.git('clone', '-q', '--no-local', rig.top, rig.repository.at('clone'))
  const { outcome } = await rig.run([{ id: 'a', run: 'echo a > a.txt' }])
  rig.git('reset', '-q', '--hard', 'HEAD~1')
  for (const ref of [`refs/heads/${outcome.branch}`, `refs/espalier/${outcome.run}/base`])
    rig.git('update-ref', '-d', ref)
  prune(rig)
  const said = await espalier(rig.top, ['land'])
  assert.equal(said.status, 1, said.err)
  assert.match(said.err, /run plan-1 cannot land: the commit that it began from is gone/)
  const [, command = 'false'] = /`(git fetch [^`]*)`/.exec(said.err) ?? []
  rig.git(...command.replace('CLONE', rig.repository.at('clone')).split(' ').slice(1))
  rig.git('merge', '-q', '--ff-only', base)
  assert.equal((await espalier(rig.top, ['land'])).status, 0)
  assert.equal(rig.git('show', 'main:a.txt'), 'a')
})

/** As thorough as a person can be. */
function prune(rig: Rig): void {
  rig.git('reflog', 'expire', '--expire=now', '--all')
  rig.git('gc', '--quiet', '--prune=now')
}

test('the branch of a run that is deleted while it goes on is made again', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  rig.git('branch', '-D', 'espalier/plan-1')
  await a.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.publishTrouble, null)
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  assert.ok(existsSync(rig.state))
})
