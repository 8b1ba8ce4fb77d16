// Two real ACP agents, opencode and Gemini, behind the driver.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { LayerSettings } from '../../src/config.ts'
import type { TaskDraft } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'
import { type CliSetup, cliSetup, PATIENCE_MS, smallTask } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const AGENTS = ['opencode', 'gemini'] as const

test('opencode and Gemini land a small task each over ACP', async () => {
  await using rig = await Rig.open()
  // The check lets opencode pass only after it has gone on, in the same conversation. Gemini (0.61) cannot take one up in
  // the minute in which it began: it writes both to the same file.
  const twice = [...smallTask('opencode'), ...smallTask('again')]
  await using server = await ModelServer.open({ opencode: twice, gemini: smallTask('gemini') })
  const { settings, environment } = acpSetup(rig, server)
  const tasks = [acpTask('opencode', { iterations: 2, verify: ['test -f again.txt'] }), acpTask('gemini', {})]
  const run = await rig.start(tasks, settings, environment)
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const name of [...AGENTS, 'again']) assert.equal(rig.landedFile(outcome, `${name}.txt`), `by ${name}`)
  for (const name of AGENTS) {
    const [attempt] = run.task(name).history
    assert.match(attempt?.summary ?? '', /^I wrote (again|gemini)\.txt\.$/)
    assert.equal(attempt?.session?.agent, `acp:${name}`)
    assert.equal(attempt.session.model, settings.agents?.[name]?.model)
  }
  // To the cent, also of the second process; Gemini tells no cost.
  const cost = run.task('opencode').history[0]?.usage?.costUsd ?? 0
  assert.equal(cost.toFixed(9), costOf(server, 'opencode').toFixed(9))
})

test('a write outside its claims is denied while it can still be: `refused`, and the file is not there', async () => {
  await using rig = await Rig.open()
  const steps: Step[] = [
    { do: 'write', path: 'outside.txt', text: 'x' },
    { do: 'say', text: 'I could not.' },
  ]
  await using server = await ModelServer.open({ opencode: steps, gemini: steps })
  const { settings, environment } = acpSetup(rig, server)
  const tasks = AGENTS.map((name) => acpTask(name, { claims: { write: [`${name}.txt`], read: [] } }))
  const run = await rig.start(tasks, { ...settings, claims: 'enforce' }, environment)
  await run.finish()
  for (const name of AGENTS) {
    const [attempt] = run.task(name).history
    assert.equal(attempt?.outcome, 'refused', `${name}: ${JSON.stringify(attempt?.failure)}`)
    assert.match(attempt.failure?.message ?? '', /outside\.txt/)
  }
})

/** opencode asks for permission only where it is told to, and tells the cost only of models whose limits it knows. */
function acpSetup(rig: Rig, server: ModelServer): CliSetup {
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const config = JSON.parse(environment.OPENCODE_CONFIG_CONTENT ?? '{}')
  config.permission = { edit: 'ask', bash: 'ask' }
  config.provider.scripted.models.m.limit = { context: 200_000, output: 8_000 }
  const agents: LayerSettings['agents'] = {
    ...settings.agents,
    acp: {
      opencode: { ...settings.agents?.opencode, args: ['acp'] },
      gemini: { ...settings.agents?.gemini, args: ['--experimental-acp', '--skip-trust'] },
    },
  }
  const asking = { ...environment, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
  return { settings: { ...settings, agents }, environment: asking }
}

function acpTask(name: string, more: Partial<TaskDraft>): TaskDraft {
  const prompt = `Do the work of ${name}. [[script:${name}]]`
  return {
    id: name,
    work: { kind: 'prompt', prompt, agent: `acp:${name}`, model: null },
    timeoutMs: PATIENCE_MS,
    ...more,
  }
}

/** By the prices of the scripted model in the configuration of opencode. */
function costOf({ bill }: ModelServer, name: string): number {
  const tokens = bill.filter(({ script }) => script === name).map((one) => one.tokens)
  return tokens.reduce((sum, { input, output, cacheRead }) => sum + (input + 2 * output + 0.5 * cacheRead) / 1e6, 0)
}
