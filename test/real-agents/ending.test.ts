// However an agent ends, nothing of it goes on: also what its shell tool had started in a session of its own. And what it
// used until then is on the bill.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requestCancel } from '../../src/index.ts'
import { Rig, type Started } from '../rig/rig.ts'
import { until } from '../rig/until.ts'
import { workspaceAt } from '../rig/workspace-at.ts'
import { agentProcesses, commandOf } from './agent-processes.ts'
import { assertPaid } from './bill.ts'
import { ALL, agentTask, CLIS, cliSetup, PATIENCE_MS, smallTask, untilHanging } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const ENDLESS = 'tail -f /dev/null'

test('killed, it has crashed: what it left running is ended, and it is tried again', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(ALL.map((id) => [id, hostile(rig, id)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = ALL.map((id) => agentTask(id, id, { retries: 1 }))
  const run = await rig.start(tasks, settings, environment)
  await Promise.all(
    ALL.map(async (id) => {
      await until(`the command of ${id}`, () => existsSync(mark(rig, id)), PATIENCE_MS)
      await until(`what ${id} leaves running`, () => endless(run, id).length >= 3, PATIENCE_MS)
      // Its conversation goes on behind the answer it has had.
      server.script(id, [...smallTask(id).slice(0, 1), ...smallTask(id)])
      for (const pid of agentProcesses(run, id, 1)) process.kill(pid, 'SIGKILL')
    }),
  )
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const id of ALL) {
    const { history } = run.task(id)
    assert.deepEqual(
      history.map((attempt) => attempt.outcome),
      ['crashed', 'changed'],
      `${id}: ${JSON.stringify(history)}`,
    )
    assert.deepEqual(run.processes(id, 1), [])
    assert.equal(rig.landedFile(outcome, `${id}.txt`), `by ${id}`)
  }
})

test('cancelled while their models say nothing: no process is left, and every answer is on the bill', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(ALL.map((id) => [id, silent(id)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = ALL.map((id) => agentTask(id, id))
  const run = await rig.start(tasks, settings, environment)
  await untilHanging(server, ALL.length)
  assert.ok((await requestCancel(await workspaceAt(rig.top))).ok)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'cancelled')
  for (const id of ALL) {
    assert.equal(run.task(id).history[0]?.outcome, 'cancelled', id)
    assert.deepEqual(run.processes(id, 1), [], id)
  }
  assertPaid(
    server,
    CLIS.map((cli) => run.task(cli)),
  )
})

test('out of time in the middle of a command: no process is left', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(ALL.map((id) => [id, hostile(rig, id)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = ALL.map((id) => agentTask(id, id, { timeoutMs: 10_000 }))
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  for (const id of ALL) {
    assert.equal(run.task(id).history[0]?.outcome, 'timeout', id)
    assert.deepEqual(run.processes(id, 1), [], id)
  }
})

/** A command that leaves a process in its group, one in a session of its own, and does not end. */
function hostile(rig: Rig, id: string): Step[] {
  const command = `${ENDLESS} & setsid ${ENDLESS} & echo > '${mark(rig, id)}'; ${ENDLESS}`
  // Codex does not wait for a command for ever: it asks its model what to do about it.
  return [{ do: 'run', command }, { do: 'hang' }]
}

/** There once the command of that task runs: to look for its processes all the time would slow down what is waited for. */
function mark(rig: Rig, id: string): string {
  return join(rig.repository.path, `runs-${id}`)
}

function silent(id: string): Step[] {
  return [{ do: 'run', command: `echo 1 > ${id}.txt` }, { do: 'hang' }]
}

function endless(run: Started, task: string): number[] {
  return run.processes(task, 1).filter((pid) => commandOf(pid).startsWith(ENDLESS))
}
