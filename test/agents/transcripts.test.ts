// What each program printed when it was run against the scripted model, and what we make of it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Agent, AgentResult } from '../../src/agents/agent.ts'
import { claudeAgent } from '../../src/agents/claude/agent.ts'
import { codexAgent } from '../../src/agents/codex/agent.ts'
import { geminiAgent } from '../../src/agents/gemini/agent.ts'
import { opencodeAgent } from '../../src/agents/opencode/agent.ts'
import { NO_USAGE } from '../../src/usage.ts'

const AGENTS: Record<string, Agent> = {
  claude: claudeAgent(),
  codex: codexAgent(),
  gemini: geminiAgent(),
  opencode: opencodeAgent(),
}

function read(agent: string, name: string, keep = Number.POSITIVE_INFINITY): AgentResult & { said: string[] } {
  const text = readFileSync(new URL(`./transcripts/${agent}-${name}.jsonl`, import.meta.url), 'utf8')
  const reader = AGENTS[agent]?.reader() ?? assert.fail()
  const said = text
    .split('\n')
    .slice(0, keep)
    .flatMap((line) => reader.line(line) ?? [])
  return { ...reader.result({ code: name === 'success' ? 0 : 1, signal: null }), said }
}

const USAGE = {
  claude: { inputTokens: 4428, outputTokens: 39, cacheReadTokens: 4428, costUsd: 0.0151974 },
  codex: { inputTokens: 7860, outputTokens: 38, cacheReadTokens: 7858 },
  gemini: { inputTokens: 435, outputTokens: 39, cacheReadTokens: 433, costUsd: 0.000987875 },
  opencode: { inputTokens: 3779, outputTokens: 39, cacheReadTokens: 3777, costUsd: 0.003857 },
}

for (const [name, usage] of Object.entries(USAGE)) {
  test(`${name}: success is its own word for it, with every token the model counted`, () => {
    const { failure, usage: counted, summary, session, limited, said } = read(name, 'success')
    assert.equal(failure, null)
    assert.equal(limited, null)
    assert.deepEqual({ ...counted, costUsd: round(counted?.costUsd) }, { ...NO_USAGE, ...usage })
    assert.equal(summary, 'I wrote hello.txt.')
    assert.ok(session?.id)
    assert.deepEqual([session.messages > 0, session.toolCalls], [true, 2])
    assert.ok(
      said.some((line) => line.includes('hello.txt')),
      'a person sees what it does',
    )
  })

  test(`${name}: without its last word it has not succeeded, whatever its exit status`, () => {
    const text = readFileSync(new URL(`./transcripts/${name}-success.jsonl`, import.meta.url), 'utf8')
    const reader = AGENTS[name]?.reader() ?? assert.fail()
    for (const line of text.trimEnd().split('\n').slice(0, -1)) reader.line(line)
    const { failure } = reader.result({ code: 0, signal: null })
    assert.equal(failure?.reason, 'agent-crashed')
  })

  test(`${name}: a login that is not accepted says so, and what to do`, () => {
    const { failure, limited } = read(name, 'denied')
    assert.equal(failure?.reason, 'login-failed')
    assert.match(failure.message, /login or key.*`espalier doctor`/)
    assert.equal(limited, null)
  })
}

for (const name of Object.keys(AGENTS)) {
  test(`${name}: a rate limit is the provider's, not the task's`, () => {
    const { failure, limited, usage } = read(name, 'limited')
    assert.equal(failure?.reason, 'rate-limited')
    assert.ok(limited)
    if (name !== 'codex') assert.ok((limited.until ?? 0) > Date.now(), 'it says when')
    if (name !== 'codex') assert.ok((usage?.outputTokens ?? 0) > 0, 'what it did before is paid for')
  })
}

for (const name of Object.keys(AGENTS)) {
  test(`${name}: a provider that cannot be reached is no failure of the task`, () => {
    const { failure, limited } = read(name, 'unreachable')
    assert.equal(failure?.reason, 'provider-unreachable', failure?.message)
    assert.match(failure.message, /^the provider cannot be reached or does not work: [A-Z]/i)
    assert.equal(limited, null)
  })
}

test('codex: a subscription that is used up is a limit', () => {
  const { failure, limited } = read('codex', 'usage-limit')
  assert.equal(failure?.reason, 'rate-limited')
  assert.match(failure.message, /You’ve hit your usage limit/)
  assert.ok(limited)
})

