// A write outside the claims of the task, where the run insists on them. What a command does cannot be denied before it is
// done: the check after the attempt finds it, whichever program it was. (What a hook or a permission denies while there is
// time for that: hooks.test.ts and acp.test.ts.)
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { ALL, agentTask, cliSetup } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

test('a write outside its claims does not land, whichever of them made it', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(ALL.map((id) => [id, outside(id)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = ALL.map((id) => agentTask(id, id, { claims: { write: [`${id}.txt`], read: [] } }))
  const run = await rig.start(tasks, { ...settings, claims: 'enforce' }, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  for (const id of ALL) {
    const { failure } = run.task(id).history[0] ?? {}
    assert.equal(failure?.reason, 'claims-violated', `${id}: ${JSON.stringify(failure)}`)
    assert.deepEqual(failure.paths, [`outside-${id}.txt`])
  }
  assert.deepEqual(rig.landings(outcome), [])
})

function outside(id: string): Step[] {
  return [
    { do: 'run', command: `echo x > ${id}.txt; echo x > outside-${id}.txt` },
    { do: 'say', text: 'Done.' },
  ]
}
