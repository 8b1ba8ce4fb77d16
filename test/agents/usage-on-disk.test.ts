// What programs have written down, where their output does not tell. The lines are those of Claude Code 2.1, Codex 0.166
// and Gemini 0.61, the tables those of opencode 1.18, as far as they matter.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Agent, ProcessOfConversation } from '../../src/agents/agent.ts'
import { claudeAgent } from '../../src/agents/claude/agent.ts'
import { codexAgent } from '../../src/agents/codex/agent.ts'
import { geminiAgent } from '../../src/agents/gemini/agent.ts'
import { opencodeAgent } from '../../src/agents/opencode/agent.ts'
import { addUsage, NO_USAGE } from '../../src/usage.ts'

/** Codex puts the time it began at the beginning. */
const CODEX = '01a1dec7-eae8-7840-8caf-51ef081f72be'
const CLAUDE = '0a5e29cd-5e4e-42df-8ace-297c47939c01'
const GEMINI = 'a69269b3-6768-42ef-a06f-d8046e8cebe5'
const BEGAN = Date.parse('2026-11-15T10:36:54.642Z')

type Asked = Partial<ProcessOfConversation> & Pick<ProcessOfConversation, 'session' | 'environment'>

/** Of a process that began then and is still the newest. */
function filesOf(agent: Agent, asked: Asked) {
  return agent.usageOf?.({ since: BEGAN, until: Number.POSITIVE_INFINITY, newestAnswer: null, ...asked })
}

async function usageOf(agent: Agent, asked: Asked) {
  return (await filesOf(agent, asked))?.usage ?? null
}

for (const day of ['2026/11/14', '2026/11/15', '2026/11/16']) {
  test(`codex: the newest count of the conversation, in the folder of ${day}`, async () => {
    using home = new Home()
    const counts = [rolloutCount(5140, 2570, 11), rolloutOutput('x'.repeat(1000)), rolloutCount(10_377, 5188, 22)]
    const lines = [...counts, rolloutOutput('"total_token_usage"'), '{"type":"event_msg","payl']
    home.write(`.codex/sessions/${day}/rollout-${day.replaceAll('/', '-')}T10-36-46-${CODEX}.jsonl`, lines)
    const usage = { ...NO_USAGE, inputTokens: 5189, cacheReadTokens: 5188, outputTokens: 22 }
    assert.deepEqual(await usageOf(codexAgent(), { session: CODEX, environment: { HOME: home.path } }), usage)
  })
}

test('codex: its own folder counts, and what is not there is not known', async () => {
  using home = new Home()
  const environment = { HOME: '/nowhere', CODEX_HOME: join(home.path, 'mine') }
  const ask = (session: string) => usageOf(codexAgent(), { session, environment })
  assert.equal(await ask(CODEX), null)
  assert.equal(await ask('no time in here'), null)
  home.write(`mine/sessions/2026/11/15/rollout-x-${CODEX}.jsonl`, [rolloutOutput('nothing counted yet')])
  assert.equal(await ask(CODEX), null)
  home.write(`mine/sessions/2026/11/15/rollout-x-${CODEX}.jsonl`, [rolloutCount(10, 4, 1)])
  assert.deepEqual(await ask(CODEX), { ...NO_USAGE, inputTokens: 6, cacheReadTokens: 4, outputTokens: 1 })
  // Ended while a tool was used: the answer that asked for it is counted.
  home.write(`mine/sessions/2026/11/15/rollout-x-${CODEX}.jsonl`, [rolloutCount(10, 4, 1), rolloutRecord(30, 8, 3)])
  assert.deepEqual(await ask(CODEX), { ...NO_USAGE, inputTokens: 22, cacheReadTokens: 8, outputTokens: 3 })
})

