// An agent whose provider is limited, with puppets in the place of the programs: they print what Claude Code prints.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { readRun, readSessions } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { fatal } from '../../rig/stage.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

async function agentsOf(rig: Rig) {
  const program = join(rig.repository.path, 'agent')
  await writeFile(program, `#!/bin/sh\n${rig.stage.command()}\n`, { mode: 0o755 })
  const agents = DEFAULT_SETTINGS.agents
  return { agents: { ...agents, claude: { ...agents.claude, program } } }
}

const work = { kind: 'prompt', prompt: 'Do the thing.', agent: 'claude', model: null } as const

function lines(...objects: object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('')
}

/** Times are in whole seconds there. */
function limited(untilMs: number): string {
  const limit = {
    type: 'rate_limit_event',
    rate_limit_info: { status: 'rejected', resetsAt: Math.ceil(untilMs / 1000) },
  }
  return lines(limit, { type: 'result', subtype: 'success', is_error: true, api_error_status: 429, result: 'too fast' })
}

const DONE = lines({ type: 'result', subtype: 'success', is_error: false, result: 'I did it.' })

test('it starts again when the provider lets it work, and no retry is used up', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', work, retries: 0 }], await agentsOf(rig))
  const first = await rig.stage.next('a')
  await first.print(limited(Date.now() + 500))
  await first.exit(1)
  const second = await rig.stage.next('a')
  assert.doesNotMatch(second.hello.stdin, /An earlier attempt failed/, 'nothing the agent could do better')
  await second.write('a.txt', 'a\n')
  await second.print(DONE)
  await second.exit(0)
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'])
  assert.equal(run.all('attempt.finished')[0]?.outcome, 'rate-limited')
  const until = run.all('attempt.finished')[0]?.limitedUntil
  const again = run.all('attempt.started')[1]
  assert.ok(until && again && again.at >= until)
})

test('a limit that lets it work is none to wait for', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', work, retries: 0 }], await agentsOf(rig))
  const first = await rig.stage.next('a')
  const info = { status: 'allowed', resetsAt: Math.ceil(Date.now() / 1000) + 5 * 3600 }
  const overloaded = { type: 'result', subtype: 'success', is_error: true, api_error_status: 529, result: 'overloaded' }
  await first.print(lines({ type: 'rate_limit_event', rate_limit_info: info }, overloaded))
  await first.exit(1)
  const { outcome, limitedUntil } = await run.saw('attempt.finished')
  assert.deepEqual([outcome, limitedUntil], ['rate-limited', null])
  run.run.cancel()
  await run.finish()
})

test('one that is told to wait for too long is ended at once, and the engine waits in its place', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', work, retries: 0 }], await agentsOf(rig))
  const first = await rig.stage.next('a')
  const anHour = 3_600_000
  await fatal(first.print(lines({ type: 'system', subtype: 'api_retry', retry_delay_ms: anHour })))
  const { outcome, limitedUntil, at } = await run.saw('attempt.finished')
  assert.equal(outcome, 'rate-limited')
  assert.ok(limitedUntil && limitedUntil > at)
  assert.equal(first.alive, false)
  run.run.cancel()
  await run.finish()
})

test('while it waits it is shown, and the tasks of others get its slot', async () => {
  await using rig = await Rig.open()
  const settings = { ...(await agentsOf(rig)), maxConcurrency: 1 }
  const run = await rig.start([{ id: 'a', work }, { id: 'b', work }, { id: 'x' }], settings)
  const anHour = Date.now() + 3_600_000
  const first = await rig.stage.next('a')
  await first.print(limited(anHour))
  await first.exit(1)
  const other = await rig.stage.next('x')
  const read = await readRun(await workspaceAt(rig.top))
  assert.ok(read.ok)
  const [pause, ...more] = read.value?.paused ?? []
  assert.deepEqual([pause?.agent, pause?.why, more], ['claude', 'limited', []])
  assert.ok(pause && pause.until >= anHour)
  await other.deliver('x.txt')
  await run.saw('landing.landed')
  assert.deepEqual(run.statuses(), { a: 'ready', b: 'ready', x: 'landed' })
  run.run.cancel()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'cancelled')
  assert.equal(run.run.summary().paused, undefined)
})

test('while it is paused its fallback does the task, also for the engine that takes over, and is named for it', async () => {
  await using rig = await Rig.open()
  const settings = makeSettings({ ...(await agentsOf(rig)), command: rig.stage.command() })
  const tasks = [{ id: 'a', work: { ...work, fallbacks: ['command'] }, retries: 0 }]
  await using engine = new DoomedEngine(rig.top, rig.plan(tasks), settings)
  const first = await rig.stage.next('a')
  const anHour = Date.now() + 3_600_000
  await first.print(limited(anHour))
  await first.exit(1)
  const fallback = await rig.stage.next('a')
  assert.match(fallback.hello.stdin, /Do the thing\./, 'from the start: it knows nothing of that conversation')
  await engine.kill()
  const run = await rig.resume()
  await fallback.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/2'], JSON.stringify(run.task('a').failure))
  const [limit, done, ...more] = run.task('a').history
  assert.deepEqual([limit?.agent, limit?.insteadOf, more], ['claude', undefined, []])
  assert.deepEqual([done?.agent, done?.insteadOf?.agent], ['command', 'claude'])
  assert.ok((done?.insteadOf?.until ?? 0) >= anHour)
  const sessions = await readSessions(await workspaceAt(rig.top))
  assert.deepEqual(sessions.ok && sessions.value.map(({ agent }) => agent), ['claude', 'command'])
})

test('a login that is not accepted pauses its agent for all; whoever logs in and resumes need not wait', async () => {
  await using rig = await Rig.open()
  const settings = { ...(await agentsOf(rig)), maxConcurrency: 1 }
  const tasks = [
    { id: 'a', work, retries: 0 },
    { id: 'b', work, retries: 0, needs: ['a'] },
  ]
  const before = await rig.start(tasks, settings)
  const first = await rig.stage.next('a')
  const denied = { subtype: 'success', is_error: true, api_error_status: 401, result: 'Please run /login' }
  await first.print(lines({ type: 'result', ...denied }))
  await first.exit(1)
  const { outcome, failure } = await before.saw('attempt.finished')
  assert.deepEqual([outcome, failure?.reason], ['failed', 'login-failed'])
  assert.match(failure?.message ?? '', /Please run \/login.*`espalier doctor`.*`espalier resume`/)
  assert.equal(before.run.summary().paused?.[0]?.why, 'login')
  before.run.interrupt()
  await before.finish()
  const run = await rig.resume()
  for (const id of ['a', 'b']) {
    const agent = await rig.stage.next(id)
    assert.doesNotMatch(agent.hello.stdin, /An earlier attempt failed/)
    await agent.write(`${id}.txt`, id)
    await agent.print(DONE)
    await agent.exit(0)
  }
  assert.deepEqual(rig.landings((await run.finish()).outcome), ['a/2', 'b/1'])
})
