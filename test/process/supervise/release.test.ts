import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { adopt } from '../../../src/process/supervise/supervise.ts'
import { until } from '../../rig/until.ts'
import { startEngine } from '../engine.ts'
import { BOUNDS, isRunning, rig } from '../rig.ts'

const PENDING = Symbol('pending')

test('a process that lets go of its command can end, the command goes on, and another one adopts it', async (t) => {
  const attempt = rig(t)
  const engine = await startEngine(t, attempt, 'echo one; while [ ! -e go ]; do sleep 0.02; done; echo two; exit 7')
  await until('the first output', () => attempt.text() === 'one\n')
  engine.tell('release')
  assert.deepEqual(await once(engine.process, 'exit', { signal: AbortSignal.timeout(20_000) }), [0, null])
  assert.equal(isRunning(engine.pid), true)
  const adopted = await adopt(attempt.dir, attempt.token, BOUNDS)
  assert.equal(await adopted?.pid, engine.pid)
  writeFileSync(attempt.path('go'), '')
  const exit = await adopted?.done
  assert.deepEqual([exit?.kind, exit && 'code' in exit && exit.code], ['exited', 7])
  assert.equal(attempt.text(), 'one\ntwo\n')
  await attempt.assertNothingLeft()
})

test('letting go also ends an adoption, and is final: neither done nor stop resolves any more', async (t) => {
  const { sh, dir, token, path } = rig(t)
  const first = sh('while [ ! -e go ]; do sleep 0.02; done')
  await until('it', () => existsSync(join(dir, 'supervisor')))
  first.release()
  const second = await adopt(dir, token, BOUNDS)
  assert.ok(second)
  second.release()
  const stopping = second.stop()
  const third = await adopt(dir, token, BOUNDS)
  writeFileSync(path('go'), '')
  assert.equal((await third?.done)?.kind, 'exited')
  for (const promise of [first.done, second.done, stopping]) {
    assert.equal(await Promise.race([promise, Promise.resolve(PENDING)]), PENDING)
  }
})

test('whoever lets go while a command is being stopped does not end it after the grace', async (t) => {
  const { sh, dir, token, text } = rig(t)
  const lines = () => text().split('\n').length
  const supervised = sh('trap "echo asked" TERM; while :; do echo on; sleep 0.05; done', { graceMs: 200 })
  await until('it', () => lines() > 1)
  void supervised.stop()
  await until('the request', () => text().includes('asked'))
  supervised.release()
  const then = lines()
  await until('it to outlive the grace', () => lines() > then + 10)
  const adopted = await adopt(dir, token, { ...BOUNDS, graceMs: 0 })
  await adopted?.stop()
  assert.equal((await adopted?.done)?.kind, 'signalled')
})

test('letting go after the end changes nothing', async (t) => {
  const { sh } = rig(t)
  const supervised = sh('exit 2')
  const exit = await supervised.done
  supervised.release()
  assert.equal(await supervised.done, exit)
  const failed = rig(t).run(['true'], { env: { A: 'nul\0' } })
  failed.release()
  assert.equal(await Promise.race([failed.done, Promise.resolve(PENDING)]), PENDING)
})
