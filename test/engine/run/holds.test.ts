// Claims that people hold, in whole runs: before one begins, while it works, and over the death of its engine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPaths, holdClaims, readClaims, releaseClaims } from '../../../src/index.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const HOUR = 3_600_000

async function hold(repo: string, glob: string, forMs = HOUR) {
  const held = await holdClaims(await workspaceAt(repo), { globs: [glob], name: 'ana', forMs })
  assert.ok(held.ok, JSON.stringify(held))
  return held.value
}

const claims = (...write: string[]) => ({ write, read: [] })

test('a run that is opened while somebody holds something begins with it, and goes on when they let go', async () => {
  await using rig = await Rig.open()
  const repo = rig.top
  await hold(repo, 'src/auth/**')
  const started = await rig.start([
    { id: 'auth', claims: claims('src/**') },
    { id: 'docs', claims: claims('docs/**') },
  ])
  await (await rig.stage.next('docs')).deliver('docs/x.md')
  await started.saw('landing.landed')
  assert.equal(started.task('auth').status, 'ready')
  assert.equal(started.run.summary().holds?.[0]?.glob, 'src/auth/**')
  const view = await readClaims(await workspaceAt(repo))
  assert.ok(view.ok)
  assert.deepEqual(view.value.waiting, [{ task: 'auth', glob: 'src/**', holder: { kind: 'person', name: 'ana' } }])
  assert.ok((await releaseClaims(await workspaceAt(repo))).ok)
  await (await rig.stage.next('auth')).deliver('src/a.ts')
  assert.equal((await started.finish()).outcome.status, 'completed')
})

test('what runs goes on and lands, and whoever holds it is told; a killed engine forgets nothing', async () => {
  await using rig = await Rig.open()
  const repo = rig.top
  const started = await rig.start([
    { id: 'a', claims: claims('src/**') },
    { id: 'b', claims: claims('src/b.ts'), needs: ['a'] },
  ])
  const a = await rig.stage.next('a')
  const { goingOn } = await hold(repo, 'src/*.ts')
  assert.deepEqual(
    goingOn.map(({ holder, glob }) => [holder.name, glob]),
    [['a', 'src/**']],
  )
  await started.saw('claims.held')
  started.run.abandon()
  await started.finish()
  const checked = await checkPaths(await workspaceAt(repo), { paths: ['src/x.ts', 'lib/y.ts'], as: 'ana' })
  assert.ok(checked.ok)
  assert.deepEqual(
    checked.value.conflicts.map(({ path, holder }) => [path, holder.name]),
    [['src/x.ts', 'a']],
    'no engine works on it, but its agent does',
  )
  const resumed = await rig.resume()
  await a.deliver('src/a.ts')
  await resumed.saw('landing.landed')
  assert.equal(resumed.task('b').status, 'ready')
  assert.ok((await releaseClaims(await workspaceAt(repo), { globs: ['src/*.ts'] })).ok)
  await (await rig.stage.next('b')).deliver('src/b.ts')
  const { outcome, events } = await resumed.finish()
  assert.equal(outcome.status, 'completed')
  assert.equal(events.filter(({ type }) => type === 'claims.held').length, 1)
})

test('a hold ends by itself', async () => {
  await using rig = await Rig.open()
  await hold(rig.top, '**', 1_000)
  const started = await rig.start([{ id: 'a', claims: claims('src/**') }])
  await (await rig.stage.next('a')).deliver('src/a.ts')
  const { outcome } = await started.finish()
  assert.equal(outcome.status, 'completed')
  const [held] = started.all('claims.held')
  const [begun] = started.all('attempt.started')
  // A machine that took a second to get here has nothing left to wait for.
  if (held) assert.ok((begun?.at ?? 0) >= held.until, 'not before its end')
  assert.equal(started.all('claims.released').length, 0)
})

test('without a run only people hold something; what cannot be held is refused', async () => {
  await using rig = await Rig.open()
  const repo = rig.top
  const nothing = await checkPaths(await workspaceAt(repo), { paths: ['src/a.ts'] })
  assert.ok(nothing.ok)
  assert.deepEqual(nothing.value, { has_conflicts: false, conflicts: [], warnings: [], can_proceed: true })
  await hold(repo, 'src')
  const held = await checkPaths(await workspaceAt(repo), { paths: ['src/a.ts'] })
  assert.ok(held.ok)
  assert.deepEqual([held.value.can_proceed, held.value.conflicts[0]?.holder.name], [false, 'ana'])
  for (const [globs, forMs] of [
    [['/etc/**'], HOUR],
    [['../x'], HOUR],
    [['src'], 25 * HOUR],
    [['src'], 0],
  ] as const)
    assert.ok(!(await holdClaims(await workspaceAt(repo), { globs, name: 'ana', forMs })).ok, `${globs} for ${forMs}`)
  const nameless = await holdClaims(await workspaceAt(repo), { globs: ['src'], name: ' ', forMs: HOUR })
  assert.deepEqual(!nameless.ok && nameless.problems[0]?.message, 'a name of who holds it is needed')
  const unknown = await releaseClaims(await workspaceAt(repo), { globs: ['lib'] })
  assert.ok(!unknown.ok && unknown.problems[0]?.message.startsWith('nobody holds lib'))
  await until('nothing is held', async () => (await releaseClaims(await workspaceAt(repo), { name: 'ana' })).ok)
  const after = await checkPaths(await workspaceAt(repo), { paths: ['src/a.ts'] })
  assert.ok(after.ok && after.value.can_proceed)
})
