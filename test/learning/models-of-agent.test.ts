// Which names are models of an agent, and of which tier.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkModels } from '../../src/engine/open/check-before-run.ts'
import { isKnownModel, tierNamed } from '../../src/learning/models-of-agent.ts'
import { makePlan, makeSettings } from '../rig/plan.ts'

const settings = makeSettings({
  prices: { 'house-model': { input: 1, output: 2 }, 'gpt-5': { input: 1, output: 2 } },
  agents: { codex: { tiers: ['gpt-5-mini', 'gpt-5'] }, gemini: { tiers: ['gpt-5-mini'] } },
})

for (const [agent, model, known] of [
  ['claude', 'claude-sonnet-4-5', true],
  ['claude', 'claude-opus-9', true],
  ['claude', 'opus', true],
  ['claude', 'gpt-5', false],
  ['claude', 'gemini-2.5-pro', false],
  ['claude', 'sonet', false],
  ['claude', 'house-model', true],
  ['codex', 'gpt-5.9-codex', true],
  ['codex', 'codex-mini-latest', true],
  ['codex', 'o4-mini', true],
  ['codex', 'opus', false],
  ['codex', 'claude-sonnet-4-5', false],
  ['gemini', 'gemini-3-pro', true],
  ['gemini', 'gpt-5', false],
  ['gemini', 'gpt-5-mini', true],
  ['opencode', 'anything/at-all', true],
] as const)
  test(`${model} is ${known ? 'a' : 'no'} model of ${agent}`, () => {
    assert.equal(isKnownModel(agent, model, settings), known)
  })

for (const [model, tier] of [
  ['gpt-5', 'gpt-5'],
  ['gpt-5-2025-08-07', 'gpt-5'],
  ['gpt-5-20250807', 'gpt-5'],
  ['gpt-5-latest', 'gpt-5'],
  ['gpt-5-mini-2025-08-07', 'gpt-5-mini'],
  ['gpt-5-pro', 'gpt-5-pro'],
  ['gpt-5.1', 'gpt-5.1'],
] as const)
  test(`${model} counts as ${tier}`, () => {
    assert.equal(tierNamed('codex', model, settings), tier)
  })

test('a model of somebody else is refused by name, with what to do', () => {
  const work = { kind: 'prompt', prompt: 'x', agent: 'claude', model: 'gpt-5' } as const
  const [problem, ...more] = checkModels(makePlan([{ id: 'a', work }]), settings)
  assert.match(problem?.message ?? '', /^no model `gpt-5` \(of a\) is known for claude; known: .*claude-….*tiers/)
  assert.deepEqual(more, [])
})
