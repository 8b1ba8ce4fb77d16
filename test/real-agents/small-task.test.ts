// Each of them does a small task, all at the same time, and the bill is right to the token.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { ALL, agentTask, CLIS, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer } from './model-server.ts'

test('all five land a small task each, and every token of the four is on the bill', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(ALL.map((id) => [id, smallTask(id)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = ALL.map((id) => agentTask(id, id))
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const id of ALL) {
    assert.equal(rig.landedFile(outcome, `${id}.txt`), `by ${id}`)
    const [attempt] = run.task(id).history
    assert.equal(attempt?.outcome, 'changed')
    assert.equal(attempt.summary, `I wrote ${id}.txt.`)
    assert.equal(attempt.session?.agent, id === 'acp' ? 'acp:opencode' : id)
    assert.ok((attempt.usage?.costUsd ?? 0) > 0, `what ${id} cost is known`)
  }
  assertPaid(
    server,
    CLIS.map((cli) => run.task(cli)),
  )
})
