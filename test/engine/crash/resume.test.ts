// Killed at the worst moments, the run goes on: nothing is lost, nothing is done twice, nothing is left behind.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { requestCancel, resumeRun } from '../../../src/index.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

function doomed(rig: Rig, tasks: TaskDraft[], settings = makeSettings()): DoomedEngine {
  return new DoomedEngine(rig.top, rig.plan(tasks), settings)
}

test('agents go on without the engine, and the next one takes over those that work and those that are done', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }, { id: 'b' }, { id: 'c', needs: ['a', 'b'] }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await engine.kill()
  assert.deepEqual([a.alive, b.alive], [true, true])
  await a.print('{"type":"usage","inputTokens":5,"costUsd":0.25}\n')
  await a.deliver('a.txt')
  await a.gone()
  const run = await rig.resume()
  await run.saw('landing.landed')
  assert.ok(b.alive)
  await b.deliver('b.txt')
  const c = await rig.stage.next('c')
  assert.equal(await c.sh('cat a.txt b.txt'), 'a\nb')
  await c.deliver('c.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1', 'c/1'])
  assert.equal(outcome.costUsd, 0.25)
  assert.deepEqual(rig.stage.all.map((puppet) => `${puppet.task}/${puppet.attempt}`).sort(), ['a/1', 'b/1', 'c/1'])
  for (const id of ['a', 'b', 'c']) assert.deepEqual(run.processes(id, 1), [])
  assert.equal(existsSync(a.hello.env.TMPDIR ?? ''), false)
})

test('killed between moving the branch and recording it, the work has landed once', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }])
  const a = await rig.stage.next('a')
  const ref = join(rig.state, 'engine.git', 'refs', 'heads', 'espalier', 'plan-1')
  const base = await readFile(ref, 'utf8')
  // The engine waits for the lock of the branch; by the time it is gone, the journal cannot be written.
  await writeFile(`${ref}.lock`, '')
  await a.deliver('a.txt')
  await engine.saw('landing.started')
  const journal = new DatabaseSync(join(rig.state, 'state.db'))
  journal.exec('PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE')
  await rm(`${ref}.lock`)
  const moved = (
    await until('the branch to move', async () => (await readFile(ref, 'utf8')) !== base && readFile(ref, 'utf8'))
  ).trim()
  await engine.kill()
  journal.close()
  const run = await rig.resume()
  const { outcome } = await run.finish()
  assert.equal(outcome.head, moved)
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.stage.all.length, 1)
})

test('killed right before the branch moves, with the lock of a dead git left behind, the work lands once', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }, { id: 'b', needs: ['a'], run: 'cat a.txt > b.txt' }])
  const a = await rig.stage.next('a')
  const ref = join(rig.state, 'engine.git', 'refs', 'heads', 'espalier', 'plan-1')
  await writeFile(`${ref}.lock`, '')
  await a.deliver('a.txt')
  await engine.saw('landing.started')
  await engine.kill()
  const run = await rig.resume()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
})

test('killed while a verify command runs, the check is made again on the same work', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a', verify: [rig.stage.command('verify')] }])
  await (await rig.stage.next('a')).deliver('a.txt')
  const check = await rig.stage.next('a', 'verify')
  await check.write('a.txt', 'spoilt by the check\n')
  await check.write('more.txt', 'made by the check\n')
  await engine.kill()
  const run = await rig.resume()
  await (await rig.stage.next('a', 'verify')).exit()
  const { outcome } = await run.finish()
  assert.equal(check.alive, false)
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.landedFile(outcome, 'a.txt'), 'a')
  assert.equal(rig.landedFile(outcome, 'more.txt'), null)
  assert.equal(rig.stage.all.filter((puppet) => puppet.hello.role === 'work').length, 1)
})

