// An agent that lets another do a part of the work: what that one used is on the bill, too.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { requestCancel } from '../../src/index.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'
import { assertPaid } from './bill.ts'
import { agentTask, cliSetup, smallTask, untilHanging } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

/** How each of them calls a subagent. */
const CALLS = [
  { cli: 'claude', tool: 'Agent', kind: 'general-purpose', more: { run_in_background: false } },
  { cli: 'opencode', tool: 'task', kind: 'general', more: {} },
] as const

function call({ cli, tool, kind, more }: (typeof CALLS)[number]): Step {
  const prompt = `Do a part of it. [[script:${cli}-sub]]`
  return { do: 'tool', tool, input: { description: 'A part', prompt, subagent_type: kind, ...more } }
}

for (const one of CALLS) {
  const { cli } = one

  test(`${cli}: what its subagent used is counted, to the token and to the cent`, async () => {
    await using rig = await Rig.open()
    const script = [call(one), { do: 'say', text: 'It is done.' } as const]
    await using server = await ModelServer.open({ [cli]: script, [`${cli}-sub`]: smallTask(cli) })
    const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
    const run = await rig.start([agentTask(cli, cli)], settings, environment)
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
    assert.equal(rig.landedFile(outcome, `${cli}.txt`), `by ${cli}`)
    assert.ok(
      server.bill.some(({ script }) => script === `${cli}-sub`),
      `a subagent was at work: ${server.story}`,
    )
    assertPaid(server, [run.task(cli)])
  })
}

test('codex: what its subagent used is counted, to the token and to the cent', async () => {
  await using rig = await Rig.open()
  const message = 'Do a part of it. [[script:codex-sub]]'
  const script: Step[] = [
    { do: 'tool', tool: 'spawn_agent', input: { message } },
    { do: 'run', command: 'until test -e codex.txt; do sleep 0.1; done; sleep 2' },
    { do: 'say', text: 'It is done.' },
  ]
  await using server = await ModelServer.open({ codex: script, 'codex-sub': smallTask('codex') })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const run = await rig.start([agentTask('codex', 'codex')], settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  assert.ok(
    server.bill.some(({ script }) => script === 'codex-sub'),
    `a subagent was at work: ${server.story}`,
  )
  assertPaid(server, [run.task('codex')])
})

test('opencode: cancelled while its subagent works, what that has used by then is counted', async () => {
  await using rig = await Rig.open()
  const [work] = smallTask('opencode')
  const part: Step[] = work ? [work, { do: 'hang' }] : []
  await using server = await ModelServer.open({ opencode: [call(CALLS[1])], 'opencode-sub': part })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const run = await rig.start([agentTask('opencode', 'opencode')], settings, environment)
  await untilHanging(server, 1)
  assert.ok((await requestCancel(await workspaceAt(rig.top))).ok)
  await run.finish()
  assert.equal(run.task('opencode').status, 'cancelled')
  // Its own answer, in which it called the other, opencode writes down when that has ended.
  assertPaid(server, [{ id: 'opencode-sub', history: run.task('opencode').history }])
})
