// An agent whose provider is limited, with puppets in the place of the programs: they print what Claude Code prints.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { readRun } from '../../src/index.ts'
import { Rig } from '../rig/rig.ts'

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
  const limit = { type: 'rate_limit_event', rate_limit_info: { resetsAt: Math.ceil(untilMs / 1000) } }
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
  assert.equal(second.hello.stdin, 'Do the thing.\n', 'nothing the agent could do better')
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

test('while it waits it is shown, and the tasks of others get its slot', async () => {
  await using rig = await Rig.open()
  const settings = { ...(await agentsOf(rig)), maxConcurrency: 1 }
  const run = await rig.start([{ id: 'a', work }, { id: 'b', work }, { id: 'x' }], settings)
  const anHour = Date.now() + 3_600_000
  const first = await rig.stage.next('a')
  await first.print(limited(anHour))
  await first.exit(1)
  const other = await rig.stage.next('x')
  const read = await readRun({ repo: rig.top })
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
