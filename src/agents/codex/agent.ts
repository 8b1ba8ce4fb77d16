// Codex. Tokens are counted from the start of the conversation, also after it was resumed. It tells no cost.

import { cut } from '../../text/cut.ts'
import type { Usage } from '../../usage.ts'
import { Activity } from '../activity.ts'
import type { Agent, AgentReader, AgentResult, ProcessEnd, UsageSoFar } from '../agent.ts'
import { endedWithoutResult } from '../agent.ts'
import { type Json, jsonLine, objectAt, textAt } from '../json-line.ts'
import { MCP_NAME, type McpServer } from '../mcp-server.ts'
import { heldUp, providerTrouble } from '../provider-trouble.ts'
import { findRollout, modelInRollout, usageInRollout } from './conversation.ts'
import { codexUsage } from './usage.ts'

export function codexAgent(program = 'codex', args: readonly string[] = []): Agent {
  return {
    name: 'codex',
    variables: ['OPENAI_*', 'CODEX_*'],
    counters: { tokens: 'session', cost: 'none' },
    invoke: ({ model, resume, mcp }) => ({
      argv: [
        ...[program, 'exec', ...(resume === null ? [] : ['resume'])],
        // The worktree is the engine's to guard, and in its own sandbox it could not commit there.
        ...['--json', '--dangerously-bypass-approvals-and-sandbox'],
        ...(model === null ? [] : ['-m', model]),
        // They look for the network when it ends, which takes seconds without one.
        ...['--disable', 'plugins', '--disable', 'apps', '-c', 'analytics.enabled=false'],
        ...['-c', 'otel.metrics_exporter="none"'],
        ...(mcp ? mcpSettings(mcp) : []),
        ...args,
        ...(resume === null ? [] : [resume]),
        '-',
      ],
      stdin: 'prompt',
      stderr: 'separate',
      env: {},
    }),
    reader: () => new CodexReader(),
    usageOnDisk: usageInRollout,
    isDiskAlone: true,
    modelOnDisk: modelInRollout,
    findsConversation: async (session, environment) => (await findRollout(session, environment)) !== null,
  }
}

/**
 * TOML takes a text as JSON writes it. The variables by name only: everybody on the machine can read arguments. And
 * `required`: otherwise it begins without the tools where the server is not there in an instant.
 */
function mcpSettings({ command, args, env }: McpServer): string[] {
  const settings = { command, args, env_vars: Object.keys(env), startup_timeout_sec: STARTUP_S, required: true }
  return Object.entries(settings).flatMap(([key, value]) => [
    '-c',
    `mcp_servers.${MCP_NAME}.${key}=${JSON.stringify(value)}`,
  ])
}

/** For a machine that is busy. */
const STARTUP_S = 60

class CodexReader implements AgentReader {
  readonly activity = new Activity()
  #session: AgentResult['session'] = null
  #usage: Usage | null = null
  usageSoFar: UsageSoFar | null = null
  #completed = false
  #error: string | null = null
  #last = ''
  #final: string | null = null
  /** What it said when it began to try again by itself. */
  #reconnecting: string | null = null

  get isWaiting(): boolean {
    return this.#reconnecting !== null
  }

  line(text: string): string | null {
    const line = jsonLine(text)
    if (line && line.type !== 'error') this.#reconnecting = null
    switch (line?.type) {
      case 'thread.started': {
        const id = textAt(line, 'thread_id')
        if (id) this.#session = { id, model: null, turns: 0, messages: 0, toolCalls: 0 }
        return null
      }
      case 'turn.started':
        this.activity.turn()
        return null
      case 'item.completed':
        return this.#item(objectAt(line, 'item'))
      case 'turn.completed':
        this.#completed = true
        this.#usage = codexUsage(objectAt(line, 'usage'))
        this.usageSoFar = { usage: this.#usage }
        if (this.#session) this.#session.turns++
        return null
      case 'turn.failed':
        this.#error = textAt(line, 'error', 'message') ?? 'the turn failed'
        return null
      case 'error': {
        const message = textAt(line, 'message') ?? 'an error'
        // Of those it says more afterwards.
        if (message.startsWith('Reconnecting')) this.#reconnecting = message
        else this.#error = message
        return cut(message, SUMMARY_CHARS)
      }
      default:
        return null
    }
  }

  result(end: ProcessEnd): AgentResult {
    const said = { summary: this.#last || null, final: this.#final }
    // Of what its subagents used its output tells nothing.
    const none = { usage: this.#usage, isUsagePartial: true, ...said, session: this.#session, limited: null }
    if (this.#error !== null) return { ...none, ...providerTrouble(this.#error, null) }
    if (this.#reconnecting !== null) return { ...none, ...heldUp(this.#reconnecting, null) }
    if (!this.#completed) return { ...none, failure: endedWithoutResult('Codex', end, this.#last) }
    return { ...none, failure: null }
  }

  #item(item: Json | null): string | null {
    const kind = textAt(item, 'type')
    if (!item || kind === null) return null
    if (kind === 'agent_message') {
      if (this.#session) this.#session.messages++
      this.#final = textAt(item, 'text')
      this.#last = cut(this.#final ?? '', SUMMARY_CHARS)
      return this.#last || null
    }
    if (!TOOLS.has(kind)) return null
    if (this.#session) this.#session.toolCalls++
    this.activity.call(callOf(kind, item))
    return cut(
      `${kind.replaceAll('_', ' ')} ${textAt(item, 'command') ?? textAt(item, 'tool') ?? ''}`.trim(),
      SUMMARY_CHARS,
    )
  }
}

/** Of a change to a file it tells the path only. */
function callOf(kind: string, item: Json): string | null {
  if (kind === 'file_change') return null
  return JSON.stringify([kind, item.command, item.server, item.tool, item.arguments, item.query])
}

const TOOLS = new Set(['command_execution', 'file_change', 'mcp_tool_call', 'web_search'])
const SUMMARY_CHARS = 2_000
