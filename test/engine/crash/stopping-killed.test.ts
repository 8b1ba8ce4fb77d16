// An engine that dies after it has told an agent to end, and an agent that then does what many programs do: it leaves
// half of its work and says 0. The next engine comes to the end that was decided, and nothing of that lands.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { LayerSettings } from '../../../src/config.ts'
import type { FailureReason } from '../../../src/failure.ts'
import { requestCancel } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { FakeClaude } from '../../rig/fake-claude.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import type { Puppet } from '../../rig/stage.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** What makes the engine decide on it, once the agent is at work. */
type Ending = {
  task?: Partial<TaskDraft>
  settings?: LayerSettings
  cause?: (rig: Rig, puppet: Puppet) => Promise<unknown>
}

const ENDINGS: Partial<Record<FailureReason, Ending>> = {
  timeout: { task: { timeoutMs: 3_000 } },
  stalled: { settings: { stallAfterMs: 3_000, onStall: 'retry' } },
  budget: {
    task: { budgetUsd: 1 },
    cause: (_, puppet) => puppet.print(`${JSON.stringify({ type: 'usage', costUsd: 1.1 })}\n`),
  },
  cancelled: { cause: async (rig) => requestCancel(await workspaceAt(rig.top), { task: 'a' }) },
}

suite('killed after it has told an agent to end', { concurrency: true }, () => {
  for (const [reason, { task = {}, settings = {}, cause }] of Object.entries(ENDINGS))
    test(reason, async () => {
      await using rig = await Rig.open()
      const plan = rig.plan([{ id: 'a', ...task }])
      await using engine = new DoomedEngine(rig.top, plan, makeSettings({ graceMs: 60_000, ...settings }))
      const puppet = await rig.stage.next('a')
      await puppet.ignore('SIGTERM')
      await cause?.(rig, puppet)
      await engine.saw('attempt.stopping')
      await engine.kill()
      await puppet.deliver('half.txt')
      await until('its end', () => existsSync(join(rig.workOf(puppet), 'exit')))
      const run = await (await rig.resume({ stallAfterMs: 0 })).finish()
      assertEnded(rig, run, reason)
    })

  for (const isLogKept of [true, false])
    test(`agent-looping${isLogKept ? '' : ', and what it printed is partly gone'}`, async () => {
      await using rig = await Rig.open()
      const looping = await loopingAgent(rig)
      await using engine = new DoomedEngine(rig.top, rig.plan([looping.task]), makeSettings(looping.settings))
      await looping.told()
      await engine.kill()
      await looping.ends()
      const work = join(rig.state, 'runs', 'plan-1', 'a', '1', 'work')
      await until('its end', () => existsSync(join(work, 'exit')))
      const run = await (await rig.resume(isLogKept ? {} : { logs: { maxBytes: 1_024 } })).finish()
      assert.equal(existsSync(join(work, 'output.aab')), isLogKept)
      assertEnded(rig, run, 'agent-looping')
    })
})

test('interrupted after it has told a looping agent to end: what was decided first counts', async () => {
  await using rig = await Rig.open()
  const looping = await loopingAgent(rig)
  const started = await rig.start([looping.task], looping.settings)
  await looping.told()
  started.run.interrupt()
  await started.saw('attempt.stopping')
  await looping.ends()
  assertEnded(rig, await started.finish(), 'agent-looping')
})

/** Told to end, it takes the time it is given, leaves half of its work, and says that all is well. */
async function loopingAgent(rig: Rig) {
  const [told, gate] = [rig.repository.at('told'), rig.repository.at('gate')]
  // One call is enough to fill a file of its log.
  const calls = ['one', 'two', 'three', 'four'].map((word) => word.padEnd(2_000, '.'))
  const claude = await FakeClaude.open(rig, [{ calls, told, until: gate, writes: ['half.txt'], say: 'Done.' }])
  return {
    task: claude.task({ maxToolCalls: 3 }),
    settings: claude.settings({ graceMs: 60_000, logs: { chunkBytes: 1_024 } }),
    told: () => until('it to be told', () => existsSync(told)),
    ends: () => writeFile(gate, ''),
  }
}

function assertEnded(rig: Rig, run: Awaited<ReturnType<Rig['run']>>, reason: string): void {
  const { history } = run.task('a')
  assert.deepEqual(
    history.map(({ failure }) => failure?.reason),
    [reason],
  )
  assert.deepEqual(rig.landings(run.outcome), [])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/a/1:half.txt`).length > 0, true)
}
