// Claude Code. Tokens are counted from the start of the process, the cost from the start of the conversation.
//
// Only its `result` line says how it ended: an interrupt exits with 0 and no result, an error of the provider has the
// subtype `success` with `is_error`, and a write that was denied does not show in the status at all.
import type { Failure } from '../failure.ts'
import { addUsage, NO_USAGE, type Usage } from '../usage.ts'
import { Activity } from './activity.ts'
import type { Agent, AgentReader, AgentResult, ProcessEnd } from './agent.ts'
import { cut } from './cut.ts'
import { countAt, type Json, jsonLine, listAt, objectAt, textAt } from './json-line.ts'
import { endedWithoutResult } from './no-result.ts'
import { costOf, priceOf } from './prices.ts'
import { heldUp, providerTrouble } from './provider-trouble.ts'

export function claudeAgent(program = 'claude', args: readonly string[] = []): Agent {
  return {
    name: 'claude',
    variables: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_*', 'CLOUD_ML_REGION', 'VERTEX_*'],
    counters: { tokens: 'process', cost: 'session' },
    invoke: ({ model, newSession, resume }) => ({
      argv: [
        ...[program, '-p', '--output-format', 'stream-json', '--verbose'],
        ...['--permission-mode', 'bypassPermissions'],
        ...(model === null ? [] : ['--model', model]),
        ...(resume === null ? ['--session-id', newSession] : ['--resume', resume]),
        ...args,
      ],
      stdin: 'prompt',
      stderr: 'separate',
      env: {
        DISABLE_AUTOUPDATER: '1',
        // By itself it tries ten times. A short trouble is worth no new start; a longer one is the engine's to wait for.
        CLAUDE_CODE_MAX_RETRIES: '2',
        ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
      },
    }),
    reader: () => new ClaudeReader(),
  }
}

class ClaudeReader implements AgentReader {
  readonly activity = new Activity()
  #message: string | null = null
  #session: AgentResult['session'] = null
  #result: Json | null = null
  #retryAfterS: number | null = null
  #waitUntil: number | null = null
  /** From a `rate_limit_event`. */
  #resetAt: number | null = null
  #last = ''
  #isHeldUp = false
  /** By its messages: of a process that was ended this is all there is. Of the last one, and of those before it. */
  #usage: { last: Usage; before: Usage } | null = null

  get isHeldUp(): boolean {
    return this.#isHeldUp
  }

  line(text: string): string | null {
    const line = jsonLine(text)
    switch (line?.type) {
      case 'system':
        return this.#system(line)
      case 'assistant':
        return this.#assistant(line)
      case 'rate_limit_event': {
        const resetsAt = countAt(line, 'rate_limit_info', 'resetsAt')
        if (resetsAt > 0) this.#resetAt = resetsAt * 1000
        return null
      }
      case 'result':
        this.#result = line
        return null
      default:
        return null
    }
  }

