// A task that has used up its money is ended, and what it has spent until then is known.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, CLIS, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

/** Less than the first answer of any of them costs. */
const LITTLE_USD = 0.000_1

test('out of money in the middle of its work, it is ended: `budget`, without another try', async () => {
  await using rig = await Rig.open()
  // opencode over ACP tells its cost when its turn is over, and not before: it is not asked to go on.
  const scripts: [string, Step[]][] = [
    ...CLIS.map((cli): [string, Step[]] => [cli, endless(cli)]),
    ['acp', smallTask('acp')],
  ]
  await using server = await ModelServer.open(Object.fromEntries(scripts))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const little = { budgetUsd: LITTLE_USD, retries: 1 }
  const acp = agentTask('acp', 'acp', { ...little, iterations: 2, verify: ['false'] })
  const run = await rig.start([...CLIS.map((cli) => agentTask(cli, cli, little)), acp], settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  for (const { id, history } of run.run.status().tasks) {
    const [attempt, ...more] = history
    assert.equal(more.length, 0, `${id}: ${JSON.stringify(history)}`)
    // Whether opencode is still there when it has told its cost over ACP is up to the machine.
    assert.match(attempt?.outcome ?? '', id === 'acp' ? /^(budget|failed)$/ : /^budget$/, JSON.stringify(attempt))
    assert.equal(attempt?.iterations, undefined, id)
    assert.deepEqual(run.processes(id, 1), [], id)
    assert.ok((attempt?.usage?.costUsd ?? 0) > LITTLE_USD, `what ${id} cost is known`)
  }
  // Also of the answer with which the money was used up.
  assertPaid(
    server,
    CLIS.map((cli) => run.task(cli)),
  )
})

/** The model asks for a command, and then says nothing any more: who waits for it waits for ever. */
function endless(id: string): Step[] {
  return [{ do: 'run', command: `echo 1 > ${id}.txt` }, { do: 'hang' }]
}
