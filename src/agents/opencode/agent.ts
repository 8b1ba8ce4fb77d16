// opencode. Tokens and cost come step by step. What its subagents used is only in its database.
import { cut } from '../../text/cut.ts'
import type { Usage } from '../../usage.ts'
import { Activity } from '../activity.ts'
import type { Agent, AgentReader, AgentResult, ProcessEnd, UsageSoFar } from '../agent.ts'
import { endedWithoutResult } from '../agent.ts'
import { countAt, type Json, jsonLine, objectAt, textAt } from '../json-line.ts'
import { MCP_NAME, type McpServer } from '../mcp-server.ts'
import { heldUp, providerTrouble } from '../provider-trouble.ts'
import { isInDatabase, usageInDatabase } from './conversation.ts'
import { opencodeSettings } from './settings.ts'

export function opencodeAgent(program = 'opencode', args: readonly string[] = []): Agent {
  return {
    name: 'opencode',
    variables: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'OPENROUTER_*'],
    counters: { tokens: 'process', cost: 'process' },
    invoke: ({ model, resume, mcp }) => ({
      argv: [
        ...[program, 'run', '--format', 'json', '--auto'],
        // Only its log tells that it waits for its provider.
        ...['--print-logs', '--log-level', 'ERROR'],
        ...(model === null ? [] : ['-m', model]),
        // Without one it asks its model for a title, and tells nobody what that costs.
        ...(resume === null ? ['--title', TITLE] : ['--session', resume]),
        ...args,
      ],
      stdin: 'prompt',
      stderr: 'merge',
      env: mcp ? opencodeSettings(mcp.environment, (known) => withServer(known, mcp)) : {},
    }),
    reader: () => new OpencodeReader(),
    usageOnDisk: usageInDatabase,
    findsConversation: isInDatabase,
  }
}

const TITLE = 'Espalier'

/** Those of its user stay. */
function withServer(known: Json, { command, args, env }: McpServer): Json {
  const mine = { type: 'local', command: [command, ...args], environment: env, enabled: true }
  return { mcp: { ...objectAt(known, 'mcp'), [MCP_NAME]: mine } }
}

class OpencodeReader implements AgentReader {
  readonly activity = new Activity()
  #session: AgentResult['session'] = null
  #usage: Usage | null = null
  usageSoFar: UsageSoFar | null = null
  #hasSubagents = false
  #stopped = false
  #error: Json | null = null
  #last = ''
  #final: string | null = null
  /** What its log said when it began to try again by itself. */
  #streamError: string | null = null

  get isWaiting(): boolean {
    return this.#streamError !== null
  }

  line(text: string): string | null {
    const line = jsonLine(text)
    if (!line) {
      // The small questions it asks besides hold nothing up.
      if (/^timestamp=.*message="stream error".* small=false/.test(text))
        this.#streamError = /error\.error="(?<said>.*)"/.exec(text)?.groups?.said ?? 'an error'
      return null
    }
    this.#streamError = null
    const id = textAt(line, 'sessionID')
    if (id && !this.#session) this.#session = { id, model: null, turns: 0, messages: 0, toolCalls: 0 }
    const part = objectAt(line, 'part')
    switch (line.type) {
      case 'text':
        if (this.#session) this.#session.messages++
        this.#final = textAt(part, 'text')
        this.#last = cut(this.#final ?? '', SUMMARY_CHARS)
        return this.#last || null
      case 'tool_use':
        if (this.#session) this.#session.toolCalls++
        this.activity.call(JSON.stringify([textAt(part, 'tool'), objectAt(part, 'state', 'input')]))
        if (isSubagent(part)) this.#hasSubagents = true
        return toolLine(part)
      case 'step_finish':
        if (this.#session) this.#session.turns++
        this.activity.turn()
        this.#usage = added(this.#usage, part)
        this.usageSoFar = { usage: this.#usage }
        this.#stopped = textAt(part, 'reason') === 'stop'
        return null
      case 'error':
        this.#error = objectAt(line, 'error')
        return null
      default:
        return null
    }
  }

  result(end: ProcessEnd): AgentResult {
    const said = { summary: this.#last || null, final: this.#final }
    // A subagent that was at work when it ended was not told of at all.
    const counted = { usage: this.#usage, isUsageAlone: !this.#stopped, hasSubagents: this.#hasSubagents }
    const none = { ...counted, ...said, session: this.#session, limited: null }
    if (this.#error) {
      const message = textAt(this.#error, 'data', 'message') ?? textAt(this.#error, 'name') ?? ''
      const status = countAt(this.#error, 'data', 'statusCode') || null
      const retryAfter = Number(textAt(this.#error, 'data', 'responseHeaders', 'retry-after') ?? Number.NaN)
      return { ...none, ...providerTrouble(message, status, Number.isFinite(retryAfter) ? retryAfter : null) }
    }
    if (this.#streamError !== null) return { ...none, ...heldUp(this.#streamError, null) }
    if (!this.#stopped) return { ...none, failure: endedWithoutResult('opencode', end, this.#last) }
    return { ...none, failure: null }
  }
}

/** It has a conversation of its own. */
function isSubagent(part: Json | null): boolean {
  return textAt(part, 'tool') === 'task' && textAt(part, 'state', 'metadata', 'sessionId') !== null
}

function toolLine(part: Json | null): string {
  const input = objectAt(part, 'state', 'input')
  const what = textAt(input, 'filePath') ?? textAt(input, 'command') ?? ''
  return cut(`${textAt(part, 'tool') ?? 'tool'} ${what}`.trim(), SUMMARY_CHARS)
}

function added(before: Usage | null, part: Json | null): Usage {
  return {
    inputTokens: (before?.inputTokens ?? 0) + countAt(part, 'tokens', 'input'),
    // It tells apart what the model said and what it thought.
    outputTokens:
      (before?.outputTokens ?? 0) + countAt(part, 'tokens', 'output') + countAt(part, 'tokens', 'reasoning'),
    cacheReadTokens: (before?.cacheReadTokens ?? 0) + countAt(part, 'tokens', 'cache', 'read'),
    cacheWriteTokens: (before?.cacheWriteTokens ?? 0) + countAt(part, 'tokens', 'cache', 'write'),
    reasoningTokens: (before?.reasoningTokens ?? 0) + countAt(part, 'tokens', 'reasoning'),
    costUsd: (before?.costUsd ?? 0) + countAt(part, 'cost'),
  }
}

const SUMMARY_CHARS = 2_000
