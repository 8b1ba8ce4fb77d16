// What the lines of the driver amount to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acpAgent } from '../../../src/agents/acp/agent.ts'
import type { AcpLine } from '../../../src/agents/acp/driver-protocol.ts'
import type { ProcessEnd } from '../../../src/agents/agent.ts'
import { NO_USAGE } from '../../../src/usage.ts'

const SESSION: AcpLine = { type: 'session', id: 'c1', model: 'm', agent: 'Scripted 1.0', resumable: true }
const DENIED: AcpLine = { type: 'permission', tool: 't1', title: 'Write x', answer: 'denied', outside: ['docs/x.md'] }

function stop(reason: string): AcpLine {
  return { type: 'stop', reason, tokens: null }
}

function used(id: string, input: string | null, status = 'completed'): AcpLine {
  return { type: 'tool', id, title: 'ls', kind: 'execute', status, paths: [], input }
}

function read(lines: AcpLine[], end: ProcessEnd = { code: 0, signal: null }) {
  const reader = acpAgent('goose', 'goose', ['acp']).reader()
  const said = lines.flatMap((line) => reader.line(JSON.stringify(line)) ?? [])
  return { ...reader.result(end), said, activity: reader.activity ?? assert.fail() }
}

test('opencode asks its model for no titles: nobody would be told what those cost', () => {
  const assignment = { promptFile: '', newSession: '', model: null, resume: null, mayWrite: null }
  const settings = (program: string, text?: string) => {
    const environment = { OPENCODE_CONFIG_CONTENT: text }
    const { env } = acpAgent('x', program, ['acp']).invoke({ ...assignment, environment })
    return env.OPENCODE_CONFIG_CONTENT ? JSON.parse(env.OPENCODE_CONFIG_CONTENT) : null
  }
  assert.deepEqual(settings('/bin/opencode'), { agent: { title: { disable: true } } })
  const user = '{ "agent": { "build": { "model": "a/b" }, "title": { "model": "a/c" } }, "share": "disabled" }'
  assert.deepEqual(settings('opencode', user), {
    agent: { build: { model: 'a/b' }, title: { model: 'a/c', disable: true } },
    share: 'disabled',
  })
  assert.equal(settings('goose'), null)
})

test('a turn that ended is a success, with its words, tokens and cost', () => {
  const result = read([
    SESSION,
    { type: 'message', text: 'I look around.', continues: false },
    used('t1', '{}', 'pending'),
    { ...used('t1', '{}'), type: 'tool-update', output: 'a.txt' } as AcpLine,
    { type: 'cost', usd: 0.1 },
    { type: 'cost', usd: 0.3 },
    { type: 'message', text: 'Done, ', continues: false },
    { type: 'message', text: 'all of it.', continues: true },
    { type: 'stop', reason: 'end_turn', tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, thought: 5 } },
  ])
  assert.equal(result.failure, null)
  assert.equal(result.denied, null)
  assert.equal(result.summary, 'Done, all of it.')
  assert.equal(result.final, 'Done, all of it.')
  assert.deepEqual(result.session, { id: 'c1', model: 'm', turns: 2, messages: 2, toolCalls: 1 })
  assert.deepEqual(result.usage, {
    ...{ inputTokens: 1, outputTokens: 7, cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 5 },
    costUsd: 0.3,
  })
  assert.deepEqual(result.said, ['I look around.', 'execute ls', 'Done,', 'Done, all of it.'])
})

test('what it does not tell is not made up', () => {
  assert.equal(read([SESSION, stop('end_turn')]).usage, null)
  assert.deepEqual(read([SESSION, { type: 'cost', usd: 1 }, stop('end_turn')]).usage, { ...NO_USAGE, costUsd: 1 })
})

for (const reason of ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'nothing', 'something_new']) {
  test(`a turn that stopped with ${reason} has failed`, () => {
    assert.equal(read([SESSION, stop(reason)]).failure?.reason, 'agent-failed')
  })
}

test('without a reason to stop it has not succeeded, whatever its exit status', () => {
  const crashed = read([SESSION, { type: 'message', text: 'Working', continues: false }])
  assert.equal(crashed.failure?.reason, 'agent-crashed')
  assert.match(crashed.failure.message, /The ACP agent goose exited with status 0 and no result; it said: Working/)
  assert.equal(read([SESSION], { code: null, signal: 'SIGKILL' }).failure?.reason, 'agent-crashed')
  assert.equal(read([], { code: 3, signal: null }).failure?.reason, 'agent-failed')
})

test('an error is its failure, and one of the provider is the provider’s', () => {
  const plain = read([SESSION, { type: 'error', message: 'model not found', status: null }])
  assert.deepEqual(plain.failure, { reason: 'agent-failed', message: 'model not found' })
  const limited = read([SESSION, { type: 'error', message: 'slow down', status: 429 }])
  assert.equal(limited.failure?.reason, 'rate-limited')
  assert.ok(limited.limited)
})

test('what it was denied counts against it only if it did nothing else, which is not for its reader to know', () => {
  const { failure, denied, said } = read([SESSION, DENIED, DENIED, stop('end_turn')])
  assert.equal(failure, null)
  assert.equal(denied?.reason, 'refused')
  assert.match(denied.message, /2 times\): docs\/x\.md\./)
  assert.deepEqual(said, ['not allowed: Write x docs/x.md', 'not allowed: Write x docs/x.md'])
})

test('one that stopped for what it was denied was refused', () => {
  assert.equal(read([SESSION, DENIED, stop('cancelled')]).failure?.reason, 'refused')
})

test('calls with the same words are seen as that, and those it tells too little of are not', () => {
  const same = [1, 2, 3].map((n) => used(`t${n}`, '{"command":"ls"}'))
  assert.equal(read(same).activity.repeats, 3)
  assert.equal(read([1, 2, 3].map((n) => used(`t${n}`, null))).activity.repeats, 1)
  assert.equal(read(same).activity.toolCalls, 3)
})

test('lines that are no part of the protocol do no harm', () => {
  const reader = acpAgent('goose', 'goose').reader()
  for (const line of ['', 'hello', '{', 'null', '[]', '{"type":5}', '{"type":"stop"}', '{"type":"tool","id":1}'])
    assert.equal(reader.line(line), null)
  assert.equal(reader.result({ code: 0, signal: null }).failure?.reason, 'agent-crashed')
})

test('opencode tells the tokens of its last answer alone: they are left to its files, the cost is not', () => {
  const reader = acpAgent('x', '/bin/opencode', ['acp']).reader()
  const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, thought: 5 }
  const lines: AcpLine[] = [SESSION, { type: 'cost', usd: 0.3 }, { type: 'stop', reason: 'end_turn', tokens }]
  for (const line of lines) reader.line(JSON.stringify(line))
  const { usage, isUsagePartial } = reader.result({ code: 0, signal: null })
  assert.deepEqual([usage, isUsagePartial], [{ ...NO_USAGE, costUsd: 0.3 }, true])
})
