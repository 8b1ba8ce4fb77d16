// A login or key that the provider does not accept.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { agentTask, CLIS, cliSetup } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const DENIED: Step[] = [{ do: 'fail', status: 401, times: Number.POSITIVE_INFINITY, message: 'invalid x-api-key' }]

test('a key that is not accepted fails the task, and says that it is the key', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, DENIED])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli))
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  for (const cli of CLIS) {
    const { history } = run.task(cli)
    assert.equal(history.length, 1)
    assert.equal(history[0]?.failure?.reason, 'agent-failed', cli)
    assert.match(history[0].failure.message, /does not accept the login or key/, cli)
  }
})
