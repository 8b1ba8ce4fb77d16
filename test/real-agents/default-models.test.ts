// What is written down of models (src/agents/NAME/facts.ts) is what the programs of today do: which model they use when they are
// told none, which they offer, and what those cost.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AGENTS as FACTS } from '../../src/agents/list.ts'
import type { LayerSettings } from '../../src/config.ts'
import { PRICES } from '../agents/list-prices.ts'
import { Rig } from '../rig/rig.ts'
import { assertPaid } from './bill.ts'
import { agentTask, type Cli, cliSetup, smallTask } from './cli-rig.ts'
import { ModelServer } from './model-server.ts'

const AGENTS = ['claude', 'codex', 'gemini'] as const

test('told no model, each uses the one that is written down, and its cost is known', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open(Object.fromEntries(AGENTS.map((name) => [name, smallTask(name)])))
  const { settings, environment } = cliSetup({ home: join(rig.repository.path, 'home'), url: server.url })
  const run = await rig.start(
    AGENTS.map((name) => agentTask(name, name)),
    withoutModels(settings),
    environment,
  )
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  for (const name of AGENTS) {
    const used = new Set(server.bill.filter(({ script }) => script === name).map(({ model }) => model))
    const model = run.task(name).history[0]?.session?.model
    if (FACTS[name].defaultModel === 'auto') assert.ok(used.has(model ?? ''), `${name}: ${model} of ${[...used]}`)
    else assert.deepEqual([model, [...used]], [FACTS[name].defaultModel, [FACTS[name].defaultModel]])
  }
  assertPaid(
    server,
    AGENTS.map((name) => run.task(name)),
  )
})

test('the first model that codex offers is its default, and all that it offers have a price', () => {
  const { models } = JSON.parse(output('codex', ['debug', 'models', '--bundled'])) as { models: CodexModel[] }
  const offered = models.filter(({ visibility }) => visibility === 'list').toSorted((a, b) => a.priority - b.priority)
  const names = offered.map(({ slug }) => slug)
  assert.equal(names[0], FACTS.codex.defaultModel)
  assert.deepEqual(
    [...names, ...FACTS.codex.tiers].filter((name) => !PRICES[name]),
    [],
    'have no price',
  )
  assert.deepEqual(
    FACTS.codex.tiers.filter((name) => !names.includes(name)),
    [],
    'are not offered',
  )
})

type CodexModel = { slug: string; priority: number; visibility: string }

test('prices are those of the list that opencode comes with', () => {
  const listed = opencodePrices()
  const compared = Object.keys(PRICES).filter((name) => listed.has(name))
  // A list that is empty, or written in another way, would agree with everything.
  for (const provider of ['claude-', 'gpt-', 'gemini-'])
    assert.ok(compared.filter((name) => name.startsWith(provider)).length >= 4, `${provider}: ${compared}`)
  for (const name of compared) {
    const { input, output: out, cacheRead, cacheWrite } = PRICES[name] ?? assert.fail()
    const { input: listedInput, output: listedOutput, cache } = listed.get(name) ?? assert.fail()
    // It writes 0 where nothing can be read from a cache.
    const read = cache.read === 0 ? cacheRead : cache.read
    assert.deepEqual([input, out, cacheRead, cacheWrite], [listedInput, listedOutput, read, cache.write], name)
  }
})

type Listed = { id: string; cost: { input: number; output: number; cache: { read: number; write: number } } }

/** It prints `provider/model`, and below it what it knows of it as JSON over several lines. */
function opencodePrices(): Map<string, Listed['cost']> {
  const keys = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', GOOGLE_GENERATIVE_AI_API_KEY: 'none' }
  const text = output('opencode', ['models', '--verbose'], { ...keys, OPENCODE_DISABLE_MODELS_FETCH: '1' })
  const entries = text.split(/^(?:anthropic|openai|google|opencode)\/\S+$/m).slice(1)
  return new Map(entries.map((entry) => JSON.parse(entry) as Listed).map(({ id, cost }) => [id, cost]))
}

function output(cli: Cli, args: string[], env: NodeJS.ProcessEnv = {}): string {
  const home = mkdtempSync(join(tmpdir(), 'espalier-models-'))
  try {
    const clis = process.env.AGENT_CLIS ?? assert.fail('run these tests with `npm run test:agents`')
    const program = join(clis, cli, 'node_modules', '.bin', cli)
    // Into a file: opencode ends before a pipe has taken all of it.
    const path = join(home, 'output')
    const own = { PATH: process.env.PATH, HOME: home, ...env }
    execFileSync(program, args, { stdio: ['ignore', openSync(path, 'w'), 'ignore'], env: own })
    return readFileSync(path, 'utf8')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function withoutModels(settings: LayerSettings): LayerSettings {
  const { claude, codex, gemini } = settings.agents ?? {}
  const agents = {
    claude: { ...claude, model: null },
    codex: { ...codex, model: null },
    gemini: { ...gemini, model: null },
  }
  return { ...settings, agents: { ...settings.agents, ...agents } }
}
