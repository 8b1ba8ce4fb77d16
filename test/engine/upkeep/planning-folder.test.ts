// What an `espalier plan new` that was killed has left.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { startEspalier } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** Its agent goes on. */
async function killedPlanning(rig: Rig): Promise<{ root: string; agent: number }> {
  const pidFile = rig.repository.at('pid')
  const child = startEspalier(rig.top, ['plan', 'new', 'x', '--command', `echo $$ > '${pidFile}'; exec sleep 60`])
  await until('the agent', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
  child.kill('SIGKILL')
  await once(child, 'exit')
  return { root: join(rig.state, 'planning', 'work'), agent: Number(readFileSync(pidFile, 'utf8')) }
}

async function planningCheck(rig: Rig, fix: boolean) {
  return (await diagnose({ repo: rig.top, fix })).find(({ name }) => name === 'planning')
}

test('doctor tells of it, and of what runs there; --fix ends and removes it', async () => {
  await using rig = await Rig.open()
  const { root, agent } = await killedPlanning(rig)
  const told = await planningCheck(rig, false)
  assert.equal(told?.state, 'warn')
  assert.match(
    told.message,
    /planning\/work is left of an `espalier plan new` that was killed: \d+ processe?s? goe?s? on/,
  )
  assert.ok(processIdentity(agent), 'looking ends nothing')
  assert.equal((await planningCheck(rig, true))?.state, 'ok')
  assert.deepEqual([existsSync(root), processIdentity(agent)], [false, null])
  assert.equal(await planningCheck(rig, false), undefined)
})

test('clean removes it, and its part of the disk is counted until then', async () => {
  await using rig = await Rig.open()
  const { root, agent } = await killedPlanning(rig)
  const disk = (await diagnose({ repo: rig.top })).find(({ name }) => name === 'disk')
  assert.ok(disk?.parts?.some(({ name, path }) => name === 'planning' && path === join(rig.state, 'planning')))
  const dry = await cleanState(await workspaceAt(rig.top), { dryRun: true })
  assert.deepEqual(dry.ok && dry.value.removed.map(({ path }) => path), [root])
  assert.ok(existsSync(root))
  const cleaned = await cleanState(await workspaceAt(rig.top))
  assert.deepEqual(cleaned.ok && cleaned.value.removed.map(({ path }) => path), [root])
  assert.deepEqual([existsSync(root), processIdentity(agent)], [false, null])
})
