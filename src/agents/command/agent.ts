// Any program as an agent. It gets the prompt on stdin and as a file, works in its worktree, and its exit status
// decides. It may say more by printing JSON lines:
//   {"type":"progress","message":"half way"}
//   {"type":"usage","inputTokens":1200,"outputTokens":300,"costUsd":0.02}      totals of the attempt so far
//   {"type":"outcome","status":"failed","summary":"why"}                        status: success | failed
// Everything else it prints is output, shown as it is (transcript.ts).
import { join } from 'node:path'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import type { Failure } from '../../event.ts'
import { cut } from '../../text/cut.ts'
import { tellingEnd } from '../../text/telling-lines.ts'
import { NO_USAGE, USAGE_COUNTS } from '../../usage.ts'
import type { Agent, AgentReader, AgentResult, Invocation, ProcessEnd, UsageSoFar } from '../agent.ts'
import { type McpServer, mcpServers } from '../mcp-server.ts'
import { jsonLine } from '../read-json-fields.ts'

export function commandAgent(command: string): Agent {
  return {
    name: 'command',
    variables: [],
    cost: 'reported',
    parts: null,
    invoke: ({ mcp }) => ({ argv: ['sh', '-c', command], stdin: 'prompt', stderr: 'merge', ...mcpFile(mcp) }),
    reader: () => new CommandReader(),
  }
}

/** The form that most programs take. */
function mcpFile(mcp: McpServer | undefined): Pick<Invocation, 'env'> & { files: NonNullable<Invocation['files']> } {
  if (!mcp) return { env: {}, files: [] }
  const path = join(mcp.folder, 'mcp.json')
  return { env: { ESPALIER_MCP_CONFIG: path }, files: [{ path, text: JSON.stringify(mcpServers(mcp)) }] }
}

/**
 * A task's own `run:` command: a command agent without a prompt. If it fails, the end of its output is told as of a
 * check.
 */
export function shellAgent(command: string): Agent {
  const agent = commandAgent(command)
  const invoke: Agent['invoke'] = (assignment) => ({ ...agent.invoke(assignment), stdin: 'nothing' })
  return { ...agent, name: 'run', invoke, reader: () => new CommandReader(new Tail()) }
}

const amount = z.number().finite().nonnegative().optional()
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), message: z.string() }),
  z.object({
    type: z.literal('usage'),
    inputTokens: amount,
    outputTokens: amount,
    costUsd: amount,
    cacheReadTokens: amount,
    cacheWriteTokens: amount,
    reasoningTokens: amount,
    input_tokens: amount,
    output_tokens: amount,
    cost_usd: amount,
  }),
  z.object({
    type: z.literal('outcome'),
    status: z.enum(['success', 'failed']).default('success'),
    summary: z.string().optional(),
  }),
])

class CommandReader implements AgentReader {
  usageSoFar: UsageSoFar | null = null
  #summary: string | null = null
  #saidFailed = false
  #last = ''
  readonly #tail: Tail | null

  /** `tail`: keeps the end of the output for a failure; without it the last line is told. */
  constructor(tail: Tail | null = null) {
    this.#tail = tail
  }

  line(text: string): string | null {
    const message = commandMessage(text)
    if (!message) {
      if (text.trim() === '') return null
      this.#tail?.add(text)
      this.#last = cut(text, LIMITS.messageChars)
      return this.#last
    }
    if (message.type === 'progress') return cut(message.message, LIMITS.messageChars)
    if (message.type === 'usage') {
      const { type: _, input_tokens, output_tokens, cost_usd, ...camel } = message
      const snake = { inputTokens: input_tokens, outputTokens: output_tokens, costUsd: cost_usd }
      const before = this.usageSoFar?.usage ?? NO_USAGE
      const counts = USAGE_COUNTS.map((key) => [key, camel[key] ?? { ...camel, ...snake }[key] ?? before[key]])
      this.usageSoFar = { usage: { ...NO_USAGE, ...Object.fromEntries(counts) } }
      return null
    }
    this.#saidFailed = message.status === 'failed'
    this.#summary = message.summary === undefined ? this.#summary : cut(message.summary, LIMITS.messageChars)
    return this.#summary
  }

