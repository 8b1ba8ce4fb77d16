// A login or key that the provider does not accept.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { until } from '../rig/until.ts'
import { agentTask, CLIS, cliSetup, PATIENCE_MS } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const DENIED: Step[] = [{ do: 'fail', status: 401, times: Number.POSITIVE_INFINITY, message: 'invalid x-api-key' }]

test('a key that is not accepted pauses the agent, says that it is the key, and uses up no try', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, DENIED])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli, { retries: 0 }))
  const run = await rig.start(tasks, settings, environment)
  const pauses = () => run.run.summary().paused ?? []
  await until('all of them are paused', () => pauses().length === CLIS.length, PATIENCE_MS)
  for (const { agent, why } of pauses()) assert.equal(why, 'login', agent)
  for (const cli of CLIS) {
    const { history, status } = run.task(cli)
    assert.equal(status, 'ready', cli)
    assert.equal(history[0]?.failure?.reason, 'login-failed', cli)
    assert.match(history[0].failure.message, /does not accept the login or key/, cli)
  }
  run.run.cancel()
  await run.finish()
})
