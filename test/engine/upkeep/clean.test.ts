import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a finished run is removed, its branch and its failed work stay', async () => {
  await using rig = await Rig.open()
  const started = await rig.run([
    { id: 'good', run: 'echo 1 > good' },
    { id: 'bad', run: 'echo 1 > bad; exit 1', retries: 0 },
    { id: 'aside', run: 'echo 1 > aside', land: false },
  ])
  assert.equal(started.outcome.status, 'failed')
  const refs = () =>
    rig
      .git('for-each-ref', '--format=%(refname)')
      .split('\n')
      .filter((ref) => ref.includes('espalier'))
  const { run } = started.outcome
  assert.deepEqual(refs(), [
    `refs/espalier/${run}/base`,
    `refs/espalier/${run}/failed/bad/1`,
    `refs/espalier/${run}/kept/aside/1`,
    `refs/heads/espalier/${run}`,
  ])
  const dry = await cleanState(await workspaceAt(rig.top), { all: true, dryRun: true, worktrees: true })
  assert.ok(dry.ok && dry.value.removed.length > 1)
  assert.ok(
    dry.value.removed.every(({ path, bytes }) => existsSync(path) && bytes > 0),
    'a dry run removes nothing',
  )
  const done = await cleanState(await workspaceAt(rig.top), { all: true, worktrees: true })
  assert.ok(done.ok)
  assert.deepEqual(done.value.kept, [])
  assert.ok(done.value.removed.every(({ path }) => !existsSync(path)))
  assert.equal(refs().length, 3, 'only the pin of the base is gone')
})

test('a discarded run goes with its branch and all its work, unless the branch is checked out', async () => {
  await using rig = await Rig.open()
  const tasks = [
    { id: 'good', run: 'echo 1 > good' },
    { id: 'bad', run: 'echo 1 > bad; exit 1', retries: 0 },
  ]
  const { run: other } = (await rig.run(tasks)).outcome
  const { run } = (await rig.run(tasks)).outcome
  const refsOf = (one: string) =>
    rig.git('for-each-ref', '--format=%(refname)', `refs/heads/espalier/${one}`, `refs/espalier/${one}/`)
  rig.git('switch', '-q', `espalier/${run}`)
  const kept = await cleanState(await workspaceAt(rig.top), { discard: run })
  assert.match(kept.ok ? '' : (kept.problems[0]?.message ?? ''), /is checked out in .*: switch to another branch/)
  rig.git('switch', '-q', 'main')
  const before = refsOf(other)
  const branch = { name: `espalier/${run}`, commit: rig.git('rev-parse', `espalier/${run}`) }
  const dry = await cleanState(await workspaceAt(rig.top), { discard: run, dryRun: true })
  const done = await cleanState(await workspaceAt(rig.top), { discard: run })
  assert.ok(dry.ok && done.ok)
  for (const { value } of [dry, done]) assert.deepEqual(value.removed[0]?.branch, branch)
  assert.deepEqual([done.value.kept, done.value.removed.map(({ unlanded }) => unlanded)], [[], [null]])
  assert.deepEqual([refsOf(run), refsOf(other)], ['', before])
})

test('a branch with commits of a person is discarded only with --force', async () => {
  await using rig = await Rig.open()
  const { run } = (await rig.run([{ id: 'good', run: 'echo 1 > good' }])).outcome
  rig.git('switch', '-q', `espalier/${run}`)
  const mine = rig.repository.commit('mine')
  rig.git('switch', '-q', 'main')
  const kept = await cleanState(await workspaceAt(rig.top), { discard: run })
  assert.match(kept.ok ? '' : (kept.problems[0]?.message ?? ''), /is at .*, but the run left it at .*--force/)
  assert.equal(rig.git('rev-parse', `espalier/${run}`), mine)
  const forced = await cleanState(await workspaceAt(rig.top), { discard: run, force: true })
  assert.equal(forced.ok && forced.value.removed[0]?.branch?.commit, mine)
  assert.equal(rig.git('for-each-ref', 'refs/heads/espalier'), '')
})

test('a run that is not finished cannot be discarded', async () => {
  await using rig = await Rig.open()
  const started = await rig.start([{ id: 'a' }])
  await rig.stage.next('a')
  started.run.interrupt()
  const { run } = (await started.finish()).outcome
  const refused = await cleanState(await workspaceAt(rig.top), { discard: run })
  assert.match(refused.ok ? '' : (refused.problems[0]?.message ?? ''), /is not finished: resume or cancel it first/)
})

test('work that no ref of the user holds any more is kept unless forced', async () => {
  await using rig = await Rig.open()
  const { outcome } = await rig.run([{ id: 'good', run: 'echo 1 > good' }])
  rig.git('update-ref', '-d', `refs/heads/espalier/${outcome.run}`)
  const refused = await cleanState(await workspaceAt(rig.top), { all: true })
  assert.ok(refused.ok)
  assert.deepEqual(refused.value.removed, [])
  assert.match(refused.value.kept[0]?.why ?? '', /--force/)
  const forced = await cleanState(await workspaceAt(rig.top), { all: true, force: true })
  assert.ok(forced.ok && forced.value.removed.length === 1)
})

test('what an engine that died while it opened a run left of it is removed, unless its branch was used', async () => {
  await using rig = await Rig.open()
  const beforeFirstEvent = { death: { write: 2, when: 'before' as const } }
  for (let times = 0; times < 2; times++) {
    const plan = rig.plan([{ id: 'a', run: 'true' }])
    await using engine = new DoomedEngine(rig.top, plan, makeSettings(), beforeFirstEvent)
    assert.equal(await engine.ended(), 'killed')
  }
  const refs = (dir: string) => rig.git(`--git-dir=${dir}`, 'for-each-ref', '--format=%(refname)').split('\n')
  const user = join(rig.top, '.git')
  const engine = join(rig.state, 'engine.git')
  const all = ['refs/espalier/plan-1/base', 'refs/espalier/plan-2/base']
  const branches = ['refs/heads/espalier/plan-1', 'refs/heads/espalier/plan-2', 'refs/heads/main']
  assert.deepEqual(refs(user), [...all, ...branches])
  rig.git('update-ref', 'refs/heads/espalier/plan-2', rig.repository.commit('mine'))
  assert.ok((await cleanState(await workspaceAt(rig.top), { dryRun: true })).ok)
  assert.equal(refs(user).length, 5)
  const done = await cleanState(await workspaceAt(rig.top))
  assert.ok(done.ok && done.value.removed.length === 2, JSON.stringify(done))
  assert.deepEqual(refs(user), ['refs/heads/espalier/plan-2', 'refs/heads/main'])
  assert.deepEqual(refs(engine), [''])
})