test('codex: what a process used, though its counts begin anew after an answer that was cut off', async () => {
  using home = new Home()
  const at = (line: string, ms: number) =>
    JSON.stringify({ ...JSON.parse(line), timestamp: new Date(ms).toISOString() })
  const path = `.codex/sessions/2026/11/15/rollout-x-${CODEX}.jsonl`
  const ask = (since: number) => usageOf(codexAgent(), { session: CODEX, since, environment: { HOME: home.path } })
  home.write(path, [
    at(rolloutRecord(10, 4, 1), BEGAN - 3000),
    at(rolloutRecord(40, 20, 3), BEGAN + 1000),
    at(rolloutCount(30, 16, 2), BEGAN + 2000),
  ])
  assert.deepEqual(await ask(BEGAN), { ...NO_USAGE, inputTokens: 14, cacheReadTokens: 16, outputTokens: 2 })
  // An earlier version.
  home.write(path, [at(rolloutCount(10, 4, 1), BEGAN), at(rolloutCount(40, 20, 3), BEGAN + 2000)])
  assert.deepEqual(await ask(BEGAN + 1), { ...NO_USAGE, inputTokens: 14, cacheReadTokens: 16, outputTokens: 2 })
})

test('codex: the model it chose itself', async () => {
  using home = new Home()
  const path = `.codex/sessions/2026/11/15/rollout-x-${CODEX}.jsonl`
  const ask = async () =>
    (await filesOf(codexAgent(), { session: CODEX, environment: { HOME: home.path } }))?.model ?? null
  assert.equal(await ask(), null)
  const turn = { type: 'turn_context', payload: { model: 'gpt-5-codex' } }
  home.write(path, [rolloutOutput('"turn_context"'), JSON.stringify(turn), rolloutCount(10, 4, 1)])
  assert.equal(await ask(), 'gpt-5-codex')
  home.write(path, [rolloutOutput('"turn_context"')])
  assert.equal(await ask(), null)
})

test('opencode: every answer of this process, and those of its subagents and of theirs', async () => {
  using home = new Home()
  const ask = (environment: object) =>
    usageOf(opencodeAgent(), { session: 'main', environment: { HOME: home.path, ...environment } })
  assert.equal(await ask({}), null)
  const one = {
    ...NO_USAGE,
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 30,
    cacheWriteTokens: 1,
    reasoningTokens: 2,
  }
  for (const [file, environment] of [
    ['.local/share/opencode/opencode.db', {}],
    ['data/opencode/opencode.db', { XDG_DATA_HOME: join(home.path, 'data') }],
    ['mine.db', { OPENCODE_DB: join(home.path, 'mine.db') }],
  ] as const) {
    using db = home.opencode(file)
    db.conversation('other', null, [BEGAN])
    db.conversation('main', null, [BEGAN - 1, BEGAN])
    db.conversation('sub', 'main', [BEGAN - 1, BEGAN + 1])
    db.conversation('sub-sub', 'sub', [BEGAN + 2])
    const three = addUsage(addUsage(one, one), one)
    // While it is open, as it is while others work.
    assert.deepEqual(await ask(environment), { ...three, costUsd: 0.75 }, file)
  }
})

test('opencode: what another version keeps in another way is not known', async () => {
  using home = new Home()
  const ask = () => usageOf(opencodeAgent(), { session: 'main', environment: { HOME: home.path } })
  home.write('.local/share/opencode/opencode.db', ['no database'])
  assert.equal(await ask(), null)
  rmSync(join(home.path, '.local'), { recursive: true })
  using db = home.opencode('.local/share/opencode/opencode.db')
  db.conversation('other', null, [BEGAN])
  assert.equal(await ask(), null)
  db.sqlite.exec('drop table message')
  assert.equal(await ask(), null)
})

test('gemini: every answer of this process once, whichever project it was used in', async () => {
  using home = new Home()
  home.write('.gemini/tmp/other/chats/session-2026-11-15T10-36-00000000.jsonl', [answer('x', BEGAN, 7)])
  const lines = [
    JSON.stringify({ sessionId: GEMINI, startTime: new Date(BEGAN).toISOString() }),
    answer('of a process before', BEGAN - 1000, 5),
    JSON.stringify({ id: 'question', timestamp: new Date(BEGAN).toISOString(), type: 'user', content: '"tokens"' }),
    answer('one', BEGAN + 1000, 203),
    answer('one', BEGAN + 1000, 203, { toolCalls: [{ name: 'run_shell_command' }] }),
    answer('two', BEGAN + 2000, 318),
  ]
  home.write(`.gemini/tmp/2/chats/session-2026-11-15T10-36-${GEMINI.slice(0, 8)}.jsonl`, lines)
  const usage = { ...NO_USAGE, inputTokens: 261, cacheReadTokens: 260, outputTokens: 28, reasoningTokens: 6 }
  assert.deepEqual(await usageOf(geminiAgent(), { session: GEMINI, environment: { HOME: home.path } }), usage)
})