test('claude: ended while it tries again, it is known what it met', () => {
  const reader = claudeAgent().reader()
  for (const [error_status, reason] of [
    [401, 'login-failed'],
    [null, 'provider-unreachable'],
    [500, 'provider-unreachable'],
    [429, 'rate-limited'],
  ]) {
    reader.line(JSON.stringify({ type: 'system', subtype: 'api_retry', retry_delay_ms: 500, error_status }))
    assert.equal(reader.result({ code: null, signal: 'SIGKILL' }).failure?.reason, reason, `${error_status}`)
  }
})

test('what a model or a tool said of limits is no limit', () => {
  const words = 'I ran into a rate limit: 429 too many requests'
  const said = {
    claude: { type: 'result', subtype: 'error_during_execution', is_error: true, result: words },
    gemini: { type: 'result', status: 'error', error: { type: 'FatalToolExecutionError', message: words } },
    codex: { type: 'item.completed', item: { type: 'agent_message', text: words } },
    opencode: { type: 'text', part: { text: words } },
  }
  for (const [name, line] of Object.entries(said)) {
    const reader = AGENTS[name]?.reader() ?? assert.fail()
    reader.line(JSON.stringify(line))
    const { failure, limited } = reader.result({ code: 1, signal: null })
    assert.deepEqual([failure?.reason, limited], ['agent-failed', null], name)
  }
})

for (const [name, agent] of Object.entries(AGENTS)) {
  test(`${name}: while it waits for its provider it says so, and goes on`, () => {
    const { waiting, end, isWaiting } = readUntilHeldUp(agent, name)
    assert.equal(waiting.failure?.reason, 'rate-limited', 'ended while it waits, it was limited')
    assert.ok(waiting.limited)
    if (name === 'claude' || name === 'gemini')
      assert.ok((waiting.limited.until ?? 0) > Date.now(), 'it was told when to go on')
    assert.equal(isWaiting, false)
    assert.deepEqual([end.failure, end.limited, end.summary], [null, null, 'done'])
  })
}

test('claude: of a process that was ended it is known what it had read', () => {
  const { waiting } = readUntilHeldUp(claudeAgent(), 'claude')
  const { inputTokens, cacheReadTokens } = waiting.usage ?? NO_USAGE
  assert.deepEqual([inputTokens, cacheReadTokens], [1417, 1416])
  assert.ok((waiting.usage?.costUsd ?? 0) > 0)
})

/** What it amounts to where it begins to wait for its provider, and at the end. */
function readUntilHeldUp(agent: Agent, name: string): { waiting: AgentResult; end: AgentResult; isWaiting: boolean } {
  const text = readFileSync(new URL(`./transcripts/${name}-limited-once.jsonl`, import.meta.url), 'utf8')
  const reader = agent.reader()
  const lines = text.split('\n')
  while (lines.length > 0 && !reader.isWaiting) reader.line(lines.shift() ?? '')
  // What Gemini has to say about it comes in two lines.
  if (name === 'gemini') reader.line(lines.shift() ?? '')
  const waiting = reader.result({ code: null, signal: 'SIGKILL' })
  for (const line of lines) reader.line(line)
  return { waiting, end: reader.result({ code: 0, signal: null }), isWaiting: reader.isWaiting ?? false }
}

test('lines that are no part of a protocol do no harm', () => {
  for (const agent of Object.values(AGENTS)) {
    const reader = agent.reader()
    for (const line of ['', 'null', '{', '[]', '{"type":5}', '{"type":"result"}', '{"type":"item.completed"}'])
      assert.doesNotThrow(() => reader.line(line))
    assert.ok(reader.result({ code: 0, signal: null }).failure)
  }
})

function round(cost = 0): number {
  return Math.round(cost * 1e9) / 1e9
}

test('what a model thought is output too, and is told apart', () => {
  const said = {
    gemini: {
      type: 'result',
      status: 'success',
      stats: { total_tokens: 125, input_tokens: 100, output_tokens: 20, cached: 40 },
    },
    opencode: {
      type: 'step_finish',
      part: { reason: 'stop', cost: 0, tokens: { input: 60, output: 20, reasoning: 5, cache: { read: 40, write: 0 } } },
    },
  }
  for (const [name, line] of Object.entries(said)) {
    const reader = AGENTS[name]?.reader() ?? assert.fail()
    reader.line(JSON.stringify(line))
    const usage = { ...NO_USAGE, inputTokens: 60, cacheReadTokens: 40, outputTokens: 25, reasoningTokens: 5 }
    assert.deepEqual(reader.result({ code: 0, signal: null }).usage, usage, name)
  }
})
