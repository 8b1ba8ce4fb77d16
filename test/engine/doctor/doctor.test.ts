import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import type { DoctorCheck } from '../../../src/engine/doctor/agent-checks.ts'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { espalierHere as espalier, espalier as espalierProcess } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'

test('a git that is too old, or missing, fails with what to do', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-doctor-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const doctor = async () => (await espalierProcess(folder, ['doctor'], { path: folder })).out
  assert.match(await doctor(), /git could not be started/)
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.37.7\n', { mode: 0o755 })
  assert.match(await doctor(), /git version 2\.37\.7 is too old: .*\n.*install git 2\.38 or newer/)
})

test('node and git come first, whatever the folder is', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-doctor-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const installed = execFileSync('git', ['version'], { encoding: 'utf8' }).trim().replace('git version ', '')
  const [node, git, ...rest] = await diagnose({ repo: folder })
  assert.equal(node?.name, 'node')
  assert.equal(git?.name, 'git')
  assert.equal(git?.message, `git ${installed.split(' ')[0]}`)
  assert.deepEqual(
    rest.map(({ name, state }) => `${name} ${state}`),
    ['repository fail'],
  )
})

test('the disk is counted part by part, and the runs that could go are named', async () => {
  await using rig = await Rig.open()
  for (const id of ['a', 'b', 'c']) await rig.run([{ id, run: `echo 1 > ${id}` }])
  const history = { runs: 1, days: 30 }
  const checks = await diagnose({ repo: rig.top, settings: { ...DEFAULT_SETTINGS, history } })
  const disk = checks.find(({ name }) => name === 'disk')
  assert.match(
    disk?.message ?? '',
    /^worktrees [\d.]+ MB, logs [\d.]+ MB, engine\.git [\d.]+ MB, database [\d.]+ MB, reports 0 MB$/,
  )
  assert.deepEqual(
    disk?.parts?.map(({ name, path, complete }) => [name, path, complete]),
    [
      ['worktrees', join(rig.state, 'slots'), true],
      ['logs', join(rig.state, 'runs'), true],
      ['engine.git', join(rig.state, 'engine.git'), true],
      ['database', join(rig.state, 'state.db'), true],
      ['reports', join(rig.state, 'reports'), true],
    ],
  )
  assert.ok(disk.parts.slice(0, 4).every(({ bytes }) => bytes > 0))
  const past = checks.find(({ name }) => name === 'history')
  assert.match(
    past?.message ?? '',
    /^3 finished runs, 2 can be removed \([\d.]+ MB of logs; the newest is kept, for at most 30 days\)$/,
  )
  assert.deepEqual(
    past?.parts?.map(({ name }) => name),
    ['plan-2', 'plan-1'],
  )
  const said = await espalier(rig.top, ['doctor'])
  assert.match(said.out, /✓ history +3 finished runs \(the newest 20 are kept, for at most 30 days\)\n/)
  const { checks: json } = JSON.parse((await espalier(rig.top, ['doctor', '--json'])).out) as { checks: DoctorCheck[] }
  assert.equal(json.find(({ name }) => name === 'disk')?.parts?.length, 5)
})

test('clean obeys the settings, and says what is not past them yet', async () => {
  await using rig = await Rig.open()
  for (const id of ['a', 'b']) await rig.run([{ id, run: `echo 1 > ${id}` }])
  await rig.repository.write('.espalier/config.yaml', 'history: {runs: 1}\n')
  const dry = await espalier(rig.top, ['clean', '--dry-run'])
  assert.match(
    dry.out,
    /^would remove {2}.*plan-1 {2}\d+ kB; its work stays on espalier\/plan-1, which is not in HEAD: .*\n1 item, \d+ kB; `history` keeps 1 finished run, .*--all/,
  )
  const all = await espalier(rig.top, ['clean', '--all'])
  assert.match(all.out, /^removed {2}.*plan-2 .*\nremoved {2}.*plan-1 .*\n2 items, \d+ kB\n$/)
})
