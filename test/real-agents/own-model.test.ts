// Codex is told no model, and does not say which one it chose: its files do, and so its cost is known.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer } from './model-server.ts'

test('codex: the model of its own settings is in the ledger, and what it cost', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({ codex: smallTask('codex') })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const { program = '', args = [] } = settings.agents?.codex ?? {}
  // As its user would write it into its settings file.
  const agents = { codex: { program, args: [...args, '-c', 'model="gpt-5-codex"'] } }
  const run = await rig.start([agentTask('codex', 'codex')], { ...settings, agents }, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  assert.equal(run.task('codex').history[0]?.session?.model, 'gpt-5-codex')
  assertPaid(server, [run.task('codex')])
})