test('gemini: where it chose several models, each answer has the price of its own', async () => {
  using home = new Home()
  const lines = [
    answer('one', BEGAN, 2_000_000, { model: 'gemini-2.5-flash' }),
    answer('two', BEGAN, 2_000_000, { model: 'gemini-2.5-pro' }),
  ]
  const path = `.gemini/tmp/2/chats/session-x-${GEMINI.slice(0, 8)}.jsonl`
  home.write(path, lines)
  const ask = (prices = {}) => usageOf(geminiAgent(), { session: GEMINI, environment: { HOME: home.path }, prices })
  // A million read and a million from the cache each, and next to nothing written.
  assert.equal((await ask())?.costUsd.toFixed(2), (0.3 + 0.03 + 1.25 + 0.125).toFixed(2))
  const own = { 'gemini-2.5-pro': { input: 100, output: 0, cacheRead: 0 } }
  assert.equal(Math.round((await ask(own))?.costUsd ?? 0), 100)
  home.write(path, [...lines, answer('three', BEGAN, 10, { model: 'gemini-99' })])
  assert.equal((await ask())?.costUnknown, true)
})

test('gemini: what is not there is not known', async () => {
  using home = new Home()
  assert.equal(await usageOf(geminiAgent(), { session: GEMINI, environment: { HOME: home.path } }), null)
  home.write(`.gemini/tmp/2/chats/session-x-${GEMINI.slice(0, 8)}.jsonl`, [answer('one', BEGAN, 203)])
  assert.equal(
    await usageOf(geminiAgent(), { session: GEMINI, since: BEGAN + 1, environment: { HOME: home.path } }),
    null,
  )
})

test('claude: every answer of this process once, as it ended', async () => {
  using home = new Home()
  const path = `projects/-a-b-slots-1/${CLAUDE}.jsonl`
  const environment = { CLAUDE_CONFIG_DIR: home.path, ESPALIER_WORKTREE: '/a/b.slots/1' }
  const ask = () => usageOf(claudeAgent(), { session: CLAUDE, environment })
  assert.equal(await ask(), null)
  home.write(path, [
    claudeAnswer('of a process before', BEGAN - 1000, 9),
    JSON.stringify({ type: 'user', timestamp: new Date(BEGAN).toISOString(), message: { content: '"usage"' } }),
    claudeAnswer('one', BEGAN + 1000, 1),
    claudeAnswer('one', BEGAN + 1001, 11),
    claudeAnswer('two', BEGAN + 2000, 12),
  ])
  const usage = { ...NO_USAGE, inputTokens: 200, cacheReadTokens: 60, cacheWriteTokens: 4, outputTokens: 23 }
  assert.deepEqual(await ask(), usage)
})

test('of a process that was followed by another in its conversation, only its own answers count', async () => {
  using home = new Home()
  const environment = { HOME: home.path, ESPALIER_WORKTREE: '/a' }
  const at = (line: string, ms: number) =>
    JSON.stringify({ ...JSON.parse(line), timestamp: new Date(ms).toISOString() })
  const [first, second] = [BEGAN + 1000, BEGAN + 60_000]
  home.write(`.codex/sessions/2026/11/15/rollout-x-${CODEX}.jsonl`, [
    ...[at(rolloutRecord(10, 4, 1), first), at(rolloutRecord(1_000, 500, 50), second)],
  ])
  home.write(`.gemini/tmp/2/chats/session-x-${GEMINI.slice(0, 8)}.jsonl`, [
    ...[answer('one', first, 10), answer('two', second, 1_000)],
  ])
  home.write(`.claude/projects/-a/${CLAUDE}.jsonl`, [claudeAnswer('one', first, 7), claudeAnswer('two', second, 8)])
  using db = home.opencode('.local/share/opencode/opencode.db')
  db.conversation('main', null, [first, second])
  const until = BEGAN + 30_000
  const outputs = await Promise.all(
    [
      usageOf(codexAgent(), { session: CODEX, until, environment }),
      usageOf(geminiAgent(), { session: GEMINI, until, environment }),
      usageOf(claudeAgent(), { session: CLAUDE, until, environment }),
      usageOf(opencodeAgent(), { session: 'main', until, environment }),
    ].map(async (usage) => (await usage)?.outputTokens),
  )
  assert.deepEqual(outputs, [1, 14, 7, 5])
})

