import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { adopt } from '../../../src/process/supervise/supervise.ts'
import { endOrphan, findOrphans, type Orphan } from '../../../src/process/tree/orphans.ts'
import { until } from '../../rig/until.ts'
import { startAndKillEngine } from '../engine.ts'
import { BOUNDS, canGroup, ESCAPE, isRunning, pidIn, rig } from '../rig.ts'

const VARIABLES = { ESPALIER_RUN: 'p-1', ESPALIER_TASK: 'a', ESPALIER_ATTEMPT: '2', ESPALIER_LOG_DIR: '/logs ü' }
const env = { PATH: process.env.PATH ?? '', ...VARIABLES }

test('what a killed engine left is found with its names, and ended', async (t) => {
  const attempt = rig(t)
  const daemon = `(setsid sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 0.05; done' &)`
  const pid = await startAndKillEngine(t, attempt, `echo one; ${daemon}; exec sleep 1000`, { spec: { env } })
  const child = await until('the daemon', () => pidIn(attempt.path('child')))
  const orphan = found(attempt.token)
  assert.deepEqual(
    [orphan?.run, orphan?.task, orphan?.attempt, orphan?.logDir],
    [VARIABLES.ESPALIER_RUN, VARIABLES.ESPALIER_TASK, VARIABLES.ESPALIER_ATTEMPT, VARIABLES.ESPALIER_LOG_DIR],
  )
  assert.deepEqual(
    orphan?.supervisors.map(({ dir, supervisor }) => [dir, supervisor.pid]),
    [[attempt.dir, pid]],
  )
  assert.ok(orphan?.pids.includes(child) && !orphan.pids.includes(pid))
  const end = await endOrphan(orphan, 100)
  assert.ok(end.ended >= 2)
  assert.deepEqual(end.survivors, [])
  await attempt.assertNothingLeft()
  assert.equal(found(attempt.token), undefined)
  assert.deepEqual(await endOrphan(orphan, 100), { ended: 0, survivors: [] })
  // Its supervisor has seen it end, so a late engine learns that too.
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  assert.equal((await adopted?.done)?.kind, 'signalled')
})

test('what a killed supervisor left is found and ended', async (t) => {
  const attempt = rig(t)
  const pid = await startAndKillEngine(t, attempt, 'echo one; exec sleep 1000')
  process.kill(pid, 'SIGKILL')
  await until('its end', () => !isRunning(pid))
  const orphan = found(attempt.token)
  assert.ok(orphan)
  assert.deepEqual([orphan.pids.length, orphan.supervisors, orphan.run], [1, [], null])
  assert.deepEqual(await endOrphan(orphan, 1_000), { ended: 1, survivors: [] })
  await attempt.assertNothingLeft()
})

const grouped = { skip: !canGroup && 'control groups are not permitted here' }

test('a process without token, session, parent and supervisor is found by its group', grouped, async (t) => {
  const attempt = rig(t)
  const pid = await startAndKillEngine(t, attempt, `echo one; ${ESCAPE}; exec sleep 1000`)
  const escaped = await until('the escape', () => pidIn(attempt.path('escaped')))
  process.kill(pid, 'SIGKILL')
  const orphan = found(attempt.token)
  assert.ok(orphan)
  assert.ok(orphan.pids.includes(escaped))
  await endOrphan(orphan, 100)
  assert.equal(isRunning(escaped), false)
  assert.equal(found(attempt.token), undefined)
})

test('the attempt that looks for orphans is none', async (t) => {
  const module = fileURLToPath(new URL('../../../src/process/tree/orphans.ts', import.meta.url))
  const script = `import { findOrphans } from '${module}'; console.log(JSON.stringify(findOrphans()))`
  const [one, other] = [rig(t), rig(t)]
  const running = other.sh('echo ready; exec sleep 1000')
  await until('the other', () => other.text() === 'ready\n')
  await one.run([process.execPath, '--input-type=module', '-e', script]).done
  const tokens = (JSON.parse(one.text()) as Orphan[]).map(({ token }) => token)
  assert.ok(tokens.includes(other.token))
  assert.ok(!tokens.includes(one.token))
  await running.stop()
})

function found(token: string): Orphan | undefined {
  return findOrphans().find((orphan) => orphan.token === token)
}
