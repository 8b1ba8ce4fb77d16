// opencode. Tokens and cost come step by step. Usage of subagents is only in its database.
import { addUsage, NO_USAGE } from '../../usage.ts'
import type { Agent, AgentResult, ProcessEnd } from '../agent.ts'
import type { Environment } from '../facts.ts'
import { MCP_NAME, type McpServer, settingsIn } from '../mcp-server.ts'
import { ProtocolReader } from '../protocol-reader.ts'
import { heldUp, providerTrouble } from '../provider-trouble.ts'
import { countAt, type Json, objectAt, textAt } from '../read-json-fields.ts'
import { type Part, toolTarget } from '../transcript.ts'
import { opencode } from './facts.ts'
import { isInDatabase, opencodeUsage, usageInDatabase } from './usage-in-database.ts'

export function opencodeAgent(program = 'opencode', args: readonly string[] = []): Agent {
  return {
    ...opencode,
    name: 'opencode',
    invoke: ({ model, resume, mcp }) => ({
      argv: [
        ...[program, 'run', '--format', 'json', '--auto'],
        // Only its log tells that it waits for its provider.
        ...['--print-logs', '--log-level', 'ERROR'],
        ...(model === null ? [] : ['-m', model]),
        // Otherwise it asks its model for a title, and reports no cost for that.
        ...(resume === null ? ['--title', TITLE] : ['--session', resume]),
        ...args,
      ],
      stdin: 'prompt',
      stderr: 'merge',
      env: mcp ? opencodeSettings(mcp.environment, (known) => withServer(known, mcp)) : {},
    }),
    reader: () => new OpencodeReader(opencodeParts),
    parts: opencodeParts,
    usageOf: usageInDatabase,
    findsConversation: isInDatabase,
  }
}

const TITLE = 'Espalier'

/** The user's servers stay. */
function withServer(known: Json, { command, args, env }: McpServer): Json {
  const mine = { type: 'local', command: [command, ...args], environment: env, enabled: true }
  return { mcp: { ...objectAt(known, 'mcp'), [MCP_NAME]: mine } }
}

/** Its settings in one variable, on top of all files. Those of the user stay. `add`: settings to add to the known ones. */
export function opencodeSettings(environment: Environment, add: (known: Json) => Json): Record<string, string> {
  const known = settingsIn(environment[VARIABLE] || '{}')
  return known ? { [VARIABLE]: JSON.stringify({ ...known, ...add(known) }) } : {}
}

/**
 * Turns off titles: it asks its model for one of each conversation, and reports no cost. Only `opencode run` can be
 * given one.
 */
export function withoutTitles(known: Json): Json {
  return { agent: { ...objectAt(known, 'agent'), title: { ...objectAt(known, 'agent', 'title'), disable: true } } }
}

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'

class OpencodeReader extends ProtocolReader {
  #hasSubagents = false
  #isDone = false
  #error: Json | null = null

  protected override log(text: string): void {
    // Its small questions besides hold nothing up.
    if (/^timestamp=.*message="stream error".* small=false/.test(text))
      this.waiting = { said: /error\.error="(?<said>.*)"/.exec(text)?.groups?.said ?? 'an error', until: null }
  }

  protected take(line: Json): void {
    this.waiting = null
    if (!this.session) this.begin(textAt(line, 'sessionID'))
    const part = objectAt(line, 'part')
    switch (line.type) {
      case 'text':
        this.message(textAt(part, 'text') ?? '')
        break
      case 'tool_use': {
        const tool = textAt(part, 'tool')
        this.call(JSON.stringify([tool, objectAt(part, 'state', 'input')]))
        // A subagent has a conversation of its own.
        if (tool === 'task' && textAt(part, 'state', 'metadata', 'sessionId') !== null) this.#hasSubagents = true
        break
      }
      case 'step_finish':
        if (this.session) this.session.turns++
        this.activity.turn()
        this.usageSoFar = { usage: addUsage(this.usageSoFar?.usage ?? NO_USAGE, opencodeUsage(part)) }
        this.#isDone = textAt(part, 'reason') === 'stop'
        break
      case 'error':
        this.#error = objectAt(line, 'error')
    }
  }

  result(end: ProcessEnd): AgentResult {
    // A subagent that was at work at the end was not told of at all.
    const isUsagePartial = !this.#isDone || this.#hasSubagents
    const uncounted = this.#hasSubagents ? { uncounted: 'what its subagents used' } : {}
    const none = { ...this.said, usage: this.usageSoFar?.usage ?? null, isUsagePartial, ...uncounted }
    if (this.#error) {
      const status = countAt(this.#error, 'data', 'statusCode') || null
      const retryAfter = Number(textAt(this.#error, 'data', 'responseHeaders', 'retry-after') ?? Number.NaN)
      return {
        ...none,
        ...providerTrouble(errorText(this.#error) ?? '', status, Number.isFinite(retryAfter) ? retryAfter : null),
      }
    }
    if (this.waiting) return { ...none, ...heldUp(this.waiting) }
    return { ...none, failure: this.#isDone ? null : this.unfinished(opencode.title, end) }
  }
}

function opencodeParts(line: Json): Part[] {
  const part = objectAt(line, 'part')
  switch (line.type) {
    case 'text':
      return [{ kind: 'said', text: textAt(part, 'text') ?? '' }]
    case 'tool_use':
      return [toolPart(part)]
    case 'error':
      return [{ kind: 'note', text: errorText(objectAt(line, 'error')) ?? 'an error' }]
    default:
      return []
  }
}

function errorText(error: Json | null): string | null {
  return textAt(error, 'data', 'message') ?? textAt(error, 'name')
}

function toolPart(part: Json | null): Part {
  const state = objectAt(part, 'state')
  const exit = objectAt(state, 'metadata')?.exit
  const ok = state?.status !== 'error' && (typeof exit !== 'number' || exit === 0)
  return {
    kind: 'used',
    tool: textAt(part, 'tool') ?? 'tool',
    what: toolTarget(objectAt(state, 'input')) ?? textAt(state, 'title'),
    ok,
    output: textAt(state, 'error') ?? textAt(state, 'output'),
  }
}
