// Claude Code. Tokens and cost are counted from the start of the conversation, with those of its subagents.
//
// Only its `result` line says how it ended: an interrupt exits with 0 and no result, an error of the provider has the
// subtype `success` with `is_error`, and a write that was denied does not show in the status at all.
//
// A subagent works in a conversation of its own whose lines stand among those of the main one (`parent_tool_use_id`). One in
// the background may end when the main conversation has ended: then that goes on, with another `init` and another `result`.
import { join } from 'node:path'
import type { Failure } from '../../event.ts'
import { programCommand } from '../../files/package-file.ts'
import { cut } from '../../text/cut.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Agent, AgentResult, HookFiles, ProcessEnd } from '../agent.ts'
import { mcpServers } from '../mcp-server.ts'
import { withCost } from '../prices.ts'
import { ProtocolReader, SUMMARY_CHARS } from '../protocol-reader.ts'
import { heldUp, plain, providerTrouble } from '../provider-trouble.ts'
import { countAt, type Json, listAt, objectAt, textAt } from '../read-json-fields.ts'
import { type Part, toolTarget } from '../transcript.ts'
import { claude } from './facts.ts'
import { AnswersUsage, claudeUsage, conversationUsage, findTranscript, usageInProject } from './usage-in-files.ts'

export function claudeAgent(program = 'claude', args: readonly string[] = []): Agent {
  return {
    ...claude,
    name: 'claude',
    invoke: ({ model, newSession, resume, budgetUsd, hooks, mcp }) => {
      const settings = hooks && !hasOwnSettings(args) ? { path: hooks.settings, text: claudeHooks(hooks) } : null
      // Always loaded: an agent that had to search for six small tools first would not use them.
      const text = mcp ? JSON.stringify(mcpServers(mcp, { alwaysLoad: true })) : ''
      const servers = mcp ? { path: join(mcp.folder, 'mcp.json'), text } : null
      return {
        argv: [
          ...[program, '-p', '--output-format', 'stream-json', '--verbose'],
          ...['--permission-mode', 'bypassPermissions'],
          ...(model === null ? [] : ['--model', model]),
          ...(resume === null ? ['--session-id', newSession] : ['--resume', resume]),
          ...(budgetUsd === undefined ? [] : ['--max-budget-usd', dollars(budgetUsd)]),
          ...(settings === null ? [] : ['--settings', settings.path]),
          // With `=`: otherwise it takes the next words for more of them. Those of the user stay.
          ...(servers === null ? [] : [`--mcp-config=${servers.path}`]),
          ...args,
        ],
        stdin: 'prompt',
        stderr: 'separate',
        env: {
          DISABLE_AUTOUPDATER: '1',
          ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
        },
        files: [settings, servers].filter((file) => file !== null),
      }
    },
    reader: (prices) => new ClaudeReader(claudeParts, prices),
    parts: claudeParts,
    usageOf: usageInProject,
    findsConversation: async (session, environment) => (await findTranscript(session, environment)) !== null,
  }
}

/** It takes one such file only, and the user's own comes first. */
function hasOwnSettings(args: readonly string[]): boolean {
  return args.some((arg) => arg === '--settings' || arg.startsWith('--settings='))
}

class ClaudeReader extends ProtocolReader {
  /** The last one, unless the conversation has gone on since. */
  #result: Json | null = null
  /** Denials of all results: each result has those of its own part of the conversation. */
  readonly #denials = new Map<string, unknown>()
  #retryAfterS: number | null = null
  /** From the last `rate_limit_event`. */
  #resetAt: number | null = null
  /** All there is of a process that was ended. */
  readonly #answers = new AnswersUsage()
  newestAnswer: string | null = null

  protected take(line: Json): void {
    if (line.type === 'system') this.#system(line)
    if (line.type === 'assistant') this.#assistant(line)
    if (line.type === 'rate_limit_event') this.#resetAt = resetAt(line)
    if (line.type === 'result') this.#ended(line)
  }

