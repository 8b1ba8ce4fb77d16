// Any program as an agent: how it is started and what is made of its output.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandAgent, shellAgent } from '../../../src/agents/command/agent.ts'
import { NO_USAGE } from '../../../src/usage.ts'

const OK = { code: 0, signal: null }

function read(
  lines: (string | object)[],
  end: { code: number | null; signal: string | null } = OK,
  agent = commandAgent,
) {
  const reader = agent('x').reader()
  const said = lines.map((line) => reader.line(typeof line === 'string' ? line : JSON.stringify(line)))
  return { said, ...reader.result(end) }
}

test('a command agent is run by the shell with the prompt on its standard input, a `run:` command without', () => {
  const assignment = { promptFile: '/p', model: null, newSession: '', resume: null, mayWrite: null }
  const { argv, stdin, stderr } = commandAgent("my-agent --flag 'x y'").invoke(assignment)
  assert.deepEqual(
    { argv, stdin, stderr },
    { argv: ['sh', '-c', "my-agent --flag 'x y'"], stdin: 'prompt', stderr: 'merge' },
  )
  assert.equal(shellAgent('make').invoke(assignment).stdin, 'nothing')
})

test('its exit status decides', () => {
  assert.equal(read([]).failure, null)
  assert.deepEqual(read(['oh no'], { code: 2, signal: null }).failure, {
    reason: 'agent-failed',
    message: 'exited with status 2: oh no',
  })
  assert.deepEqual(read([], { code: null, signal: 'SIGSEGV' }).failure, {
    reason: 'agent-crashed',
    message: 'ended by SIGSEGV',
  })
  assert.equal(
    read([{ type: 'outcome', status: 'success' }], { code: 1, signal: null }).failure?.reason,
    'agent-failed',
  )
})

test('of a `run:` command that failed the last lines are told, as of a check', () => {
  const failed = (lines: (string | object)[]) => read(lines, { code: 2, signal: null }, shellAgent).failure?.message
  assert.equal(failed([]), 'exited with status 2')
  assert.equal(failed(['oh no']), 'exited with status 2: oh no')
  assert.equal(failed(['a.c:3: error', '', '  int x', 'oh no']), 'exited with status 2:\na.c:3: error\n  int x\noh no')
  const outcome = { type: 'outcome', status: 'failed', summary: 'red' }
  assert.equal(failed(['a', 'b', outcome]), 'exited with status 2: red')
  const many = failed(Array.from({ length: 100_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 200)}`)) ?? ''
  assert.ok(many.length < 1_600 && /line 99999 x+$/.test(many), many)
  const long = failed(['first', 'y'.repeat(1_000_000)]) ?? ''
  assert.ok(long.length < 2_100 && long.endsWith('y…'), long)
  const ended = read(['a', 'b'], { code: null, signal: 'SIGSEGV' }, shellAgent).failure
  assert.deepEqual(ended, { reason: 'command-failed', message: 'ended by SIGSEGV:\na\nb' })
})

test('what it says of its outcome counts where the status says nothing', () => {
  const failed = read([{ type: 'outcome', status: 'failed', summary: 'red' }])
  assert.deepEqual(failed.failure, { reason: 'agent-failed', message: 'reported that it failed: red' })
  assert.equal(failed.summary, 'red')
  const better = read([
    { type: 'outcome', status: 'failed' },
    { type: 'outcome', summary: 'green after all' },
  ])
  assert.deepEqual([better.failure, better.summary], [null, 'green after all'])
})

test('usage is a total: the last word counts, field by field, in both spellings', () => {
  const { usage } = read([
    { type: 'usage', inputTokens: 1, outputTokens: 2, costUsd: 0.1 },
    { type: 'usage', input_tokens: 10 },
    { type: 'usage', cost_usd: 0.3 },
    { type: 'usage', inputTokens: -5 },
    { type: 'usage', inputTokens: 'many' },
    '{"type":"usage","inputTokens":1e999}',
  ])
  assert.deepEqual(usage, { ...NO_USAGE, inputTokens: 10, outputTokens: 2, costUsd: 0.3 })
  assert.equal(read(['nothing of the kind']).usage, null)
})

test('progress and plain output are shown, blank lines and figures are not', () => {
  const lines = [{ type: 'progress', message: 'half' }, 'plain', '', '   ', { type: 'usage', inputTokens: 1 }]
  assert.deepEqual(read(lines).said, ['half', 'plain', null, null, null])
})

test('lines that only look like its protocol are output', () => {
  const lines = [
    '{',
    '{}',
    '{"type":"progress"}',
    '{"type":"other","message":"x"}',
    '[{"type":"progress"}]',
    '{"a":1} x',
    'null',
  ]
  assert.deepEqual(read(lines).said, lines)
})

test('an endless line is cut', () => {
  const [shown] = read(['x'.repeat(5_000_000)]).said
  assert.ok(shown && shown.length < 2_100 && shown.endsWith('…'))
})
