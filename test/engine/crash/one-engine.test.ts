// One engine per repository (I16), and what is refused before anything is written.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openRun, openWorkspace, readRun, resumeRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository, temporaryFolder } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a second engine is refused while the first lives, and takes over when it is dead', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const puppet = await rig.stage.next('a')
  for (const opened of [
    await openRun(await workspaceAt(rig.top), { plan: rig.plan([{ id: 'x' }]), settings: makeSettings() }),
    await resumeRun(await workspaceAt(rig.top)),
  ]) {
    assert.ok(!opened.ok)
    assert.match(opened.problems[0]?.message ?? '', new RegExp(`another espalier .*process ${engine.pid}\\)`))
  }
  await engine.kill()
  const run = await rig.resume()
  await puppet.deliver('a.txt')
  assert.equal((await run.finish()).outcome.status, 'completed')
})

test('a run that is over is not resumed, nor one that never was', async () => {
  await using rig = await Rig.open()
  const nothing = await resumeRun(await workspaceAt(rig.top))
  assert.ok(!nothing.ok && nothing.problems[0]?.message.includes('no run to resume'))
  const { outcome } = await rig.run([{ id: 'a', run: 'true' }])
  const over = await resumeRun(await workspaceAt(rig.top), { run: outcome.run })
  assert.ok(!over.ok && over.problems[0]?.message.includes('nothing left to resume'))
  const unknown = await resumeRun(await workspaceAt(rig.top), { run: 'plan-9' })
  assert.ok(!unknown.ok && unknown.problems[0]?.message.includes('there is no run plan-9'))
})

test('a plan whose agent is missing is refused and nothing is written', async () => {
  await using rig = await Rig.open()
  const before = await readdir(rig.repository.path)
  const none = await openRun(await workspaceAt(rig.top), {
    plan: makePlan([{ id: 'a', prompt: 'Do it.' }]),
    settings: makeSettings(),
  })
  assert.ok(!none.ok && none.problems[0]?.message.includes('a task has a prompt (a) but no agent'))
  const plan = makePlan([{ id: 'a', prompt: 'Do it.' }])
  for (const task of plan.tasks) if (task.work.kind === 'prompt') task.work.agent = 'nobody'
  const unknown = await openRun(await workspaceAt(rig.top), { plan, settings: makeSettings() })
  assert.ok(!unknown.ok && unknown.problems[0]?.message.includes('no such agent: nobody'))
  assert.deepEqual(await readdir(rig.repository.path), before)
  assert.equal(rig.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main')
})

test('a folder without a repository, a branch without a commit and an unknown base are refused', async () => {
  await using folder = await temporaryFolder()
  await mkdir(folder.at('plain'))
  const options = { plan: makePlan([{ id: 'a', run: 'true' }]), settings: makeSettings() }
  const plain = await openWorkspace({ repo: folder.at('plain') })
  assert.ok(!plain.ok && plain.problems[0]?.message.includes('is not inside a git repository'))
  await using unborn = await makeRepository({ files: {} })
  const empty = await openRun(await workspaceAt(unborn.top), options)
  assert.ok(!empty.ok && empty.problems[0]?.message.includes('has no commit yet'))
  await using repository = await makeRepository()
  const base = await openRun(await workspaceAt(repository.top), { base: 'no-such-branch', ...options })
  assert.ok(!base.ok && base.problems[0]?.message.includes('no-such-branch'))
  for (const one of [unborn, repository]) assert.equal(existsSync(`${one.top}.espalier`), false)
})

test('a damaged state database is refused with what to do, by those who read and those who write', async () => {
  await using rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'true' }])
  const database = join(rig.state, 'state.db')
  const bytes = await readFile(database)
  await writeFile(database, bytes.fill(0xff, 4096))
  const settings = makeSettings()
  for (const answer of [
    await readRun(await workspaceAt(rig.top)),
    await resumeRun(await workspaceAt(rig.top)),
    await openRun(await workspaceAt(rig.top), { plan: makePlan([{ id: 'a', run: 'true' }]), settings }),
  ])
    assert.ok(!answer.ok && answer.problems[0]?.message.includes('move it away'), JSON.stringify(answer))
})

test('a run that a newer version has worked on is refused as such', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }])
  await rig.stage.next('a')
  first.run.abandon()
  await first.finish()
  {
    using db = new DatabaseSync(join(rig.state, 'state.db'))
    db.exec('update event set version = version + 1 where seq > 1')
  }
  const resumed = await resumeRun(await workspaceAt(rig.top))
  const told = /^event \d+ of run plan-1 was written by a newer version of espalier: use that version for it/
  assert.ok(!resumed.ok)
  assert.match(resumed.problems[0]?.message ?? '', told)
})

test('a state folder that cannot be made is refused with what to do', async () => {
  await using repository = await makeRepository()
  await repository.write('../in-the-way', '')
  const workspace = await workspaceAt(repository.top, repository.at('in-the-way', 'state'))
  const opened = await openRun(workspace, { plan: makePlan([{ id: 'a', run: 'true' }]), settings: makeSettings() })
  assert.ok(!opened.ok && opened.problems[0]?.message.includes('--state-dir'))
})