test('claude: whether an answer has ended, also of a subagent', async () => {
  using home = new Home()
  const environment = { CLAUDE_CONFIG_DIR: home.path, ESPALIER_WORKTREE: '/a/b.slots/1' }
  const ended = async (newestAnswer: string) =>
    (await filesOf(claudeAgent(), { session: CLAUDE, newestAnswer, environment }))?.isComplete ?? false
  assert.equal(await ended('one'), false)
  const path = `projects/-a-b-slots-1/${CLAUDE}.jsonl`
  home.write(path, [claudeAnswer('one', BEGAN, 1)])
  assert.equal(await ended('one'), false)
  home.write(path, [claudeAnswer('one', BEGAN, 1), claudeAnswer('one', BEGAN, 11, 'tool_use')])
  assert.deepEqual([await ended('one'), await ended('two')], [true, false])
  home.write(`projects/-a-b-slots-1/${CLAUDE}/subagents/agent-1.jsonl`, [claudeAnswer('two', BEGAN, 3, 'end_turn')])
  assert.equal(await ended('two'), true)
})

function claudeAnswer(id: string, at: number, output_tokens: number, stop_reason: string | null = null): string {
  const input = { input_tokens: 100, cache_creation_input_tokens: 2, cache_read_input_tokens: 30 }
  const message = { id, role: 'assistant', stop_reason, usage: { ...input, output_tokens } }
  return JSON.stringify({ type: 'assistant', timestamp: new Date(at).toISOString(), message })
}

function rolloutCount(input: number, cached: number, output: number): string {
  const total_token_usage = { input_tokens: input, cached_input_tokens: cached, output_tokens: output }
  return JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage } } })
}

function rolloutRecord(input: number, cached: number, output: number): string {
  const thread_token_usage = { input_tokens: input, cached_input_tokens: cached, output_tokens: output }
  return JSON.stringify({ type: 'token_usage_record', payload: { thread_token_usage } })
}

function rolloutOutput(output: string): string {
  return JSON.stringify({ type: 'response_item', payload: { type: 'function_call_output', output } })
}

/** Half of what it read, without the odd one, comes from the cache. */
function answer(id: string, at: number, input: number, more: object = {}): string {
  const tokens = { input, output: 11, cached: Math.floor(input / 2), thoughts: 3, tool: 0, total: input + 14 }
  return JSON.stringify({ id, timestamp: new Date(at).toISOString(), type: 'gemini', content: '', tokens, ...more })
}

class Home implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'espalier-home-'))

  write(path: string, lines: string[]): void {
    const file = join(this.path, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`)
  }

  opencode(path: string): OpencodeDatabase {
    mkdirSync(dirname(join(this.path, path)), { recursive: true })
    return new OpencodeDatabase(join(this.path, path))
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

class OpencodeDatabase implements Disposable {
  readonly sqlite: DatabaseSync

  constructor(path: string) {
    this.sqlite = new DatabaseSync(path)
    this.sqlite.exec(`pragma journal_mode = wal;
      create table session (id text primary key, parent_id text);
      create table message (id integer primary key, session_id text, time_created integer, data text)`)
  }

  /** Of each answer the time. */
  conversation(id: string, parent: string | null, answers: number[]): void {
    this.sqlite.prepare('insert into session values (?, ?)').run(id, parent)
    const tokens = { input: 10, output: 3, reasoning: 2, cache: { read: 30, write: 1 } }
    for (const at of answers) {
      this.#message(id, at, { role: 'user' })
      this.#message(id, at, { role: 'assistant', cost: 0.25, tokens })
    }
  }

  #message(session: string, at: number, data: object): void {
    const insert = 'insert into message (session_id, time_created, data) values (?, ?, ?)'
    this.sqlite.prepare(insert).run(session, at, JSON.stringify(data))
  }

  [Symbol.dispose](): void {
    this.sqlite.close()
  }
}
