// However an agent ends, nothing of it goes on: also what its shell tool had started in a session of its own.
import assert from 'node:assert/strict'
import { readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requestCancel } from '../../src/index.ts'
import { Rig, type Started } from '../rig/rig.ts'
import { until } from '../rig/until.ts'
import { agentTask, CLIS, cliSetup, PATIENCE_MS, smallTask } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

/** A command that leaves a process in its group, one in a session of its own, and does not end. */
const ENDLESS = 'tail -f /dev/null'
const HOSTILE: Step[] = [
  { do: 'run', command: `${ENDLESS} & setsid ${ENDLESS} & ${ENDLESS}` },
  // Codex does not wait for a command for ever: it asks its model what to do about it.
  { do: 'hang' },
]

test('an agent that is killed has crashed: what it left running is ended, and it is tried again', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, HOSTILE])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli, { retries: 1 }))
  const run = await rig.start(tasks, settings, environment)
  await run.saw('run.started')
  await Promise.all(
    CLIS.map(async (cli) => {
      await until(`the command of ${cli}`, () => endless(run, cli).length >= 3, PATIENCE_MS)
      server.script(cli, smallTask(cli))
      for (const pid of run.processes(cli, 1).filter(isAgent)) process.kill(pid, 'SIGKILL')
    }),
  )
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const cli of CLIS) {
    const { history } = run.task(cli)
    assert.deepEqual(
      history.map((attempt) => attempt.outcome),
      ['crashed', 'changed'],
      `${cli}: ${JSON.stringify(history)}`,
    )
    assert.deepEqual(run.processes(cli, 1), [])
    assert.equal(rig.landedFile(outcome, `${cli}.txt`), `by ${cli}`)
  }
})

test('cancelled while their models say nothing: no process is left', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, [{ do: 'hang' }]])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli))
  const run = await rig.start(tasks, settings, environment)
  await until('all four to have asked', () => server.hanging >= CLIS.length, PATIENCE_MS)
  assert.ok((await requestCancel({ repo: rig.top })).ok)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'cancelled')
  for (const cli of CLIS) {
    assert.equal(run.task(cli).history[0]?.outcome, 'cancelled', cli)
    assert.deepEqual(run.processes(cli, 1), [], cli)
  }
})

test('out of time in the middle of a command: no process is left', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, HOSTILE])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const tasks = CLIS.map((cli) => agentTask(cli, cli, { timeoutMs: 10_000 }))
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'failed')
  for (const cli of CLIS) {
    assert.equal(run.task(cli).history[0]?.outcome, 'timeout', cli)
    assert.deepEqual(run.processes(cli, 1), [], cli)
  }
})

function endless(run: Started, task: string): number[] {
  return run.processes(task, 1).filter((pid) => commandOf(pid).startsWith(ENDLESS))
}

/** The program itself, or the Node that runs it: not the shell that watches over it, nor what its tools started. */
function isAgent(pid: number): boolean {
  const clis = process.env.AGENT_CLIS ?? ''
  const program = programOf(pid)
  return program.startsWith(clis) || (program.endsWith('/node') && commandOf(pid).includes(clis))
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return '' // it is gone
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
