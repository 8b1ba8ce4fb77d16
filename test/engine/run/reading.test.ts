// Looking at a run: from other processes while it goes on, and through the library's events.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Event, listRuns, type RunView, readLog, readRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const READER = fileURLToPath(new URL('../../rig/reader-process.ts', import.meta.url))

test('another process sees the state, the events and the output of a run that goes on', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', needs: ['a'] }])
  const a = await rig.stage.next('a')
  await a.print('halfway there\n')
  await run.saw('attempt.progress')
  const { view, events, log } = await readElsewhere(rig.top, 'a')
  assert.deepEqual(view.engine, { pid: process.pid })
  assert.deepEqual([view.status, view.tasks.map((task) => task.status)], ['running', ['running', 'pending']])
  assert.deepEqual(
    events.map((event) => event.type),
    ['run.started', 'attempt.started'],
  )
  assert.equal(log, 'halfway there\n')
  await a.deliver('a.txt')
  await (await rig.stage.next('b')).exit()
  await run.finish()
  const later = await readElsewhere(rig.top, 'a')
  assert.deepEqual([later.view.status, later.view.engine, later.view.resumable], ['completed', null, false])
  assert.deepEqual(
    later.events,
    run.events.filter((event) => event.type !== 'attempt.progress'),
  )
})

test('a log is followed from setup to verify while they run, in that order', async () => {
  await using rig = await Rig.open()
  const settings = { setup: [rig.stage.command('setup')] }
  const run = await rig.start([{ id: 'a', verify: [rig.stage.command('verify')] }], settings)
  const setup = await rig.stage.next('a', 'setup')
  await setup.print('setting up\n')
  const log = await readLog(await workspaceAt(rig.top), { task: 'a', follow: true })
  assert.ok(log.ok)
  let text = ''
  const read = (async () => {
    for await (const chunk of log.value) text += chunk
  })()
  await until('the output of setup', () => text.includes('setting up'))
  await setup.exit()
  const work = await rig.stage.next('a')
  await work.print('working\n')
  await until('the output of the work', () => text.includes('working'))
  await work.deliver('a.txt')
  const verify = await rig.stage.next('a', 'verify')
  await verify.print('checking\n')
  await verify.exit()
  await run.finish()
  await read
  assert.equal(text, '── setup-1 ──\nsetting up\nworking\n── verify-1 ──\nchecking\n')
})

test('a log that is followed ends when nobody is left to write it, and not before', async () => {
  await using rig = await Rig.open()
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const a = await rig.stage.next('a')
  const log = await readLog(await workspaceAt(rig.top), { task: 'a', follow: true })
  assert.ok(log.ok)
  let text = ''
  const read = (async () => {
    for await (const chunk of log.value) text += chunk
  })()
  await engine.kill()
  await a.print('alone\n')
  await until('what the agent says without an engine', () => text.includes('alone'))
  await rig.loseSupervisor(a)
  await read
  assert.equal(text, 'alone\n')
})

test('asking for what is not there gets an answer that says so', async () => {
  await using rig = await Rig.open()
  assert.deepEqual(await readRun(await workspaceAt(rig.top)), { ok: true, value: null })
  assert.deepEqual(await listRuns(await workspaceAt(rig.top)), { ok: true, value: [] })
  const { outcome } = await rig.run([
    { id: 'a', run: 'exit 1' },
    { id: 'b', needs: ['a'], run: 'true' },
  ])
  const messages = []
  for (const request of [{ task: 'x' }, { task: 'b' }, { task: 'a', attempt: 2 }]) {
    const log = await readLog(await workspaceAt(rig.top), { run: outcome.run, ...request })
    messages.push(log.ok ? '' : log.problems[0]?.message)
  }
  assert.deepEqual(messages, [
    'run plan-1 has no task x: `espalier status` lists them',
    'b has not started yet (blocked)',
    'a has had 1 attempts',
  ])
})

test('the events of a run come in order, with progress between them, and end when it does', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([{ id: 'a', run: 'echo hello; echo a > a.txt' }])
  const types = run.events.map((event) => event.type)
  assert.deepEqual(
    types.filter((type) => type !== 'attempt.progress'),
    ['run.started', 'attempt.started', 'attempt.finished', 'landing.started', 'landing.landed', 'run.finished'],
  )
  const [progress] = run.all('attempt.progress')
  assert.deepEqual([progress?.task, progress?.attempt, progress?.message], ['a', 1, 'hello'])
  assert.ok(types.indexOf('attempt.progress') < types.indexOf('attempt.finished'))
  const numbers = run.events.flatMap((event) => ('seq' in event ? event.seq : []))
  assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6])
})

test('whoever hears that a run is over finds all of it in the repository', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([
    { id: 'a', run: 'echo a > a.txt' },
    { id: 'b', run: 'echo b > b.txt' },
    { id: 'c', run: 'echo c > c.txt; exit 1' },
  ])
  for await (const event of run.run.events()) {
    if (event.type !== 'run.finished') continue
    assert.equal(rig.git('rev-parse', run.run.branch), run.run.status().head)
    assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/c/1:c.txt`), 'c')
  }
  assert.equal((await run.finish()).outcome.counts.landed, 2)
})

test('several watch a run at their own pace, and one may leave', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const a = await rig.stage.next('a')
  const late: Event['type'][] = []
  const watching = (async () => {
    for await (const event of run.run.events()) if ('seq' in event) late.push(event.type)
  })()
  for await (const event of run.run.events()) if (event.type === 'attempt.started') break
  await a.exit()
  await watching
  await run.finish()
  assert.deepEqual(late, ['run.started', 'attempt.started', 'attempt.finished', 'run.finished'])
})

async function readElsewhere(repo: string, task: string) {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', READER, repo, task])
  return JSON.parse(stdout) as { view: RunView; events: Event[]; log: string }
}
