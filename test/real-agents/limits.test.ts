// A provider that lets nobody work for a while: for a short while the program waits by itself, for a longer one the
// engine does, and others get the slot. Neither uses up a retry: these tasks have none.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { ALL, agentTask, CLIS, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const SHORT_S = 3
const LIMITED: Step = { do: 'fail', status: 429, retryAfterS: SHORT_S }
/** Longer than any of them may wait by itself in that test. */
const LONG: Step = { do: 'fail', status: 429, retryAfterS: 20 }
const PATIENCE_MS = 10_000

test('a limit of three seconds is waited for: nothing is begun anew, and every token is on the bill', async (t) => {
  await using rig = await Rig.open()
  const scripts = ALL.map((id): [string, Step[]] => {
    const [work, said] = smallTask(id)
    return [id, work && said ? [work, LIMITED, said] : []]
  })
  await using server = await ModelServer.open(Object.fromEntries(scripts))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = ALL.map((id) => agentTask(id, id))
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const id of ALL) {
    assert.equal(server.failed(id), 1, `${id} was limited`)
    assert.ok(server.waited(id) >= SHORT_S * 1000, `${id} did as it was told`)
    t.diagnostic(`${id} asked again after ${(server.waited(id) / 1000).toFixed(1)} s`)
    assert.deepEqual(
      run.task(id).history.map((attempt) => attempt.outcome),
      ['changed'],
      id,
    )
  }
  assertPaid(
    server,
    CLIS.map((cli) => run.task(cli)),
  )
})

test('who has to wait longer gives up its slot, and begins again when its provider lets it', async () => {
  await using rig = await Rig.open()
  const scripts = CLIS.map((cli): [string, Step[]] => [cli, [LONG, ...smallTask(cli)]])
  await using server = await ModelServer.open(Object.fromEntries(scripts))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const others = ['one', 'two', 'three', 'four'].map((id) => ({ id, run: `echo ${id} > ${id}.txt`, priority: -1 }))
  const tasks = [...CLIS.map((cli) => agentTask(cli, cli)), ...others]
  const agents = Object.fromEntries(CLIS.map((cli) => [cli, { ...settings.agents?.[cli], patienceMs: PATIENCE_MS }]))
  const patient = { ...settings, agents: { ...settings.agents, ...agents }, maxConcurrency: 4 }
  const run = await rig.start(tasks, patient, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  const secondStarts = CLIS.map((cli) => {
    const { history } = run.task(cli)
    assert.deepEqual(
      history.map((attempt) => attempt.outcome),
      ['rate-limited', 'changed'],
      `${cli}: ${JSON.stringify(history)}`,
    )
    assert.equal(rig.landedFile(outcome, `${cli}.txt`), `by ${cli}`)
    return history[1]?.startedAt ?? 0
  })
  for (const { id } of others) {
    const finishedAt = run.task(id).history[0]?.finishedAt ?? Number.POSITIVE_INFINITY
    assert.ok(finishedAt < Math.min(...secondStarts), `${id} did not wait for somebody else's provider`)
  }
})
