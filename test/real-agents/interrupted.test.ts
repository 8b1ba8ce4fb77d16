// Work that is interrupted is continued: in the same conversation, in the same files, and at most one answer of the model
// is paid for twice. The script of a task runs a command in each step, so what was begun again would show in its file.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { kill, processesOf } from '../../scripts/chaos/processes.ts'
import type { AttemptView } from '../../src/view.ts'
import { DoomedEngine } from '../rig/doomed-engine.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig, type Started } from '../rig/rig.ts'
import { until } from '../rig/until.ts'
import { agentProcesses } from './agent-processes.ts'
import { assertPaid } from './bill.ts'
import { agentTask, CLIS, type Cli, cliSetup, PATIENCE_MS } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

/** How often each of them is interrupted; `INTERRUPTIONS=20 npm run test:agents -- interrupted` is the whole bar. */
const TIMES = Number(process.env.INTERRUPTIONS ?? 1)

for (const status of [429, 529])
  test(`limited (${status}) in the middle of its work, ${TIMES} times: it continues where it was`, async (t) => {
    await using rig = await Rig.open()
    // Longer than its patience: so it is ended, and continues after the pause.
    const limit: Step = { do: 'fail', status, ...(status === 429 ? { retryAfterS: 3 } : {}), times: 1_000 }
    await using server = await ModelServer.open({})
    const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
    for (const cli of CLIS) server.script(cli, work(cli, Array(TIMES).fill(limit)))
    const agents = Object.fromEntries(CLIS.map((cli) => [cli, { ...settings.agents?.[cli], patienceMs: 500 }]))
    const run = await rig.start(
      CLIS.map((cli) => agentTask(cli, cli)),
      { ...settings, agents: { ...settings.agents, ...agents } },
      environment,
    )
    await eachTime(async (cli, attempt) => {
      await until(`${cli} is limited`, () => run.task(cli).history[attempt - 1]?.finishedAt, PATIENCE_MS)
      server.pass(cli)
    })
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
    for (const cli of CLIS) assertContinued(t, { rig, run, server, cli, outcomes: 'rate-limited' })
  })

test(`killed in the middle of its work, ${TIMES} times: it continues where it was`, async (t) => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({})
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  for (const cli of CLIS) server.script(cli, work(cli, Array(TIMES).fill({ do: 'hang' })))
  const tasks = CLIS.map((cli) => agentTask(cli, cli, { retries: TIMES }))
  const run = await rig.start(tasks, { ...settings, backoff: { initialMs: 1, maxMs: 10 } }, environment)
  await eachTime(async (cli, attempt) => {
    const asks = () => server.hangs(cli) && isAttempt(run, cli, attempt)
    await until(`${cli} asks in attempt ${attempt}: ${server.story}`, asks, PATIENCE_MS)
    server.pass(cli)
    for (const pid of agentProcesses(run, cli, attempt)) process.kill(pid, 'SIGKILL')
    await until(`attempt ${attempt} of ${cli} ends`, () => !isAttempt(run, cli, attempt), PATIENCE_MS)
  })
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const cli of CLIS) assertContinued(t, { rig, run, server, cli, outcomes: 'crashed' })
})

test(`out of the run's money in the middle of its work, ${TIMES} times: it continues where it was`, async (t) => {
  await using server = await ModelServer.open({})
  // A run for each of them: a budget of all would end the others, too.
  const played = await Promise.allSettled(CLIS.map((cli) => playBudget(t, server, cli)))
  for (const one of played) if (one.status === 'rejected') throw one.reason
})

async function playBudget(t: Diagnostic, server: ModelServer, cli: Cli): Promise<void> {
  await using rig = await Rig.open()
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  server.script(cli, work(cli, Array(TIMES).fill({ do: 'hang' })))
  let run = await rig.start(
    [agentTask(cli, cli)],
    { ...settings, budgetUsd: LITTLE_USD, onBudget: 'stop' },
    environment,
  )
  for (let attempt = 1; attempt <= TIMES; attempt++) {
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'waiting', `${cli}: ${JSON.stringify(outcome.failures)} ${server.story}`)
    server.pass(cli)
    const budgetUsd = attempt === TIMES ? null : (outcome.costUsd ?? 0) + LITTLE_USD
    run = await rig.resume({ budgetUsd }, undefined, environment)
  }
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', `${cli}: ${JSON.stringify(outcome.failures)}`)
  assertContinued(t, { rig, run, server, cli, outcomes: 'budget' })
}

