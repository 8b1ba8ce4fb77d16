// Which models there are, how they did, and what was chosen.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { readModels } from '../../../src/engine/expertise/model-records.ts'
import { readSessions, report } from '../../../src/index.ts'
import type { ModelChoice } from '../../../src/learning-records.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { knowing, stateOf, storeOf } from '../../learning/known.ts'
import { experienceOf } from '../../learning/sample.ts'
import { attemptOf } from '../../reports/sample.ts'
import { FakeClaude } from '../../rig/fake-claude.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { event, newRun, summary, view } from '../../store/contract.ts'

const CHOICE: ModelChoice = {
  ...{ model: 'small', tier: 1, tiers: 2, why: 'easy', success: 0.9, expectedUsd: 0.1, dearestUsd: 9 },
  dearestPrice: { input: 0, output: 1, cacheRead: 0, cacheWrite: 0 },
}

async function models({ top }: TestRepository, settings = makeSettings()) {
  const read = await readModels(await workspaceAt(top), { settings })
  assert.ok(read.ok, JSON.stringify(read))
  return read.value
}

test('the tiers of every agent are known before anything has run, with dated prices', async () => {
  await using repository = await makeRepository()
  const settings = makeSettings({
    prices: { 'claude-opus-5-5': { input: 7, output: 8 } },
    agents: { acp: { goose: { program: 'goose', tiers: ['unheard-of'] } } },
  })
  const { agents, pricesDated, newest, saved } = await models(repository, settings)
  assert.match(pricesDated, /^\d{4}-\d\d-\d\d$/)
  assert.deepEqual(
    agents.map(({ agent }) => agent),
    ['claude', 'codex', 'gemini', 'acp:goose'],
  )
  assert.deepEqual(
    agents[0]?.tiers.map(({ model, pricedBy }) => [model, pricedBy]),
    [
      ['claude-haiku-5-5', 'list'],
      ['claude-sonnet-5-5', 'list'],
      ['claude-opus-5-5', 'settings'],
    ],
  )
  assert.deepEqual(agents[0]?.tiers[2]?.price, { input: 7, output: 8 })
  assert.deepEqual(agents[3]?.tiers, [{ model: 'unheard-of', price: null, pricedBy: null }])
  assert.deepEqual([newest, saved.runs], [null, 0])
  assert.ok(!existsSync(stateOf(repository)))
})

test('what became of attempts is told by model and kind of task', async () => {
  await using repository = await knowing([])
  await using store = await storeOf(repository)
  const experiences = [
    experienceOf({ model: 'small', complexity: 0.1, costUsd: 1, durationMs: 10 }),
    experienceOf({ model: 'small', complexity: 0.3, costUsd: 0, durationMs: 20, succeeded: false }),
    experienceOf({ model: 'small', complexity: 0.35 }),
    experienceOf({ model: 'small', complexity: 1, domain: 'aaa' }),
    experienceOf({ agent: 'command', model: null, costUsd: 0 }),
    experienceOf({ agent: 'run', model: null }),
  ].map((one, at) => ({ ...one, task: `t${at}` }))
  await store.learn(() => ({ touched: [], experiences }))
  const { agents } = await models(repository)
  const ofClaude = agents.find(({ agent }) => agent === 'claude')?.records
  assert.deepEqual(
    ofClaude?.map(({ domain, complexity }) => [domain, complexity]),
    [
      ['aaa', 'high'],
      ['api', 'low'],
      ['api', 'medium'],
    ],
  )
  const low = { model: 'small', domain: 'api', complexity: 'low', attempts: 2, succeeded: 1, meanUsd: 1, meanMs: 15 }
  assert.deepEqual(ofClaude?.[1], low)
  assert.equal(agents.find(({ agent }) => agent === 'command')?.records[0]?.meanUsd, null)
  assert.ok(!agents.some(({ agent }) => agent === 'run'))
})

test('the choices of the newest run that made some, and what all of them saved', async () => {
  await using repository = await knowing([])
  await using store = await storeOf(repository)
  for (const [run, costUsd] of [['r1', 0.25] as const, ['r2', 0.5] as const, ['r3', null] as const]) {
    const usage = { ...NO_USAGE, outputTokens: 1_000_000, costUsd: costUsd ?? 0 }
    const history = costUsd === null ? [] : [attemptOf({ agent: 'claude', choice: CHOICE, usage })]
    await store.createRun(newRun(run, Number(run.slice(1))))
    await store.append(run, [event(1)], { run: summary(run, 1), tasks: [{ ...view('a', 'landed'), history }] })
  }
  const { newest, saved } = await models(repository)
  assert.deepEqual([newest?.run, newest?.choices.length, newest?.saved.savedUsd], ['r2', 1, 0.5])
  assert.deepEqual(saved, { tasks: 2, costUsd: 0.75, dearestUsd: 2, savedUsd: 1.25, runs: 2 })
})

test('a whole run: every choice is told with its reason, its cost and what it saved', async () => {
  await using rig = await Rig.open()
  const play = { sh: 'echo $ESPALIER_ATTEMPT > a.txt', say: 'Written.', costUsd: 0.01, tokens: 10_000 }
  const claude = await FakeClaude.open(rig, [play])
  const work = { kind: 'prompt', prompt: 'Fix the typo in a.txt.', agent: 'claude', model: 'auto' } as const
  const run = await rig.run([claude.task({ work, verify: ['grep 2 a.txt'], retries: 1 })], claude.settings())
  const { newest, agents } = await models(rig.repository, makeSettings(claude.settings()))
  assert.deepEqual(
    newest?.choices.map(({ attempt, model, succeeded, costUsd }) => [attempt, model, succeeded, costUsd]),
    [
      [1, 'claude-haiku-5-5', false, 0.01],
      [2, 'claude-sonnet-5-5', true, 0.01],
    ],
  )
  assert.deepEqual(
    agents[0]?.records.map(({ model, attempts, succeeded }) => [model, attempts, succeeded]),
    [
      ['claude-haiku-5-5', 1, 0],
      ['claude-sonnet-5-5', 1, 1],
    ],
  )
  assert.ok((newest?.saved.dearestUsd ?? 0) > 0)
  const sessions = await readSessions(await workspaceAt(rig.top), { run: run.id })
  assert.ok(sessions.ok)
  assert.equal(sessions.value[1]?.choice?.why, 'claude-haiku-5-5 failed before')
  const made = await report(await workspaceAt(rig.top), { format: 'md' })
  assert.ok(made.ok)
  assert.match(made.value.text, /## Models\n\n1 task cost \$0\.02\. [\s\S]*\| a\/2 \| claude-sonnet-5-5 \(2 of 3\) \|/)
  assert.match(made.value.text, /## What was learned\n\n\d lessons? learned or seen again/)
})
