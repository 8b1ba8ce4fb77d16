import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LayerSettings } from '../../../src/config.ts'
import { unpriced } from '../../../src/engine/open/check-before-run.ts'
import { makePlan, makeSettings, type TaskDraft } from '../../rig/plan.ts'

function warnings(task: Partial<TaskDraft>, settings: LayerSettings = {}): string[] {
  const found = unpriced(makePlan([{ id: 'a', ...task }]), makeSettings(settings))
  assert.ok(found.every(({ severity }) => severity === 'warning'))
  return found.map(({ message }) => message)
}

function asks(agent: string, model: string | null): Partial<TaskDraft> {
  return { work: { kind: 'prompt', prompt: 'do it', agent, model } }
}

test('a budget with a model whose price nobody knows is worth a warning that says what to do', () => {
  const [message, ...more] = warnings(asks('codex', 'o9'), { budgetUsd: 5 })
  assert.match(message ?? '', /codex does not tell .* o9 .*`prices: \{ o9: .*\(of a\)$/)
  assert.deepEqual(more, [])
  assert.match(warnings(asks('gemini', null), { budgetUsd: 5 })[0] ?? '', /its own choice.*`model:`/)
  assert.equal(warnings({ ...asks('codex', 'o9'), budgetUsd: 1 }).length, 1, 'a budget of the task counts too')
})

test('claude tells its cost only when it ends: until then the price of its model has to be known', () => {
  const [message, ...more] = warnings(asks('claude', 'claude-new-9'), { budgetUsd: 5 })
  assert.match(
    message ?? '',
    /claude tells what it costs only when it ends.* claude-new-9 .*`prices: \{ claude-new-9: /,
  )
  assert.deepEqual(more, [])
  const [alias] = warnings(asks('claude', 'opus'), { budgetUsd: 5 })
  assert.match(alias ?? '', /which model opus means changes.*in full with `model:`/)
  const prices = { opus: { input: 5, output: 25 } }
  assert.deepEqual(warnings(asks('claude', 'opus'), { budgetUsd: 5, prices }), [])
})

test('nothing is to be said where there is no budget, or the cost will be known', () => {
  assert.deepEqual(warnings(asks('codex', 'o9')), [])
  assert.deepEqual(warnings(asks('codex', 'gpt-5'), { budgetUsd: 5 }), [])
  assert.deepEqual(warnings(asks('claude', 'claude-sonnet-4-5'), { budgetUsd: 5 }), [])
  assert.deepEqual(warnings(asks('claude', 'auto'), { budgetUsd: 5 }), [], 'tiers have a price')
  assert.deepEqual(warnings(asks('claude', null), { budgetUsd: 5 }), [], 'it says which when it has started')
  assert.deepEqual(warnings(asks('opencode', 'any/model'), { budgetUsd: 5 }), [], 'it tells while it works')
  assert.deepEqual(warnings(asks('command', null), { budgetUsd: 5 }), [])
  const prices = { o9: { input: 1, output: 2 } }
  assert.deepEqual(warnings(asks('codex', 'o9'), { budgetUsd: 5, prices }), [])
  assert.equal(warnings(asks('codex', 'o9-mini'), { budgetUsd: 5, prices }).length, 1, 'another model')
})

test('an ACP agent that nobody knows may tell nothing, and that is said; one that is known is believed', () => {
  const acp = {
    goose: { program: 'goose', args: ['acp'] },
    opencode: { program: '/opt/bin/opencode', args: ['acp'] },
    claude: { program: 'npx', args: ['-y', '@zed-industries/claude-code-acp@latest'] },
  }
  const said = (name: string) => warnings(asks(`acp:${name}`, null), { budgetUsd: 0.01, agents: { acp } })
  assert.match(said('goose')[0] ?? '', /acp:goose may not tell what it uses.*`\+ unknown` \(of a\)$/)
  assert.deepEqual([...said('opencode'), ...said('claude')], [])
})

test('where the settings are strict about it, it is an error', () => {
  const plan = makePlan([{ id: 'a', ...asks('codex', 'o9') }])
  const severities = (more: LayerSettings) =>
    unpriced(plan, makeSettings({ strictBudget: true, ...more })).map(({ severity }) => severity)
  assert.deepEqual(severities({ budgetUsd: 5 }), ['error'])
  assert.deepEqual(severities({}), [], 'without a budget there is nothing to be strict about')
})