  result(end: ProcessEnd): AgentResult {
    const final = this.#summary ?? this.#last
    const said = { usage: this.usageSoFar?.usage ?? null, summary: this.#summary, final, session: null, limited: null }
    return { failure: this.#failure(end), ...said }
  }

  #failure({ code, signal }: ProcessEnd): Failure | null {
    const said = this.#summary ?? this.#last
    const last = this.#printed ?? (said ? `: ${said}` : '')
    // Only a task's own command has a tail.
    const failed = this.#tail ? 'command-failed' : 'agent-failed'
    const crashed = this.#tail ? 'command-failed' : 'agent-crashed'
    if (signal !== null) return { reason: crashed, message: `ended by ${signal}${last}` }
    if (code !== 0) return { reason: failed, message: `exited with status ${code}${last}` }
    if (this.#saidFailed) return { reason: failed, message: `reported that it failed${said ? `: ${said}` : ''}` }
    return null
  }

  /** Lines below the message; null: one line says it all. */
  get #printed(): string | null {
    const lines = this.#tail?.lines ?? []
    return this.#summary === null && lines.length > 1 ? `:\n${lines.join('\n')}` : null
  }
}

/** A JSON line of the output; null: other output. */
function commandMessage(text: string): z.infer<typeof messageSchema> | null {
  const json = jsonLine(text)
  // Most lines are none: making an error for each of them would take more than reading them.
  return json && (messageSchema.safeParse(json).data ?? null)
}

/** Together with the words before them less than LIMITS.messageChars. */
const TAIL_CHARS = 1_500
/** The error may stand far above the end. */
const KEPT = { chars: 64_000, lines: 1_000 }

class Tail {
  readonly #lines: string[] = []
  #chars = 0

  add(line: string): void {
    const kept = cut(line, TAIL_CHARS - 1)
    this.#lines.push(kept)
    this.#chars += kept.length
    while (this.#lines.length > KEPT.lines || this.#chars > KEPT.chars) this.#chars -= this.#lines.shift()?.length ?? 0
  }

  /** The last lines, with those that say what went wrong. */
  get lines(): readonly string[] {
    return this.#lines.length === 0 ? [] : tellingEnd(this.#lines.join('\n'), TAIL_CHARS).split('\n')
  }
}

// The output of a command agent as a person reads it: the words of its JSON lines, and everything else at once, half
// lines too.

export class CommandWords {
  #held: Buffer[] = []
  #heldBytes = 0
  #isLineStart = true

  push(data: Buffer): Buffer[] {
    const shown: Buffer[] = []
    for (let position = 0; position < data.length; ) {
      const end = data.indexOf(NEWLINE, position)
      const piece = data.subarray(position, end === -1 ? data.length : end + 1)
      const isHeld = this.#isLineStart ? piece[0] === BRACE : this.#heldBytes > 0
      this.#isLineStart = end !== -1
      position += piece.length
      if (!isHeld) shown.push(piece)
      else shown.push(...this.#hold(piece))
    }
    return shown.length > 1 ? [Buffer.concat(shown)] : shown
  }

  end(): Buffer[] {
    return this.#heldBytes > 0 ? this.#release() : []
  }

  #hold(piece: Buffer): Buffer[] {
    this.#held.push(piece)
    this.#heldBytes += piece.length
    return this.#isLineStart || this.#heldBytes > MAX_HELD_BYTES ? this.#release() : []
  }

  #release(): Buffer[] {
    const line = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    const message = commandMessage(line.toString('utf8').trimEnd())
    if (!message) return [line]
    const words = message.type === 'progress' ? message.message : message.type === 'outcome' ? message.summary : null
    return words ? [Buffer.from(`${words}\n`)] : []
  }
}

/** `run`: a task's own command. */
export function speaksCommandLines(agent: string | null): boolean {
  return agent === 'command' || agent === 'run'
}

const NEWLINE = 10
const BRACE = 0x7b
/** A longer line passes as it is. */
const MAX_HELD_BYTES = 1 << 20
