// Each of the four does a small task, all at the same time, and the bill is right to the token.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, CLIS, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer } from './model-server.ts'

test('claude, codex, opencode and gemini land a small task each, and every token is on the bill', async () => {
  await using rig = await Rig.open()
  const scripts = Object.fromEntries(CLIS.map((cli) => [cli, smallTask(cli)]))
  await using server = await ModelServer.open(scripts)
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const run = await rig.start(
    CLIS.map((cli) => agentTask(cli, cli)),
    settings,
    environment,
  )
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const cli of CLIS) {
    assert.equal(rig.landedFile(outcome, `${cli}.txt`), `by ${cli}`)
    const [attempt] = run.task(cli).history
    assert.equal(attempt?.outcome, 'changed')
    assert.equal(attempt.summary, `I wrote ${cli}.txt.`)
    assert.equal(attempt.session?.agent, cli)
    assert.ok((attempt.usage?.costUsd ?? 0) > 0, `what ${cli} cost is known`)
  }
  assertPaid(server, run.run.status().tasks)
})
