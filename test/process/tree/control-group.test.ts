import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { adopt } from '../../../src/process/supervise/supervise.ts'
import { groupMembers, makeGroup, recordedGroup, removeGroup } from '../../../src/process/tree/control-group.ts'
import { until } from '../../rig/until.ts'
import { startAndKillEngine, startEngine } from '../engine.ts'
import { BOUNDS, canGroup, ESCAPE, isRunning, pidIn, rig } from '../rig.ts'

const NOBODY = 65_534
const grouped = { skip: !canGroup && 'control groups are not permitted here' }

test('stop ends a process without token, session and parent, and removes the group', grouped, async (t) => {
  const { sh, dir, token, path, processes } = rig(t)
  const supervised = sh(`${ESCAPE}; exec sleep 1000`, { graceMs: 200 })
  const pid = await until('the escape', () => pidIn(path('escaped')))
  const group = recordedGroup({ dir, token })
  assert.ok(group && groupMembers(group).includes(pid))
  assert.ok(processes().includes(pid))
  assert.ok(!groupMembers(group).includes(await supervised.pid))
  await supervised.stop()
  assert.equal(isRunning(pid), false)
  assert.equal(existsSync(group), false)
})

test('such a process does not outlive its command either, nor a supervisor that was killed', grouped, async (t) => {
  const one = rig(t)
  const exit = await one.sh(`${ESCAPE}; while [ ! -s escaped ]; do sleep 0.02; done`, { graceMs: 100 }).done
  assert.deepEqual([exit.kind, isRunning(pidIn(one.path('escaped')) ?? 0)], ['exited', false])
  assert.ok(exit.leftovers > 0)

  const other = rig(t)
  const supervised = other.sh(`${ESCAPE}; exec sleep 1000`, { graceMs: 100 })
  const pid = await until('the escape', () => pidIn(other.path('escaped')))
  process.kill(await supervised.pid, 'SIGKILL')
  assert.equal((await supervised.done).kind, 'lost')
  assert.equal(isRunning(pid), false)
})

test('the next engine finds the group again', grouped, async (t) => {
  const attempt = rig(t)
  await startAndKillEngine(t, attempt, `echo one; ${ESCAPE}; exec sleep 1000`)
  const pid = await until('the escape', () => pidIn(attempt.path('escaped')))
  const group = recordedGroup(attempt) ?? ''
  const adopted = await adopt(attempt.dir, attempt.token, { ...BOUNDS, graceMs: 100 })
  await adopted?.stop()
  assert.equal(isRunning(pid), false)
  assert.equal(existsSync(group), false)
})

test('a group inside the group counts, and goes with it', grouped, async (t) => {
  const { sh, dir, token, path, assertNothingLeft } = rig(t)
  const inner = 'g=$(cat group)/inner; mkdir "$g"; (echo 0 > "$g/cgroup.procs"; exec env -i sleep 1000) & touch made'
  const supervised = sh(`while [ ! -e group ]; do sleep 0.02; done; ${inner}; exec sleep 1000`)
  const group = recordedGroup({ dir, token }) ?? ''
  writeFileSync(path('group.tmp'), group)
  renameSync(path('group.tmp'), path('group'))
  await until('the inner group', () => existsSync(path('made')) && groupMembers(join(group, 'inner')).length === 1)
  await supervised.stop()
  assert.equal(existsSync(group), false)
  await assertNothingLeft()
})

test('what was forged or cannot be entered is not believed', grouped, async (t) => {
  const { sh, dir, token } = rig(t)
  const group = makeGroup(dir, token)
  assert.ok(group)
  for (const forged of [dirname(group), join(group, '..', 'other'), `/tmp/${group.split('/').at(-1)}`, '']) {
    writeFileSync(join(dir, 'group'), forged)
    assert.equal(recordedGroup({ dir, token }), null)
  }
  removeGroup(group)
  const exit = await sh('exit 4').done
  assert.deepEqual([exit.kind, 'code' in exit && exit.code], ['exited', 4])
})

test('an ordinary user gets the same without a group', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, async (t) => {
  const attempt = rig(t)
  chmodSync(dirname(attempt.dir), 0o755)
  for (const folder of [attempt.dir, attempt.cwd]) chownSync(folder, NOBODY, NOBODY)
  const daemon = `(setsid sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 0.05; done' >/dev/null 2>&1 &)`
  const spec = { graceMs: 100 }
  const engine = await startEngine(t, attempt, `id -u; ${daemon}; exec sleep 1000`, { uid: NOBODY, spec })
  const pid = await until('the daemon', () => pidIn(attempt.path('child')))
  assert.equal(await until('its output', () => attempt.text()), `${NOBODY}\n`)
  assert.equal(existsSync(join(attempt.dir, 'group')), false)
  engine.tell('stop')
  const exit = JSON.parse(await engine.line()) as { kind: string }
  assert.equal(exit.kind, 'signalled')
  await once(engine.process, 'exit')
  assert.equal(isRunning(pid), false)
  assert.match(readFileSync(join(attempt.dir, 'exit'), 'utf8'), /code/)
  await attempt.assertNothingLeft()
})
