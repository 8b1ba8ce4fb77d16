import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { processIdentity } from '../../src/process/identity.ts'
import { followOutput } from '../../src/process/output.ts'
import { adopt } from '../../src/process/supervise.ts'
import { until } from '../rig/until.ts'
import { BOUNDS, isRunning, type Rig, rig } from './rig.ts'

test('a command whose engine was killed finishes, and the next engine gets its status and all its output', async (t) => {
  const attempt = rig(t)
  await startAndKillEngine(attempt, 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 7')
  writeFileSync(attempt.path('go'), '')
  await until('its end', () => existsSync(join(attempt.dir, 'exit')))
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit && 'code' in exit && exit.code], ['exited', 7])
  assert.equal(attempt.text(), 'one\ntwo\n')
  attempt.assertNothingLeft()
})

test('a command that still runs is adopted: its output can be followed and its end awaited', async (t) => {
  const attempt = rig(t)
  const pid = await startAndKillEngine(attempt, 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 7')
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  assert.equal(adopted?.pid, pid)
  let seen = ''
  for await (const data of followOutput(attempt.dir)) {
    seen += data
    if (seen === 'one\n') writeFileSync(attempt.path('go'), '')
  }
  assert.equal(seen, 'one\ntwo\n')
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit && 'code' in exit && exit.code], ['exited', 7])
})

test('an adopted command can be stopped', async (t) => {
  const attempt = rig(t)
  await startAndKillEngine(attempt, 'echo one; (setsid sleep 1000 &); exec sleep 1000')
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  await adopted?.stop()
  assert.equal((await adopted?.done)?.kind, 'signalled')
  attempt.assertNothingLeft()
})

test('an adopted command whose background process holds the output open comes to its end', async (t) => {
  const attempt = rig(t)
  await startAndKillEngine(attempt, 'echo one; sleep 1000 & while [ ! -e go ]; do sleep 0.02; done')
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  writeFileSync(attempt.path('go'), '')
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit?.leftovers], ['exited', 1])
  attempt.assertNothingLeft()
})

test('a supervisor that is gone without a status is lost, for this engine and for the next', async (t) => {
  const attempt = rig(t)
  const pid = await startAndKillEngine(attempt, 'echo one; exec sleep 1000')
  process.kill(pid, 'SIGKILL')
  await until('its end', () => !isRunning(pid))
  for (const leftovers of [1, 0]) {
    const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
    const exit = await adopted?.done
    assert.deepEqual([exit?.kind, exit?.leftovers], ['lost', leftovers])
    attempt.assertNothingLeft()
  }
})

test('a supervisor of an earlier boot, or whose number now belongs to another process, is lost', async (t) => {
  for (const change of [{ bootId: 'another boot' }, { startTime: '1' }]) {
    const { dir, token } = rig(t)
    writeFileSync(join(dir, 'supervisor'), JSON.stringify({ ...processIdentity(process.pid), ...change }))
    const adopted = await adopt(dir, token, BOUNDS)
    assert.equal((await adopted?.done)?.kind, 'lost')
  }
})

test('where nothing was started there is nothing to adopt, and nothing can start there any more', async (t) => {
  const attempt = rig(t)
  assert.equal(await adopt(attempt.dir, attempt.token, BOUNDS), null)
  assert.equal(await adopt(attempt.dir, attempt.token, BOUNDS), null)
  const exit = await attempt.sh('touch ran').done
  assert.equal(exit.kind, 'spawn-failed')
  assert.equal(existsSync(attempt.path('ran')), false)
  assert.equal(await adopt('/nonexistent/folder', attempt.token, BOUNDS), null)
})

async function startAndKillEngine(attempt: Rig, command: string): Promise<number> {
  const { dir, cwd, token } = attempt
  const env = { PATH: process.env.PATH ?? '' }
  const spec = { ...BOUNDS, dir, cwd, argv: ['sh', '-c', command], token, stdin: null, stderr: 'merge', env }
  const script = fileURLToPath(new URL('engine-puppet.ts', import.meta.url))
  const engine = spawn(process.execPath, [script, JSON.stringify(spec)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(engine.stdout, 'data')) as [Buffer]
  await until('the first output', () => attempt.text() === 'one\n')
  engine.kill('SIGKILL')
  await once(engine, 'exit')
  return Number(line.toString())
}
