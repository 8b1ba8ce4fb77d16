// What is Claude Code's own: subagents, a conversation that goes on after its result, limits it only tells of.
// `claude-background.jsonl` is what 2.1.325 printed when its subagent worked in the background, without what does not matter.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { claudeAgent } from '../../../src/agents/claude/agent.ts'
import { NO_USAGE } from '../../../src/usage.ts'

const KILLED = { code: null, signal: 'SIGKILL' }
const ENDED = { code: 0, signal: null }
const BACKGROUND = readFileSync(new URL('../transcripts/claude-background.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')

function readerOf(lines: readonly (string | object)[], prices = {}) {
  const reader = claudeAgent().reader(prices)
  for (const line of lines) reader.line(typeof line === 'string' ? line : JSON.stringify(line))
  return reader
}

const init = (session_id: string, model = 'claude-sonnet-4-5') => ({
  ...{ type: 'system', subtype: 'init', session_id, model },
})

type Said = { text?: string; command?: string; model?: string; subagent?: string; input?: number }
function answer(id: string, { text, command, model, subagent, input = 1_000_000 }: Said) {
  const part = text === undefined ? { type: 'tool_use', name: 'Bash', input: { command } } : { type: 'text', text }
  const message = { id, model, content: [part], usage: { input_tokens: input } }
  return { type: 'assistant', message, parent_tool_use_id: subagent ?? null }
}

test('what its subagents used counts, and all parts of a conversation that went on by itself', () => {
  const { failure, final, usage, session } = readerOf(BACKGROUND).result(ENDED)
  assert.deepEqual([failure, final], [null, 'all done bg'])
  const counted = { inputTokens: 11_817, outputTokens: 155, cacheReadTokens: 11_814, reasoningTokens: 56 }
  assert.deepEqual({ ...usage, costUsd: usage?.costUsd.toFixed(7) }, { ...NO_USAGE, ...counted, costUsd: '0.0413202' })
  // Turns as it counts them itself, in both results; messages and calls with those of its subagent.
  assert.deepEqual([session?.turns, session?.messages, session?.toolCalls], [5, 8, 5])
})

test('turns are those of the main conversation, calls are those of all', () => {
  const { activity } = readerOf(BACKGROUND)
  assert.deepEqual([activity?.turns, activity?.toolCalls], [5, 5])
})

test('while it goes on, its first result is not its last word', () => {
  const [first, again] = BACKGROUND.flatMap((line, index) => (line.includes('"subtype":"init"') ? [index] : []))
  assert.equal(first, 0)
  const { failure, isUsagePartial, countsConversation, usage } = readerOf(BACKGROUND.slice(0, (again ?? 0) + 1)).result(
    KILLED,
  )
  assert.deepEqual([failure?.reason, isUsagePartial, countsConversation], ['agent-crashed', true, undefined])
  assert.equal(usage?.inputTokens, 1342 + 1077 + 1529 + 1361 + 1407 + 1575)
})

test('an older version without the usage of models is taken at what it tells', () => {
  const usage = { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 2 }
  const result = { type: 'result', subtype: 'success', total_cost_usd: 0.5, usage, modelUsage: {} }
  const counted = { ...NO_USAGE, inputTokens: 7, outputTokens: 3, cacheReadTokens: 2, costUsd: 0.5 }
  assert.deepEqual(readerOf([init('s'), result]).result(ENDED).usage, counted)
})

test('the tokens of several models are added up', () => {
  const modelUsage = {
    'claude-opus-4-5': { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4 },
    'claude-haiku-4-5': { inputTokens: 10, outputTokens: 20, thinkingTokens: 5, costUSD: 9 },
  }
  const result = { type: 'result', subtype: 'success', total_cost_usd: 0.5, usage: { input_tokens: 1 }, modelUsage }
  const tokens = { inputTokens: 11, outputTokens: 22, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 }
  assert.deepEqual(readerOf([init('s'), result]).result(ENDED).usage, { ...tokens, costUsd: 0.5 })
})

test('messages that come in turn are counted once each, at the price of their own model', () => {
  const haiku = { subagent: 'toolu_1', model: 'claude-haiku-4-5', command: 'ls' }
  const lines = [
    ...[answer('m1', { text: 'so' }), answer('h1', haiku), answer('m1', { command: 'ls' }), answer('h1', haiku)],
    ...[answer('m2', { text: 'on' }), answer('h2', haiku), answer('m1', { command: 'ls' })],
  ]
  const { usageSoFar, activity } = readerOf([init('s'), ...lines])
  assert.deepEqual(usageSoFar?.usage, { ...NO_USAGE, inputTokens: 4_000_000, costUsd: 3 + 1 + 3 + 1 })
  assert.equal(activity?.turns, 2)
})

test('an answer that is told of again with more counts as it was told last', () => {
  const [early, late] = [answer('m1', { text: 'so', input: 5 }), answer('m1', { text: 'so', input: 9 })]
  const { usageSoFar } = readerOf([init('s'), early, answer('m2', { text: 'so', input: 100 }), late])
  assert.equal(usageSoFar?.usage.inputTokens, 109)
})

test('of very many answers each counts, and is remembered only while it may be told of again', () => {
  const lines = Array.from({ length: 500 }, (_, index) => answer(`m${index}`, { text: 'so', input: 2 }))
  const { usageSoFar, activity } = readerOf([init('s'), ...lines.flatMap((line) => [line, line])])
  assert.deepEqual([usageSoFar?.usage.inputTokens, activity?.turns], [1000, 500])
})

test('a model without a price costs nobody knows what', () => {
  const { usageSoFar } = readerOf([init('s', 'claude-new-9'), answer('m1', { text: 'so' })])
  assert.deepEqual([usageSoFar?.usage.costUsd, usageSoFar?.usage.costUnknown], [0, true])
})

test('subagents that make the same call go round in no circle', () => {
  const lines = ['a', 'b', 'c'].map((subagent) => answer(subagent, { subagent, command: 'git status' }))
  assert.equal(readerOf([init('s'), ...lines]).activity?.repeats, 1)
  const again = ['m1', 'm2', 'm3'].map((id) => answer(id, { command: 'git status' }))
  assert.equal(readerOf([init('s'), ...again]).activity?.repeats, 3)
})

test('what it says at last are its own words, not those of a subagent', () => {
  const lines = [answer('m1', { text: 'I look.' }), answer('h1', { text: 'Found it.', subagent: 'toolu_1' })]
  assert.equal(readerOf([init('s'), ...lines]).result(KILLED).summary, 'I look.')
})

test('only a limit that refuses it says until when to wait', () => {
  const later = Math.ceil(Date.now() / 1000) + 18_000
  const limit = (info: object) => ({ type: 'rate_limit_event', rate_limit_info: { resetsAt: later, ...info } })
  const overloaded = { type: 'result', subtype: 'success', is_error: true, api_error_status: 529, result: 'overloaded' }
  const until = (...lines: object[]) => readerOf([init('s'), ...lines, overloaded]).result(ENDED).limited?.until
  assert.equal(until(limit({ status: 'allowed' })), null)
  assert.equal(until(limit({ status: 'allowed_warning' })), null)
  assert.equal(until(limit({ status: 'rejected' })), later * 1000)
  assert.equal(until(limit({ status: 'rejected' }), limit({ status: 'allowed' })), null, 'it is over')
  assert.equal(until(limit({ status: 'rejected', isUsingOverage: true })), null, 'it may go beyond')
})

test('what was denied in any of its parts is told', () => {
  const result = (id: string, ...denied: string[]) => ({
    ...{ type: 'result', subtype: 'success', result: id },
    permission_denials: denied.map((tool_use_id) => ({ tool_use_id, tool_name: 'Write' })),
  })
  const { denied } = readerOf([init('s'), result('a', 't1'), init('s'), result('b', 't1', 't2')]).result(ENDED)
  assert.match(denied?.message ?? '', /Write \(2 times\)/)
})

test('of a process that was ended, the files of its subagents count too', async () => {
  using home = new Home()
  const began = Date.now() - 60_000
  const environment = { CLAUDE_CONFIG_DIR: home.path, ESPALIER_WORKTREE: '/a/b.slots/1' }
  const session = '0a5e29cd-5e4e-42df-8ace-297c47939c01'
  const project = 'projects/-a-b-slots-1'
  home.write(`${project}/${session}.jsonl`, [written('one', began + 1, 1)])
  home.write(`${project}/${session}/subagents/agent-1.jsonl`, [
    ...[written('of a process before', began - 1, 1000), written('two', began + 2, 1), written('two', began + 2, 20)],
    written('three', began + 3, 300),
  ])
  home.write(`${project}/${session}/subagents/agent-1.meta.json`, ['{}'])
  home.write(`${project}/${session}/subagents/agent-0.jsonl`, [written('old', began + 1, 5000)], began - 1000)
  home.write(`${project}/other/subagents/agent-2.jsonl`, [written('other', began + 1, 7000)])
  const asked = { session, since: began, until: Number.POSITIVE_INFINITY, newestAnswer: null, environment }
  const files = await claudeAgent().usageOf?.(asked)
  assert.deepEqual(files?.usage, { ...NO_USAGE, inputTokens: 30, outputTokens: 321 })
})

function written(id: string, at: number, output_tokens: number): string {
  const message = { id, usage: { input_tokens: 10, output_tokens } }
  return JSON.stringify({ type: 'assistant', timestamp: new Date(at).toISOString(), message })
}

class Home implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'espalier-home-'))

  write(path: string, lines: string[], at = Date.now()): void {
    const file = join(this.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`)
    utimesSync(file, at / 1000, at / 1000)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
