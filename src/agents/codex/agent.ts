// Codex. Tokens are counted from the start of the conversation, also after it was resumed. It reports no cost.

import type { Agent, AgentResult, ProcessEnd } from '../agent.ts'
import { MCP_NAME, type McpServer } from '../mcp-server.ts'
import { ProtocolReader } from '../protocol-reader.ts'
import { heldUp, providerTrouble } from '../provider-trouble.ts'
import { type Json, listAt, objectAt, textAt } from '../read-json-fields.ts'
import { type Part, toolTarget } from '../transcript.ts'
import { codex } from './facts.ts'
import { codexUsage, findRollout, usageInRollout } from './usage-in-files.ts'

export function codexAgent(program = 'codex', args: readonly string[] = []): Agent {
  return {
    ...codex,
    name: 'codex',
    invoke: ({ model, resume, mcp }) => ({
      argv: [
        ...[program, 'exec', ...(resume === null ? [] : ['resume'])],
        // The engine guards the worktree; in its own sandbox it could not commit there.
        ...['--json', '--dangerously-bypass-approvals-and-sandbox'],
        ...(model === null ? [] : ['-m', model]),
        // Both look for the network at the end, which takes seconds without one.
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
    reader: () => new CodexReader(codexParts),
    parts: codexParts,
    usageOf: usageInRollout,
    findsConversation: async (session, environment) => (await findRollout(session, environment)) !== null,
  }
}

/**
 * TOML takes a text as JSON writes it. Variables by name only: everybody on the machine can read arguments. `required`:
 * otherwise it begins without the tools if the server is not there in an instant.
 */
function mcpSettings({ command, args, env }: McpServer): string[] {
  const settings = { command, args, env_vars: Object.keys(env), startup_timeout_sec: STARTUP_S, required: true }
  return Object.entries(settings).flatMap(([key, value]) => [
    '-c',
    `mcp_servers.${MCP_NAME}.${key}=${JSON.stringify(value)}`,
  ])
}

const STARTUP_S = 60

class CodexReader extends ProtocolReader {
  #isCompleted = false
  #error: string | null = null

  protected take(line: Json): void {
    if (line.type !== 'error') this.waiting = null
    switch (line.type) {
      case 'thread.started':
        this.begin(textAt(line, 'thread_id'))
        break
      case 'turn.started':
        this.activity.turn()
        break
      case 'item.completed':
        this.#item(objectAt(line, 'item'))
        break
      case 'turn.completed':
        this.#isCompleted = true
        this.usageSoFar = { usage: codexUsage(objectAt(line, 'usage')), countsConversation: true }
        if (this.session) this.session.turns++
        break
      case 'turn.failed':
        this.#error = textAt(line, 'error', 'message') ?? 'the turn failed'
        break
      case 'error': {
        const message = textAt(line, 'message') ?? 'an error'
        // It says more of these errors afterwards.
        if (message.startsWith('Reconnecting')) this.waiting = { said: message, until: null }
        else this.#error = message
      }
    }
  }

  result(end: ProcessEnd): AgentResult {
    // Its output has nothing of its subagents' usage.
    const used = { usage: this.usageSoFar?.usage ?? null, countsConversation: true, isUsagePartial: true }
    const none = { ...this.said, ...used }
    if (this.#error !== null) return { ...none, ...providerTrouble(this.#error, null) }
    if (this.waiting) return { ...none, ...heldUp(this.waiting) }
    return { ...none, failure: this.#isCompleted ? null : this.unfinished(codex.title, end) }
  }

  #item(item: Json | null): void {
    const [part] = itemParts(item)
    if (part?.kind === 'said') this.message(part.text)
    if (part?.kind === 'used') this.call(callOf(item))
  }
}

/** A change to a file is told by its path only. */
function callOf(item: Json | null): string | null {
  if (!item || item.type === 'file_change') return null
  return JSON.stringify([item.type, item.command, item.server, item.tool, item.arguments, item.query])
}

function codexParts(line: Json): Part[] {
  switch (line.type) {
    case 'item.completed':
      return itemParts(objectAt(line, 'item'))
    case 'error':
      return [{ kind: 'note', text: textAt(line, 'message') ?? 'an error' }]
    default:
      return []
  }
}

function itemParts(item: Json | null): Part[] {
  const ok = item?.status !== 'failed' && item?.status !== 'declined'
  switch (item?.type) {
    case 'agent_message':
      return [{ kind: 'said', text: textAt(item, 'text') ?? '' }]
    case 'error':
      return [{ kind: 'note', text: textAt(item, 'message') ?? 'an error' }]
    case 'command_execution': {
      const passed = ok && (item.exit_code === 0 || item.exit_code === null)
      const what = bareCommand(textAt(item, 'command') ?? '')
      return [{ kind: 'used', tool: 'shell', what, ok: passed, output: textAt(item, 'aggregated_output') }]
    }
    case 'file_change': {
      const what = listAt(item, 'changes').map(changeText).join(', ')
      return [{ kind: 'used', tool: 'edit', what, ok, output: null }]
    }
    case 'mcp_tool_call': {
      const tool = [textAt(item, 'server'), textAt(item, 'tool')].filter((name) => name !== null).join('.')
      const what = toolTarget(objectAt(item, 'arguments'))
      return [{ kind: 'used', tool: tool || 'tool', what, ok, output: textAt(item, 'error', 'message') }]
    }
    case 'web_search':
      return [{ kind: 'used', tool: 'search', what: textAt(item, 'query'), ok, output: null }]
    default:
      return []
  }
}

function changeText(change: unknown): string {
  return `${textAt(change, 'kind') ?? ''} ${textAt(change, 'path') ?? ''}`.trim()
}

/** Without the shell around it, the same for every command. */
function bareCommand(command: string): string {
  const [, quoted] = /^\S*sh -lc '([^']*)'$/.exec(command) ?? []
  return quoted ?? command.replace(/^\S*sh -lc /, '')
}
