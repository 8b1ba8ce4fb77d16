import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { followOutput, readTail } from '../../../src/process/supervise/read-output.ts'
import { adopt } from '../../../src/process/supervise/supervise.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { until } from '../../rig/until.ts'
import { startAndKillEngine } from '../engine.ts'
import { BOUNDS, isRunning, outputSize, rig } from '../rig.ts'

test('a command whose engine was killed finishes, and the next engine gets its status and all its output', async (t) => {
  const attempt = rig(t)
  await startAndKillEngine(t, attempt, 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 7')
  writeFileSync(attempt.path('go'), '')
  await until('its end', () => existsSync(join(attempt.dir, 'exit')))
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit && 'code' in exit && exit.code], ['exited', 7])
  assert.equal(attempt.text(), 'one\ntwo\n')
  await attempt.assertNothingLeft()
})

test('a command that still runs is adopted: its output can be followed and its end awaited', async (t) => {
  const attempt = rig(t)
  const pid = await startAndKillEngine(t, attempt, 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 7')
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  assert.equal(await adopted?.pid, pid)
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
  await startAndKillEngine(t, attempt, 'echo one; (setsid sleep 1000 &); exec sleep 1000')
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  await adopted?.stop()
  assert.equal((await adopted?.done)?.kind, 'signalled')
  await attempt.assertNothingLeft()
})

test('an adopted command whose background process holds the output open comes to its end', async (t) => {
  const attempt = rig(t)
  await startAndKillEngine(t, attempt, 'echo one; sleep 1000 & while [ ! -e go ]; do sleep 0.02; done')
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  writeFileSync(attempt.path('go'), '')
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit?.leftovers], ['exited', 1])
  await attempt.assertNothingLeft()
})

test('a flood stays within its bounds on disk while no engine lives', async (t) => {
  const attempt = rig(t)
  const flood = 'head -c 200000000 /dev/zero | tr "\\0" x'
  const waiting = 'while [ ! -e go ]; do sleep 0.02; done'
  await startAndKillEngine(t, attempt, `echo one; ${waiting}; ${flood}; echo; echo the end; exit 7`)
  writeFileSync(attempt.path('go'), '')
  let disk = 0
  await until('its end', () => {
    disk = Math.max(disk, outputSize(attempt.dir).keptBytes)
    return existsSync(join(attempt.dir, 'exit'))
  })
  assert.ok(disk <= BOUNDS.maxBytes + 2 * BOUNDS.chunkBytes, `${disk} bytes on disk`)
  assert.equal(outputSize(attempt.dir).bytes, 200_000_000 + 'one\n\nthe end\n'.length)
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit && 'code' in exit && exit.code, exit?.outputLost], ['exited', 7, false])
  assert.match(await readTail(attempt.dir, 20), /^x+\nthe end\n$/)
  let seen = ''
  for await (const data of followOutput(attempt.dir)) seen += data
  assert.match(seen, /^one\nx+\n… 19\d\.\d MB of output removed …\nx+\nthe end\n$/)
})

test('a supervisor that is gone without a status is lost, for this engine and for the next', async (t) => {
  const attempt = rig(t)
  const pid = await startAndKillEngine(t, attempt, 'echo one; exec sleep 1000')
  process.kill(pid, 'SIGKILL')
  await until('its end', () => !isRunning(pid))
  for (const leftovers of [1, 0]) {
    const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
    const exit = await adopted?.done
    assert.deepEqual([exit?.kind, exit?.leftovers], ['lost', leftovers])
    await attempt.assertNothingLeft()
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

test('a signal that ended it after its supervisor was lost may have been the engine’s: it is lost', async (t) => {
  const { dir, token } = rig(t)
  writeFileSync(join(dir, 'supervisor'), JSON.stringify({ ...processIdentity(process.pid), startTime: '1' }))
  writeFileSync(join(dir, 'status.tmp'), '{"code":143}\n')
  const adopted = await adopt(dir, token, BOUNDS)
  assert.equal((await adopted?.done)?.kind, 'lost')
})

test('where nothing was started there is nothing to adopt, and nothing can start there any more', async (t) => {
  const attempt = rig(t)
  assert.equal(await adopt(attempt.dir, attempt.token, BOUNDS), null)
  assert.equal(await adopt(attempt.dir, attempt.token, BOUNDS), null)
  const exit = await attempt.sh('touch ran').done
  assert.equal(exit.kind, 'unwritable')
  assert.equal(existsSync(attempt.path('ran')), false)
  assert.equal(await adopt('/nonexistent/folder', attempt.token, BOUNDS), null)
})