  result(end: ProcessEnd): AgentResult {
    const result = this.#result
    const none = { summary: this.#last || null, session: this.#session, limited: null }
    if (!result) {
      const usage = { usage: this.#usageSoFar(), isUsageAlone: true }
      if (this.#isHeldUp) return { ...none, ...usage, ...heldUp('it was told to wait', this.#waitUntil) }
      return { ...none, ...usage, failure: endedWithoutResult('Claude Code', end, this.#last) }
    }
    if (this.#session) this.#session.turns = countAt(result, 'num_turns')
    const said = textAt(result, 'result')
    const summary = said === null ? none.summary : cut(said, SUMMARY_CHARS)
    return { ...none, usage: usageOf(result), summary, final: said, ...this.#failure(result) }
  }

  #failure(result: Json): { failure: Failure | null; limited: AgentResult['limited'] } {
    const subtype = textAt(result, 'subtype') ?? ''
    const said = textAt(result, 'result') ?? subtype
    if (subtype === 'error_max_budget_usd') return plain('budget', 'it used up its budget')
    if (subtype === 'error_max_turns') return plain('agent-failed', 'it used up its turns')
    if (result.is_error === true) {
      const status = countAt(result, 'api_error_status') || null
      const { failure, limited } = providerTrouble(said, status, this.#retryAfterS)
      return { failure, limited: limited && { until: this.#resetAt ?? limited.until } }
    }
    if (subtype !== 'success') return plain('agent-failed', `it ended with ${subtype || 'an unknown result'}: ${said}`)
    const denied = listAt(result, 'permission_denials').map((one) => textAt(one, 'tool_name') ?? 'a tool')
    if (denied.length === 0) return { failure: null, limited: null }
    return plain('refused', `it was not allowed to use ${[...new Set(denied)].join(', ')} (${denied.length} times)`)
  }

  #system(line: Json): null {
    if (line.subtype === 'init') {
      const id = textAt(line, 'session_id')
      if (id) this.#session = { id, model: textAt(line, 'model'), turns: 0, messages: 0, toolCalls: 0 }
    }
    if (line.subtype === 'api_retry') {
      this.#retryAfterS = countAt(line, 'retry_delay_ms') / 1000
      this.#waitUntil = Date.now() + this.#retryAfterS * 1000
      this.#isHeldUp = true
    }
    return null
  }

  #count(last: Usage, isNew: boolean): void {
    const { last: earlier, before } = this.#usage ?? { last: NO_USAGE, before: NO_USAGE }
    this.#usage = { last, before: isNew ? addUsage(before, earlier) : before }
  }

  /** What it read is exact; of what it wrote each message tells only how it began. */
  #usageSoFar(): Usage | null {
    if (!this.#usage) return null
    const usage = addUsage(this.#usage.before, this.#usage.last)
    const price = this.#session?.model ? priceOf(this.#session.model) : null
    return price ? { ...usage, costUsd: costOf(usage, price) } : usage
  }

  #assistant(line: Json): string | null {
    if (this.#session) this.#session.messages++
    // One message comes in several lines, one for each of its parts.
    const message = textAt(line, 'message', 'id')
    const isNew = message === null || message !== this.#message
    if (isNew) this.activity.turn()
    this.#message = message
    this.#isHeldUp = false
    this.#count(usageOf(objectAt(line, 'message') ?? {}), isNew)
    const parts = listAt(line, 'message', 'content')
    for (const part of parts) if (objectAt(part)?.type === 'tool_use') this.activity.call(callOf(objectAt(part)))
    if (this.#session) this.#session.toolCalls += parts.filter((part) => objectAt(part)?.type === 'tool_use').length
    const said = parts.flatMap((part) => textAt(part, 'text') ?? []).join(' ')
    if (said.trim() !== '') this.#last = cut(said, SUMMARY_CHARS)
    const tool = parts.map((part) => toolLine(objectAt(part))).find((one) => one !== null)
    return said.trim() === '' ? (tool ?? null) : this.#last
  }
}

function callOf(part: Json | null): string {
  return JSON.stringify([part?.name, part?.input])
}

/** `Write src/a.ts` */
function toolLine(part: Json | null): string | null {
  if (part?.type !== 'tool_use') return null
  const what = textAt(part, 'input', 'file_path') ?? textAt(part, 'input', 'command') ?? ''
  return cut(`${textAt(part, 'name') ?? 'tool'} ${what}`.trim(), SUMMARY_CHARS)
}

function usageOf(result: Json): Usage {
  return {
    inputTokens: countAt(result, 'usage', 'input_tokens'),
    outputTokens: countAt(result, 'usage', 'output_tokens'),
    cacheReadTokens: countAt(result, 'usage', 'cache_read_input_tokens'),
    cacheWriteTokens: countAt(result, 'usage', 'cache_creation_input_tokens'),
    reasoningTokens: countAt(result, 'usage', 'output_tokens_details', 'thinking_tokens'),
    costUsd: countAt(result, 'total_cost_usd'),
  }
}

function plain(reason: Failure['reason'], message: string) {
  return { failure: { reason, message }, limited: null }
}

const SUMMARY_CHARS = 2_000