/** Less than any answer costs. */
const LITTLE_USD = 0.000_1

test(`the machine loses its power in the middle of its work, ${TIMES} times: it continues where it was`, async (t) => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({})
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  for (const cli of CLIS) server.script(cli, work(cli, Array(TIMES).fill({ do: 'hang' })))
  const plan = rig.plan(CLIS.map((cli) => agentTask(cli, cli)))
  for (let time = 1; time <= TIMES; time++) {
    await using engine = new DoomedEngine(
      rig.top,
      time === 1 ? plan : null,
      makeSettings(settings),
      {},
      { ...environment, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    )
    const isAsking = () => CLIS.every((cli) => server.hangs(cli))
    await until(`all of them ask, time ${time}`, isAsking, PATIENCE_MS).catch((error) => {
      assert.fail(`${error}: ${server.story}`)
    })
    // Supervisors first: nobody is given the time to write anything down.
    const left = () => processesOf(rig.repository.path)
    for (const { pid } of left().filter(({ kind }) => kind === 'supervisor')) kill(pid)
    await engine.kill()
    for (const { pid } of left()) kill(pid)
    await until('nobody is left', () => left().length === 0 && server.hanging === 0, PATIENCE_MS)
    for (const cli of CLIS) server.pass(cli)
  }
  const run = await rig.resume({}, undefined, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const cli of CLIS) assertContinued(t, { rig, run, server, cli, outcomes: 'crashed' })
})

async function eachTime(interrupt: (cli: Cli, attempt: number) => Promise<void>): Promise<void> {
  await Promise.all(
    CLIS.map(async (cli) => {
      for (let attempt = 1; attempt <= TIMES; attempt++) await interrupt(cli, attempt)
    }),
  )
}

/** A step before each trouble and one after the last, each of which adds a line to the same file. */
function work(cli: Cli, troubles: Step[]): Step[] {
  const add = (line: number): Step => ({ do: 'run', command: `echo ${line} >> ${cli}.txt` })
  const steps = troubles.flatMap((trouble, index) => [add(index + 1), trouble])
  return [...steps, add(troubles.length + 1), { do: 'say', text: 'It is all done.' }]
}

type Found = { rig: Rig; run: Started; server: ModelServer; cli: Cli; outcomes: AttemptView['outcome'] }

type Diagnostic = { diagnostic(message: string): void }

function assertContinued(t: Diagnostic, { rig, run, server, cli, outcomes }: Found): void {
  const { history } = run.task(cli)
  assert.deepEqual(
    history.map(({ outcome }) => outcome),
    [...Array(TIMES).fill(outcomes), 'changed'],
    `${cli}: ${JSON.stringify(history)} ${server.story}`,
  )
  assert.equal(new Set(history.map(({ session }) => session?.id)).size, 1, `${cli} has one conversation`)
  const steps = server.bill.filter(({ script }) => script === cli).map(({ step }) => step)
  const twice = steps.length - new Set(steps).size
  const wanted = Array.from({ length: TIMES + 1 }, (_, index) => String(index + 1))
  const lines = rig.landedFile(run.run.status(), `${cli}.txt`)?.split('\n') ?? []
  // The answer that uses a budget up may ask for a command that is not run any more. A model would ask for it again: it is
  // told that it was cut off. The one of these tests goes by the number of its answers.
  const isCutOff = (line: string) => outcomes === 'budget' && line !== wanted.at(-1) && !lines.includes(line)
  assert.deepEqual(
    [...new Set(lines)],
    wanted.filter((line) => !isCutOff(line)),
    `${cli} did everything`,
  )
  // One that is killed before it has written an answer down does not know that it had it.
  assert.ok(lines.length - wanted.length <= twice, `${cli} did something twice: ${lines}`)
  t.diagnostic(`${cli}: ${TIMES} interruptions, ${steps.length} answers, ${twice} of them paid for twice`)
  assert.ok(twice <= TIMES, `${cli} paid twice for ${twice} answers`)
  assertPaid(server, [run.task(cli)])
}

function isAttempt(run: Started, task: string, attempt: number): boolean {
  const { status, history } = run.task(task)
  return status === 'running' && history.length === attempt
}
