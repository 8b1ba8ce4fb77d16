// Any agent that speaks the Agent Client Protocol. The settings name several, so the name has two parts: `acp:goose`.
// By the protocol, tokens and cost are counted from the start of the conversation.
import type { Failure } from '../../event.ts'
import { programCommand } from '../../files/package-file.ts'
import { cut } from '../../text/cut.ts'
import { NO_USAGE, type Usage } from '../../usage.ts'
import type { Agent, AgentResult, ProcessEnd, ProcessOfConversation, UsageInFiles } from '../agent.ts'
import { usageInProject } from '../claude/usage-in-files.ts'
import { usageInRollout } from '../codex/usage-in-files.ts'
import { usageInChat } from '../gemini/usage-in-files.ts'
import { ACP_PREFIX } from '../list.ts'
import { MCP_NAME } from '../mcp-server.ts'
import { opencodeSettings, withoutTitles } from '../opencode/agent.ts'
import { usageInDatabase } from '../opencode/usage-in-database.ts'
import { ProtocolReader } from '../protocol-reader.ts'
import { providerTrouble } from '../provider-trouble.ts'
import type { Json } from '../read-json-fields.ts'
import type { Part } from '../transcript.ts'
import { type AcpLine, type AcpOrders, acpLine } from './driver-protocol.ts'

