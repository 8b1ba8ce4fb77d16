// One provider lets nobody work for three seconds, while the agents of the others are at work: those go on at their own
// pace, and who was limited goes on as soon as it may.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, CLIS, type Cli, cliSetup, smallTask, untilHanging } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const LIMIT_S = 3
/** From the refusal to the answer. */
const MOST_DELAY_MS = 5_000
const NOTHING: Step = { do: 'run', command: 'true' }

// Gemini never asks again in less than five seconds, whatever it is told.
for (const limited of ['claude', 'codex', 'opencode'] as const) {
  test(`${limited} is limited: no retry is used up, it goes on in time, and nobody else waits`, async (t) => {
    await using rig = await Rig.open()
    await using server = await ModelServer.open(Object.fromEntries(CLIS.map((cli) => [cli, script(cli, limited)])))
    const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
    const run = await rig.start(
      CLIS.map((cli) => agentTask(cli, cli, { retries: 0 })),
      settings,
      environment,
    )
    // All are in the middle of their work when the limit begins.
    await untilHanging(server, CLIS.length)
    server.release()
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
    for (const cli of CLIS)
      assert.deepEqual(
        run.task(cli).history.map((attempt) => attempt.outcome),
        ['changed'],
        cli,
      )

    const delayMs = server.waited(limited)
    const slackMs = paceMs(server, limited, 0)
    t.diagnostic(`${limited} went on after ${delayMs} ms; between two answers it takes ${slackMs} ms`)
    assert.equal(server.failed(limited), 1)
    assert.ok(delayMs >= LIMIT_S * 1000, `${limited} did as it was told`)
    assert.ok(delayMs <= MOST_DELAY_MS + slackMs, `${limited} went on after ${delayMs} ms`)

    for (const cli of CLIS.filter((one) => one !== limited)) {
      const [before, during] = [paceMs(server, cli, 0), paceMs(server, cli, 1)]
      t.diagnostic(`${cli} asked again after ${during} ms, before the limit after ${before} ms`)
      // Had it waited with the other, it would have asked after that one at the earliest.
      assert.ok(during < delayMs || during < NOISE * before, `${cli} went on: ${server.story}`)
    }
    assertPaid(
      server,
      CLIS.map((cli) => run.task(cli)),
    )
  })
}

/** Machines are busy: what counts is that it is no multiple. */
const NOISE = 3

function script(cli: Cli, limited: Cli): Step[] {
  const [work, said] = smallTask(cli)
  assert.ok(work && said)
  const limit: Step[] = cli === limited ? [{ do: 'fail', status: 429, retryAfterS: LIMIT_S }] : []
  return [NOTHING, { do: 'wait' }, ...limit, work, said]
}

/** How long it took it to use the tool of this answer and to ask again. */
function paceMs(server: ModelServer, cli: Cli, answer: number): number {
  const answered = server.bill.filter(({ script }) => script === cli)[answer]
  const next = server.asked.find(({ script, step }) => script === cli && step > (answered?.step ?? Infinity))
  return answered && next ? next.at - answered.at : assert.fail(`${cli} did not ask again: ${server.story}`)
}