test('a supervisor that is gone without a word costs no retry', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }])
  const first = await rig.stage.next('a')
  await first.write('half.txt', 'half\n')
  await engine.kill()
  await rig.loseSupervisor(first)
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(run.task('a').history[0]?.failure?.reason, 'supervisor-lost')
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`), 'half')
})

test('killed at the very moment an attempt is started, it is started again', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }])
  const first = await rig.stage.next('a')
  await engine.kill()
  // As if the supervisor had never come to write its name.
  await rig.loseSupervisor(first)
  const work = join(rig.state, 'runs', 'plan-1', 'a', '1', 'work')
  for (const name of await readdir(work)) await rm(join(work, name))
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('a deadline that passed while there was no engine counts', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a', timeoutMs: 2_500 }])
  const puppet = await rig.stage.next('a')
  const { deadline } = await engine.saw('attempt.started')
  await engine.kill()
  await until('the deadline to pass', () => Date.now() > deadline)
  const { outcome } = await (await rig.resume()).finish()
  assert.equal(outcome.failures[0]?.failure.reason, 'timeout')
  assert.equal(puppet.alive, false)
})

test('a deadline that passed after everything was killed does not count: no agent lived', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a', timeoutMs: 2_500, retries: 0 }])
  const puppet = await rig.stage.next('a')
  const { deadline } = await engine.saw('attempt.started')
  await engine.kill()
  await rig.loseSupervisor(puppet)
  await until('the deadline to pass', () => Date.now() > deadline)
  const run = await rig.resume()
  const { failure } = await run.saw('attempt.finished')
  assert.equal(failure?.reason, 'supervisor-lost')
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
})

test('an agent in another PID namespace may live: the run is not resumed here, and what it says to type helps', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }])
  const first = await rig.stage.next('a')
  await engine.kill()
  const file = join(rig.workOf(first), 'supervisor')
  const identity = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...identity, namespace: '1' }))
  const refused = await resumeRun(await workspaceAt(rig.top))
  assert.ok(!refused.ok)
  assert.match(refused.problems[0]?.message ?? '', /^a of run plan-1 may still be at work in another PID namespace/)
  assert.ok(first.alive)
  await rig.loseSupervisor(first)
  assert.ok(refused.problems[0]?.message.includes(`rm ${file}`))
  await rm(file)
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1'])
})

test('an interrupted run ends its agents and goes on with another attempt later', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  const puppet = await rig.stage.next('a')
  await puppet.write('half.txt', 'half\n')
  first.run.interrupt()
  const interrupted = (await first.finish()).outcome
  assert.deepEqual([interrupted.status, interrupted.interrupted], ['cancelled', true])
  assert.equal(puppet.alive, false)
  const run = await rig.resume()
  await (await rig.stage.next('a')).deliver('a.txt')
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/2', 'b/1'])
})

test('an abandoned run leaves its agents at work, and the next engine takes them over', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a', verify: ['test -f a.txt'] }, { id: 'b' }])
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  first.run.abandon()
  assert.equal((await first.finish()).outcome.interrupted, true)
  assert.deepEqual([a.alive, b.alive], [true, true])
  assert.ok(existsSync(a.hello.env.TMPDIR ?? ''))
  const run = await rig.resume()
  await a.deliver('a.txt')
  await b.deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome).sort(), ['a/1', 'b/1'])
  assert.equal(rig.stage.all.length, 2)
})

test('a run that is closed while it goes on is as good as abandoned', async () => {
  await using rig = await Rig.open()
  const first = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  const a = await rig.stage.next('a')
  await first.run[Symbol.asyncDispose]()
  assert.equal((await first.result).interrupted, true)
  assert.ok(a.alive)
  const run = await rig.resume()
  await a.deliver('a.txt')
  await (await rig.stage.next('b')).deliver('b.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/1'])
})

test('a run whose engine is dead is cancelled all the same, and nothing of it goes on', async () => {
  await using rig = await Rig.open()
  await using engine = doomed(rig, [{ id: 'a' }, { id: 'b', needs: ['a'] }])
  const puppet = await rig.stage.next('a')
  const orphan = await puppet.orphan()
  await engine.kill()
  const cancelled = await requestCancel(await workspaceAt(rig.top))
  assert.deepEqual(cancelled, {
    ok: true,
    value: { run: 'plan-1', task: null, delivered: 'carried-out', again: false },
  })
  assert.equal(puppet.alive, false)
  assert.equal(processIdentity(orphan), null)
})
