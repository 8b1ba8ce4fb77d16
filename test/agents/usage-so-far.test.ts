import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acpAgent } from '../../src/agents/acp/agent.ts'
import type { Agent } from '../../src/agents/agent.ts'
import { claudeAgent } from '../../src/agents/claude/agent.ts'
import { codexAgent } from '../../src/agents/codex/agent.ts'
import { commandAgent } from '../../src/agents/command/agent.ts'
import { geminiAgent } from '../../src/agents/gemini/agent.ts'
import { opencodeAgent } from '../../src/agents/opencode/agent.ts'
import type { Prices } from '../../src/agents/prices.ts'

/** What is known after each line; null while nothing is. */
function after(agent: Agent, lines: object[], prices?: Prices) {
  const reader = agent.reader(prices)
  return lines.map((line) => {
    reader.line(JSON.stringify(line))
    return reader.usageSoFar ?? null
  })
}

const init = (model: string) => ({ type: 'system', subtype: 'init', session_id: 's', model })
const says = (id: string, input_tokens: number, output_tokens: number) => ({
  type: 'assistant',
  message: { id, content: [{ type: 'text', text: 'so' }], usage: { input_tokens, output_tokens } },
})

test('claude: by its messages, each counted once, at the price of its model', () => {
  const lines = [
    init('claude-sonnet-4-5'),
    says('m1', 1_000_000, 0),
    says('m1', 1_000_000, 0),
    says('m2', 1_000_000, 0),
  ]
  const known = after(claudeAgent(), lines)
  assert.deepEqual(
    known.map((one) => one?.usage.costUsd ?? null),
    [null, 3, 3, 6],
  )
  assert.ok(!known[1]?.countsConversation, 'of this process, whatever the conversation cost before')
})

test('claude: a price of the user goes before that of the table', () => {
  const known = after(claudeAgent(), [init('claude-sonnet-4-5'), says('m1', 1_000_000, 1_000_000)], {
    'claude-sonnet-4-5': { input: 1, output: 2 },
  })
  assert.equal(known.at(-1)?.usage.costUsd, 3)
})

test('codex: at the end of a turn', () => {
  const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 3 }
  const known = after(codexAgent(), [{ type: 'turn.started' }, { type: 'turn.completed', usage }])
  assert.deepEqual([known[0], known[1]?.usage.inputTokens, known[1]?.usage.outputTokens], [null, 6, 3])
})

test('opencode: after each step', () => {
  const step = { type: 'step_finish', sessionID: 's', part: { cost: 0.25, tokens: { input: 1, output: 1 } } }
  const known = after(opencodeAgent(), [step, step])
  assert.deepEqual(
    known.map((one) => one?.usage.costUsd),
    [0.25, 0.5],
  )
})

test('an ACP agent: whenever it tells', () => {
  const known = after(acpAgent('goose', 'goose'), [{ type: 'cost', usd: 0.5 }])
  assert.equal(known[0]?.usage.costUsd, 0.5)
})

test('a command: with each line of usage, and another object each time', () => {
  const line = { type: 'usage', costUsd: 0.5 }
  const [first, second, third] = after(commandAgent('x'), [line, { type: 'progress', message: 'on' }, line])
  assert.equal(first?.usage.costUsd, 0.5)
  assert.equal(first, second, 'nothing new')
  assert.notEqual(second, third)
})

test('gemini: only at its end', () => {
  assert.deepEqual(after(geminiAgent(), [{ type: 'message', role: 'assistant', content: 'so' }]), [null])
})