export function acpAgent(name: string, program: string, args: readonly string[] = []): Agent {
  return {
    name: `${ACP_PREFIX}${name}`,
    variables: [
      ...['ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'GOOGLE_*', 'OPENROUTER_*'],
      ...['OPENCODE_*', 'GOOSE_*', 'QWEN_*', 'CURSOR_*', 'COPILOT_*'],
    ],
    cost: [program, ...args].some((word) => KNOWN_PROGRAM.test(word)) ? 'reported-or-by-tokens' : 'perhaps-unknown',
    parts: acpParts,
    usageOf: usageInFiles,
    invoke: ({ model, resume, mayWrite, hooks, mcp, environment = {} }) => {
      const orders: AcpOrders = {
        model,
        resume,
        mayWrite: mayWrite && [...mayWrite],
        mayWriteFile: hooks?.mayWrite ?? null,
        mcp: mcp ? { name: MCP_NAME, command: mcp.command, args: mcp.args, env: Object.keys(mcp.env) } : null,
      }
      return {
        argv: [...programCommand('acp-driver'), JSON.stringify(orders), program, ...args],
        stdin: 'prompt',
        stderr: 'separate',
        env: OPENCODE.test(program) ? opencodeSettings(environment, withoutTitles) : {},
      }
    },
    reader: () => new AcpReader(name, OPENCODE.test(program)),
  }
}

/**
 * Reads the files of the program behind the protocol. Which program that is follows from whose files have the
 * conversation.
 */
async function usageInFiles(process: ProcessOfConversation): Promise<UsageInFiles | null> {
  for (const find of [usageInDatabase, usageInProject, usageInChat, usageInRollout]) {
    const found = await find(process)
    if (found) return found
  }
  return null
}

/** Programs that report their usage, or keep it in files that are known here. */
const KNOWN_PROGRAM = /(?:^|\/)(?:opencode|gemini|qwen|(?:@[\w-]+\/)?(?:claude-(?:code|agent)|codex)-acp)(?:@.*)?$/

const OPENCODE = /(?:^|\/)opencode$/

type Line<T extends AcpLine['type']> = Extract<AcpLine, { type: T }>

class AcpReader extends ProtocolReader {
  readonly #name: string
  /** The reported tokens are those of the last answer; only the files have all. */
  readonly #tellsLastAnswer: boolean
  #forgets = false
  #stop: Line<'stop'> | null = null
  #error: Line<'error'> | null = null
  #costUsd: number | null = null
  readonly #denied = new Set<string>()
  #denials = 0

  constructor(name: string, tellsLastAnswer: boolean) {
    super(acpParts)
    this.#name = name
    this.#tellsLastAnswer = tellsLastAnswer
  }

  protected take(json: Json): void {
    const { data: line } = acpLine.safeParse(json)
    switch (line?.type) {
      case 'session':
        this.begin(line.id, line.model)
        this.#forgets = !line.resumable
        break
      case 'message':
        this.activity.answers()
        this.message(line.text, line.continues)
        break
      case 'tool':
        this.activity.answers()
        if (this.session) this.session.toolCalls++
        this.#tool(line)
        break
      case 'tool-update':
        this.#tool(line)
        break
      case 'permission':
        if (line.answer === 'denied') this.#refusal(line)
        break
      case 'cost':
        this.#costUsd = line.usd
        this.usageSoFar = { usage: { ...NO_USAGE, costUsd: line.usd }, countsConversation: true }
        break
      case 'stop':
        this.#stop = line
        if (this.session) this.session.turns = this.activity.turns
        break
      case 'error':
        this.#error = line
    }
  }

  result(end: ProcessEnd): AgentResult {
    const used = { usage: this.#usage(), countsConversation: true, isUsagePartial: this.#tokens === null }
    const said = { ...this.said, ...used, forgets: this.#forgets }
    if (this.#error) return { ...said, ...providerTrouble(this.#error.message, this.#error.status) }
    if (!this.#stop) return { ...said, failure: this.unfinished(`The ACP agent ${this.#name}`, end) }
    const { reason } = this.#stop
    if (reason === 'end_turn') return { ...said, failure: null, denied: this.#deniedFailure() }
    const message = STOPS[reason] ?? `it stopped for a reason that is not known here: ${reason}`
    return { ...said, failure: this.#deniedFailure() ?? { reason: 'agent-failed', message } }
  }

  /** A call is told piece by piece: all of it is known when the tool has been used. */
  #tool({ kind, title, status, input }: Line<'tool' | 'tool-update'>): void {
    if (status !== 'completed' && status !== 'failed') return
    this.activity.call(input === null ? null : JSON.stringify([kind, title, input]))
    this.activity.asked()
  }

  #refusal({ title, outside }: Line<'permission'>): void {
    this.#denials++
    for (const what of outside.length > 0 ? outside : [title])
      if (this.#denied.size < MAX_DENIED) this.#denied.add(cut(what, PATH_CHARS))
  }

  #deniedFailure(): Failure | null {
    if (this.#denials === 0) return null
    const times = this.#denials === 1 ? 'once' : `${this.#denials} times`
    const message = `it was not allowed what it asked for (${times}): ${[...this.#denied].join(', ')}. What belongs to the task is to be added to its \`claims\` in the plan`
    return { reason: 'refused', message }
  }

  get #tokens(): Line<'stop'>['tokens'] {
    return this.#tellsLastAnswer ? null : (this.#stop?.tokens ?? null)
  }

  #usage(): Usage | null {
    const tokens = this.#tokens
    if (tokens === null && this.#costUsd === null) return null
    const counted = tokens && {
      inputTokens: tokens.input,
      outputTokens: tokens.output + tokens.thought,
      cacheReadTokens: tokens.cacheRead,
      cacheWriteTokens: tokens.cacheWrite,
      reasoningTokens: tokens.thought,
    }
    return { ...NO_USAGE, ...counted, costUsd: this.#costUsd ?? 0 }
  }
}

const STOPS: Record<string, string> = {
  max_tokens: 'it used up the tokens it may print',
  max_turn_requests: 'it used up its turns',
  refusal: 'the model refused to go on',
  cancelled: 'its turn was cancelled',
}
const PATH_CHARS = 300
const MAX_DENIED = 10

function acpParts(json: Json): Part[] {
  const { data: line } = acpLine.safeParse(json)
  switch (line?.type) {
    case 'message': {
      const piece: Part = { kind: 'said', text: line.text, piece: true }
      // An empty message of its own ends the one before.
      return line.continues ? [piece] : [{ kind: 'said', text: '' }, piece]
    }
    case 'tool':
      return toolParts(line, null)
    case 'tool-update':
      return toolParts(line, line.output)
    case 'permission': {
      if (line.answer !== 'denied') return []
      const unnamed = line.outside.filter((path) => !line.title.includes(path))
      return [{ kind: 'note', text: `not allowed: ${[line.title, ...unnamed].join(' ')}` }]
    }
    case 'error':
      return [{ kind: 'note', text: line.message }]
    default:
      return []
  }
}

/** The use of a tool may be told only with its result. */
function toolParts({ id, kind, title, status, paths }: Line<'tool' | 'tool-update'>, output: string | null): Part[] {
  const [path = ''] = paths
  const what = path && !title.includes(path) ? `${title} ${path}` : title
  const call: Part = { kind: 'call', id, tool: kind, what }
  if (status !== 'completed' && status !== 'failed') return [call]
  return [call, { kind: 'result', id, ok: status === 'completed', output }]
}
