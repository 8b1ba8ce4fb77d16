// ACP agents on the real engine: a real agent process behind the real driver, under a supervisor.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LayerSettings } from '../../../src/config.ts'
import { openRun } from '../../../src/index.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { type AcpStep, SCRIPTED_ACP_AGENT } from '../../agents/scripted-acp-agent.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const SETTINGS: LayerSettings = {
  agents: {
    acp: { scripted: { program: process.execPath, args: [SCRIPTED_ACP_AGENT, 'load', 'option'], model: 'second' } },
  },
}

function acpTask(id: string, steps: AcpStep[], more: Partial<TaskDraft> = {}): TaskDraft {
  const work = { kind: 'prompt' as const, prompt: JSON.stringify(steps), agent: 'acp:scripted', model: null }
  return { id, work, ...more }
}

test('an ACP agent lands its work, with its session and what it cost', async () => {
  await using rig = await Rig.open()
  const steps: AcpStep[] = [
    { do: 'write', path: 'a.txt', text: 'by acp' },
    { do: 'cost', usd: 0.5 },
    { do: 'say', text: 'I wrote a.txt.' },
  ]
  const run = await rig.run([acpTask('a', steps)], SETTINGS)
  assert.equal(rig.landedFile(run.outcome, 'a.txt'), 'by acp')
  const [attempt] = run.task('a').history
  assert.equal(attempt?.summary, 'I wrote a.txt.')
  assert.deepEqual(attempt.usage, { ...NO_USAGE, costUsd: 0.5 })
  const session = { agent: 'acp:scripted', id: 'conversation-1', model: 'second', messages: 1, toolCalls: 1 }
  assert.deepEqual({ ...attempt.session, ...session }, attempt.session)
  assert.ok(run.all('attempt.progress').some(({ message }) => message.includes('Write a.txt')))
})

test('with claims enforced a write outside is denied: refused without another way, landed with one', async () => {
  await using rig = await Rig.open()
  const outside: AcpStep = { do: 'write', path: 'docs/x.md', text: 'no' }
  const claims = (path: string) => ({ claims: { write: [path], read: [] } })
  const tasks = [
    acpTask('gives-up', [outside], claims('a.txt')),
    acpTask('finds-a-way', [outside, { do: 'write', path: 'b.txt', text: 'yes' }], claims('b.txt')),
  ]
  const run = await rig.run(tasks, { ...SETTINGS, claims: 'enforce' })
  const [given] = run.task('gives-up').history
  assert.equal(given?.outcome, 'refused')
  assert.match(given.failure?.message ?? '', /docs\/x\.md/)
  assert.equal(run.task('finds-a-way').status, 'landed')
  assert.equal(rig.landedFile(run.outcome, 'b.txt'), 'yes')
  assert.equal(rig.landedFile(run.outcome, 'docs/x.md'), null)
})

test('an agent that is asked to go on does so in its conversation, and is billed once for it', async () => {
  await using rig = await Rig.open()
  const later: AcpStep[] = [
    { do: 'write', path: 'second.txt', text: 'two' },
    { do: 'cost', usd: 0.7 },
  ]
  const steps: AcpStep[] = [
    { do: 'write', path: 'first.txt', text: 'one' },
    { do: 'cost', usd: 0.4 },
    { do: 'later', steps: later },
  ]
  const run = await rig.run([acpTask('a', steps, { verify: ['test -f second.txt'], iterations: 2 })], SETTINGS)
  assert.equal(rig.landedFile(run.outcome, 'second.txt'), 'two')
  assert.equal(run.task('a').history[0]?.usage?.costUsd, 0.7)
})

test('an agent that cannot take up a conversation begins another, is told all of it, and each is on the bill', async () => {
  await using rig = await Rig.open()
  const settings = structuredClone(SETTINGS)
  if (settings.agents?.acp?.scripted) settings.agents.acp.scripted.args = [SCRIPTED_ACP_AGENT, 'option']
  const steps: AcpStep[] = [
    { do: 'write', path: 'a.txt', text: 'one' },
    { do: 'cost', usd: 0.4 },
  ]
  const twice = 'echo >> "$ESPALIER_LOG_DIR/looked"; test $(wc -l < "$ESPALIER_LOG_DIR/looked") = 2'
  const run = await rig.run([acpTask('a', steps, { verify: [twice], iterations: 2 })], settings)
  assert.equal(rig.landedFile(run.outcome, 'a.txt'), 'one', JSON.stringify(run.task('a').history[0]?.failure))
  assert.equal(run.task('a').history[0]?.iterations, 2)
  assert.equal(run.task('a').history[0]?.usage?.costUsd, 0.8)
})

test('an ACP agent that is not named in the settings, or not installed, is an error before anything starts', async () => {
  await using rig = await Rig.open()
  const messageFor = async (settings: LayerSettings) => {
    const opened = await openRun(await workspaceAt(rig.top), {
      plan: rig.plan([acpTask('a', [])]),
      settings: makeSettings(settings),
    })
    assert.ok(!opened.ok)
    return opened.problems.map(({ message }) => message).join('\n')
  }
  assert.match(await messageFor({}), /no such agent: acp:scripted \(of a\).*agents\.acp/)
  const missing = { agents: { acp: { scripted: { program: 'no-such-program', args: [], model: null } } } }
  assert.match(await messageFor(missing), /no program `no-such-program`.*`agents\.acp\.scripted\.program`/)
})
