// The bar: twelve tasks of four kinds of agents, four at a time. The engine is killed while four of them are in the
// middle of their work, and they are adopted; four others fail their check once, and their sessions are resumed.
// Everything lands, and the ledger is right to the token.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { DoomedEngine } from '../rig/doomed-engine.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, CLIS, cliSetup, smallTask, untilHanging } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

test('twelve tasks of four agents land although the engine was killed, and the bill is right to the token', async () => {
  await using rig = await Rig.open()
  const first = CLIS.map((cli) => agentTask(`${cli}-1`, cli, { priority: 1 }))
  const second = CLIS.map((cli) => {
    return agentTask(`${cli}-2`, cli, { iterations: 2, verify: [`grep -q 'by ${cli}' ${cli}-2.txt`] })
  })
  const third = CLIS.map((cli) => agentTask(`${cli}-3`, cli))
  const scripts: [string, Step[]][] = [
    ...first.map(({ id }): [string, Step[]] => [id, inTheMiddle(id)]),
    ...second.map(({ id }): [string, Step[]] => [id, wrongAtFirst(id)]),
    ...third.map(({ id }): [string, Step[]] => [id, smallTask(id)]),
  ]
  await using server = await ModelServer.open(Object.fromEntries(scripts))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const plan = rig.plan([...first, ...second, ...third])
  const four = makeSettings({ ...settings, maxConcurrency: 4 })
  await using doomed = new DoomedEngine(rig.top, plan, four, {}, environment)
  await untilHanging(server, CLIS.length)
  await doomed.kill()
  const run = await rig.resume({}, undefined, environment)
  server.release()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const { id } of plan.tasks) {
    assert.equal(rig.landedFile(outcome, `${id}.txt`), `by ${id}`)
    const { history } = run.task(id)
    assert.deepEqual(
      history.map((attempt) => attempt.outcome),
      ['changed'],
      `${id} was started once`,
    )
  }
  for (const { id } of second) assert.equal(run.task(id).history[0]?.iterations, 2, `the session of ${id} was resumed`)
  assertPaid(server, run.run.status().tasks)
})

test('an agent over ACP goes on when the engine was killed, and is taken over', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({ acp: inTheMiddle('acp') })
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  await using doomed = new DoomedEngine(
    rig.top,
    rig.plan([agentTask('acp', 'acp')]),
    makeSettings(settings),
    {},
    environment,
  )
  await untilHanging(server, 1)
  await doomed.kill()
  const run = await rig.resume({}, undefined, environment)
  server.release()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  assert.deepEqual(rig.landings(outcome), ['acp/1'])
  assert.equal(rig.landedFile(outcome, 'acp.txt'), 'by acp')
})

/** Says that it is done before it is. */
function wrongAtFirst(name: string): Step[] {
  return [{ do: 'run', command: `echo wrong > ${name}.txt` }, { do: 'say', text: 'Done.' }, ...smallTask(name)]
}

/** The model has asked for a command, and its next answer does not come yet. */
function inTheMiddle(name: string): Step[] {
  const [work, ...rest] = smallTask(name)
  return work ? [work, { do: 'wait' }, ...rest] : []
}
