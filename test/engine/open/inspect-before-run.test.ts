// What is refused before anything is written, and can be asked for without running.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { OpenRun } from '../../../src/engine/open/check-before-run.ts'
import { inspectBeforeRun, openRun, resumeRun } from '../../../src/index.ts'
import { openWorkspace } from '../../../src/workspace/workspace.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository, temporaryFolder } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const plan = makePlan([{ id: 'a', run: 'true' }])

test('a state folder inside the checkout or its git directory is refused, also through a link', async () => {
  await using repository = await makeRepository()
  await mkdir(join(repository.top, 'deep'))
  await symlink(join(repository.top, 'deep'), repository.at('link'))
  const inside = ['state', '.git/state', '.', join(repository.top, 'a', 'b'), repository.at('link', 'state')]
  for (const stateDir of inside) {
    const workspace = await workspaceAt(repository.top, stateDir)
    const options = { plan, settings: makeSettings() }
    const opened = await openRun(workspace, options)
    assert.ok(!opened.ok, stateDir)
    assert.match(opened.problems[0]?.message ?? '', /is inside the (checkout|git directory) .*--state-dir/)
    assert.deepEqual((await inspectBeforeRun(workspace, options)).refusals, opened.problems)
  }
  assert.equal(repository.git('status', '--porcelain', '--ignored'), '')
  assert.equal(existsSync(join(repository.top, '.git', 'state')), false)
  for (const stateDir of [repository.state, '../repo-2', '..espalier/../../x']) {
    const workspace = await workspaceAt(repository.top, stateDir)
    assert.deepEqual((await inspectBeforeRun(workspace, { plan, settings: makeSettings() })).refusals, [], stateDir)
  }
})

test('more ports than there are get refused, when a run is opened and when it is resumed', async () => {
  await using rig = await Rig.open()
  const settings = makeSettings({ maxConcurrency: 4, ports: { first: 65_000, perSlot: 200 } })
  const opened = await openRun(await workspaceAt(rig.top), { plan, settings })
  assert.ok(!opened.ok)
  assert.match(opened.problems[0]?.message ?? '', /4 slots of 200 ports from 65000 on would end at 65799/)
  const fits = makeSettings({ maxConcurrency: 4, ports: { first: 65_536 - 80, perSlot: 20 } })
  assert.deepEqual((await inspectBeforeRun(await workspaceAt(rig.top), { plan, settings: fits })).refusals, [])
  const run = await rig.start([{ id: 'a' }])
  await rig.stage.next('a')
  run.run.interrupt()
  await run.finish()
  const changes = [{ from: 'test', settings: { ports: { perSlot: 20_000 } } }]
  const resumed = await resumeRun(await workspaceAt(rig.top), { changes })
  assert.ok(!resumed.ok && resumed.problems[0]?.message.includes('not enough ports'))
})

test('checking a run finds what opening it would refuse, all of it, and writes nothing', async () => {
  await using repository = await makeRepository()
  await using folder = await temporaryFolder()
  const asked = makePlan([{ id: 'a', prompt: 'Do it.' }])
  const settings = makeSettings()
  const workspace = await workspaceAt(repository.top)
  const messages = async (options: OpenRun) =>
    (await inspectBeforeRun(workspace, options)).refusals.map(({ message }) => message)
  const [agent, base] = await messages({ plan: asked, settings, base: 'nosuch' })
  assert.match(agent ?? '', /a task has a prompt/)
  assert.match(base ?? '', /nosuch names no commit/)
  assert.match((await messages({ plan: { ...plan, base: 'none' }, settings })).join(), /none names no commit/)
  const outside = await openWorkspace({ repo: folder.path })
  assert.match(JSON.stringify(outside), /not inside a git repository/)
  assert.deepEqual(await messages({ plan, settings }), [])
  assert.equal(existsSync(`${repository.top}.espalier`), false)
})

test('a run whose cost cannot be counted is refused where the settings are strict, whoever opens it', async () => {
  await using repository = await makeRepository()
  const workspace = await workspaceAt(repository.top)
  const asked = makePlan([{ id: 'a', work: { kind: 'prompt', prompt: 'Do it.', agent: 'acp:mine', model: null } }])
  const settings = makeSettings({ agents: { acp: { mine: { program: process.execPath } } }, budgetUsd: 1 })
  const lax = await inspectBeforeRun(workspace, { plan: asked, settings })
  assert.match(lax.warnings[0]?.message ?? '', /there is a budget, but acp:mine may not tell/)
  const options = { plan: asked, settings: { ...settings, strictBudget: true } }
  const { refusals, start } = await inspectBeforeRun(workspace, options)
  assert.deepEqual([await openRun(workspace, options), start], [{ ok: false, problems: refusals }, null])
  assert.equal(existsSync(`${repository.top}.espalier`), false)
})