  result(end: ProcessEnd): AgentResult {
    const result = this.#result
    const { said } = this
    if (!result) {
      const none = { ...said, usage: this.usageSoFar?.usage ?? null, isUsagePartial: true }
      if (this.waiting) return { ...none, ...heldUp(this.waiting) }
      return { ...none, failure: this.unfinished(claude.title, end) }
    }
    const final = textAt(result, 'result')
    const summary = final === null ? said.summary : cut(final, SUMMARY_CHARS)
    const used = { usage: conversationUsage(result), countsConversation: true }
    return { ...said, ...used, summary, final, ...this.#failure(result) }
  }

  #failure(result: Json): Pick<AgentResult, 'failure' | 'limited' | 'denied'> {
    const subtype = textAt(result, 'subtype') ?? ''
    const said = textAt(result, 'result') ?? subtype
    if (subtype === 'error_max_budget_usd') return plain('budget', 'it used up the money it had for this')
    if (subtype === 'error_max_turns') return plain('agent-failed', 'it used up its turns')
    // With any other subtype the words may be the model's.
    if (result.is_error === true && subtype === 'success') {
      const status = countAt(result, 'api_error_status') || null
      const { failure, limited } = providerTrouble(said, status, this.#retryAfterS)
      return { failure, limited: limited && { until: this.#resetAt ?? limited.until } }
    }
    if (subtype !== 'success') return plain('agent-failed', `it ended with ${subtype || 'an unknown result'}: ${said}`)
    return { failure: null, limited: null, denied: deniedFailure([...this.#denials.values()]) }
  }

  #system(line: Json): void {
    if (line.subtype === 'init') {
      // It goes on after all: that was not its last word.
      this.#result = null
      this.begin(textAt(line, 'session_id'), textAt(line, 'model'))
    }
    if (line.subtype === 'api_retry') {
      const status = countAt(line, 'error_status') || null
      const delayMs = providersDelay(line)
      this.#retryAfterS = delayMs === null ? null : delayMs / 1000
      // Waiting does not bring a login back.
      const isInVain = status === 401 || status === 403
      const until = isInVain ? Number.POSITIVE_INFINITY : delayMs === null ? null : Date.now() + delayMs
      const said = line.error_status === null ? 'connection error: no answer' : 'it was told to wait'
      this.waiting = { said, until, status }
    }
  }

  #ended(result: Json): void {
    this.#result = result
    if (this.session) this.session.turns += countAt(result, 'num_turns')
    for (const denial of listAt(result, 'permission_denials'))
      this.#denials.set(textAt(denial, 'tool_use_id') ?? JSON.stringify(denial), denial)
  }

  /** Returns whether it is a new answer. */
  #count(message: Json): boolean {
    // A subagent may have a model of its own.
    const model = textAt(message, 'model') ?? this.session?.model ?? ''
    // Input is exact; of the output such a line has only the beginning.
    const usage = withCost(claudeUsage(message), model, this.prices)
    const answer = textAt(message, 'id')
    const isNew = this.#answers.count(answer, usage)
    this.newestAnswer = answer ?? this.newestAnswer
    this.usageSoFar = { usage: this.#answers.total }
    return isNew
  }

  #assistant(line: Json): void {
    this.waiting = null
    const subagent = textAt(line, 'parent_tool_use_id')
    // As `num_turns` of its result: the answers of the main conversation.
    if (this.#count(objectAt(line, 'message') ?? {}) && subagent === null) this.activity.turn()
    const parts = listAt(line, 'message', 'content').map((part) => objectAt(part))
    // With the subagent: several that begin with the same call go round in no circle.
    for (const part of parts)
      if (part?.type === 'tool_use') this.call(JSON.stringify([subagent, part.name, part.input]))
    const text = parts.flatMap((part) => textAt(part, 'text') ?? []).join(' ')
    if (this.session) this.session.messages++
    if (text.trim() !== '' && subagent === null) this.summary = cut(text, SUMMARY_CHARS)
  }
}

/**
 * End of a limit that refuses its questions. Other limits let it work (`allowed`), or beyond them at a cost: their end,
 * which may be hours away, has nothing to do with an error that follows.
 */
function resetAt(line: Json): number | null {
  const info = objectAt(line, 'rate_limit_info')
  const resetsAt = countAt(info, 'resetsAt')
  const refuses = info?.status === 'rejected' && info.isUsingOverage !== true
  return refuses && resetsAt > 0 ? resetsAt * 1000 : null
}

/** Wait that the provider asks for; null: its own guess, half a second, and twice as long each time. */
function providersDelay(line: Json): number | null {
  const delayMs = countAt(line, 'retry_delay_ms')
  const own = Math.min(OWN_DELAY_MAX_MS, OWN_DELAY_MS * 2 ** Math.max(0, countAt(line, 'attempt') - 1))
  return delayMs > own * OWN_DELAY_SPREAD ? delayMs : null
}

const OWN_DELAY_MS = 500
const OWN_DELAY_MAX_MS = 32_000
/** It adds up to a quarter by chance. */
const OWN_DELAY_SPREAD = 1.3

/** Denied by a hook, of Espalier's or of the user's, or by the user's rules. */
function deniedFailure(denials: readonly unknown[]): Failure | null {
  if (denials.length === 0) return null
  const tools = new Set(denials.map((one) => textAt(one, 'tool_name') ?? 'a tool'))
  const paths = new Set(denials.flatMap((one) => textAt(one, 'tool_input', 'file_path') ?? []))
  const what = [...paths].slice(0, MAX_DENIED).map((path) => cut(path, PATH_CHARS))
  const times = denials.length === 1 ? 'once' : `${denials.length} times`
  const message = `it was not allowed to use ${[...tools].join(', ')} (${times})${what.length > 0 ? `: ${what.join(', ')}` : ''}`
  return { reason: 'refused', message }
}

/** At least something: otherwise it would not start. */
function dollars(usd: number): string {
  return Math.max(0.0001, usd).toFixed(4)
}

const PATH_CHARS = 300
const MAX_DENIED = 10

function claudeParts(line: Json): Part[] {
  switch (line.type) {
    case 'assistant':
      return listAt(line, 'message', 'content').flatMap((part) => assistantPart(objectAt(part)))
    case 'user':
      return listAt(line, 'message', 'content').flatMap((part) => resultPart(objectAt(part)))
    case 'system':
      return line.subtype === 'api_retry' ? [{ kind: 'note', text: retryText(line) }] : []
    case 'result':
      // Its last words are there already, unless it is an error of its own.
      return line.is_error === true && line.subtype !== 'success'
        ? [{ kind: 'note', text: `it ended with ${textAt(line, 'subtype') ?? 'an error'}` }]
        : []
    default:
      return []
  }
}

function assistantPart(part: Json | null): Part[] {
  if (part?.type === 'text') return [{ kind: 'said', text: textAt(part, 'text') ?? '' }]
  if (part?.type !== 'tool_use') return []
  const tool = textAt(part, 'name') ?? 'tool'
  return [{ kind: 'call', id: textAt(part, 'id') ?? '', tool, what: toolTarget(objectAt(part, 'input')) }]
}

function resultPart(part: Json | null): Part[] {
  if (part?.type !== 'tool_result') return []
  const id = textAt(part, 'tool_use_id') ?? ''
  return [{ kind: 'result', id, ok: part.is_error !== true, output: outputOf(part) }]
}

function outputOf(part: Json): string | null {
  const texts = listAt(part, 'content').flatMap((one) => textAt(one, 'text') ?? [])
  return textAt(part, 'content') ?? (texts.length > 0 ? texts.join(' ') : null)
}

function retryText(line: Json): string {
  const status = typeof line.error_status === 'number' ? ` (${line.error_status})` : ''
  return `the provider answered with ${textAt(line, 'error') ?? 'an error'}${status}: tried again`
}

// Settings with hooks for an attempt, added to those of the user. A help only: a write outside the claims is found
// after the attempt anyway.

function claudeHooks({ mayWrite, worktree, heartbeat, sessionEnd }: HookFiles): string {
  const hooks = {
    ...(mayWrite === null
      ? {}
      : { PreToolUse: [{ matcher: WRITING, ...runs(shell(...programCommand('claim-hook'), mayWrite, worktree)) }] }),
    // Not before a tool too: Claude Code prints its next call.
    PostToolUse: [{ matcher: '*', ...runs(`echo > ${shell(heartbeat)}`) }],
    // By rename, so that readers find all of it.
    SessionEnd: [runs(`cat > ${shell(`${sessionEnd}.tmp`)} && mv ${shell(`${sessionEnd}.tmp`, sessionEnd)}`)],
  }
  return JSON.stringify({ hooks }, null, 2)
}

/** A shell command can write too, but its words do not tell where. */
const WRITING = 'Write|Edit|MultiEdit|NotebookEdit'

function runs(command: string): object {
  return { hooks: [{ type: 'command', command, timeout: HOOK_S }] }
}

/** For a busy machine. Claude Code gives up a slower hook, and the tool goes on. */
const HOOK_S = 30

function shell(...words: string[]): string {
  return words.map(shellWord).join(' ')
}
