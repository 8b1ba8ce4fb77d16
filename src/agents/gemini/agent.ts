// The Gemini CLI. Tokens are counted from the start of the process. It reports no cost.

import { join } from 'node:path'
import { namesIn, textIn } from '../../files/if-there.ts'
import { cut } from '../../text/cut.ts'
import { addUsage, NO_USAGE, type Usage } from '../../usage.ts'
import type { Agent, AgentResult, Invocation, ProcessEnd } from '../agent.ts'
import { type McpServer, mcpServers, settingsIn } from '../mcp-server.ts'
import { type Prices, withCost } from '../prices.ts'
import { ProtocolReader, SUMMARY_CHARS } from '../protocol-reader.ts'
import { heldUp, providerTrouble } from '../provider-trouble.ts'
import { countAt, type Json, objectAt, textAt } from '../read-json-fields.ts'
import { type Part, toolTarget } from '../transcript.ts'
import { gemini } from './facts.ts'
import { GEMINI_FOLDER, geminiFolder, geminiUsage, isInChats, usageInChat } from './usage-in-files.ts'

export function geminiAgent(program = 'gemini', args: readonly string[] = []): Agent {
  return {
    ...gemini,
    name: 'gemini',
    invoke: ({ model, resume, mcp }) => ({
      argv: [
        ...[program, '-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
        ...(model === null ? [] : ['-m', model]),
        ...(resume === null ? [] : ['--resume', resume]),
        ...args,
      ],
      stdin: 'prompt',
      // There it says that it waits for its provider.
      stderr: 'merge',
      ...(mcp ? homeWithServer(mcp) : { env: {} }),
    }),
    reader: (prices) => new GeminiReader(geminiParts, prices),
    parts: geminiParts,
    usageOf: usageInChat,
    findsConversation: isInChats,
  }
}

/**
 * A home folder for the program, which takes MCP servers only from its user's settings file, or from files that root owns.
 * All but that file are links to its user's: a login that is renewed, extensions, and conversations, which are found where
 * they always are.
 */
function homeWithServer(mcp: McpServer): Pick<Invocation, 'env' | 'files' | 'links'> {
  const theirs = geminiFolder(mcp.environment)
  const known = settingsIn(textIn(join(theirs, SETTINGS)) || '{}')
  if (!known) return { env: {} }
  const servers = { ...objectAt(known, 'mcpServers'), ...objectAt(mcpServers(mcp), 'mcpServers') }
  const home = join(mcp.folder, 'home')
  const linked = namesIn(theirs).filter((name) => name !== SETTINGS && !name.startsWith(REGISTRY))
  const inFolder = [...new Set([...MADE, ...linked])].map((name) => {
    return { path: join(home, GEMINI_FOLDER, name), target: join(theirs, name), isFolder: MADE.includes(name) }
  })
  const parent = join(theirs, '..')
  const beside = namesIn(parent).filter((name) => BESIDE.includes(name))
  return {
    env: { GEMINI_CLI_HOME: home },
    files: [{ path: join(home, GEMINI_FOLDER, SETTINGS), text: JSON.stringify({ ...known, mcpServers: servers }) }],
    links: [...inFolder, ...beside.map((name) => ({ path: join(home, name), target: join(parent, name) }))],
  }
}

const SETTINGS = 'settings.json'
/** Not linked: the program replaces this file, and the link with it. Without it the program looks at the folders of `MADE`. */
const REGISTRY = 'projects.json'
/** Conversations, and notes on projects: there from the first start on. */
const MADE = ['tmp', 'history']
/** Files it looks for in the home folder itself. */
const BESIDE = ['.agents', '.env']

class GeminiReader extends ProtocolReader {
  #result: Json | null = null
  #isNewMessage = true

  override get isWaiting(): boolean {
    return super.isWaiting && this.#result === null
  }

  protected take(line: Json): void {
    // A result right after it says, in other words, that it has waited often enough.
    if (line.type !== 'result') this.waiting = null
    switch (line.type) {
      case 'init':
        this.begin(textAt(line, 'session_id'), textAt(line, 'model'))
        break
      case 'tool_result':
        this.activity.asked()
        break
      case 'message':
        if (line.role === 'assistant') this.#message(textAt(line, 'content') ?? '')
        break
      case 'tool_use':
        this.#isNewMessage = true
        this.activity.answers()
        this.call(JSON.stringify([line.tool_name, line.parameters]))
        break
      case 'result':
        this.#result = line
    }
  }

  result(end: ProcessEnd): AgentResult {
    const result = this.#result
    this.#nameModel(result)
    const none = { ...this.said, usage: result && usageOf(result, this.prices) }
    if (result?.status === 'success') return { ...none, failure: null }
    if (this.waiting) return { ...none, ...heldUp(this.waiting) }
    if (!result) return { ...none, failure: this.unfinished(gemini.title, end) }
    const message = textAt(result, 'error', 'message') ?? `it ended with ${String(result.status)}`
    if (OWN_ERROR.test(textAt(result, 'error', 'type') ?? ''))
      return { ...none, failure: { reason: 'agent-failed', message: cut(message, SUMMARY_CHARS) } }
    return { ...none, ...providerTrouble(message, null) }
  }

  /** A program that chooses its model (`auto`) names it in its result: of several, the one that did most. */
  #nameModel(result: Json | null): void {
    const models = Object.entries(objectAt(result, 'stats', 'models') ?? {})
    const most = models.toSorted(([, a], [, b]) => countAt(b, 'total_tokens') - countAt(a, 'total_tokens'))[0]
    if (this.session && most && !models.some(([name]) => name === this.session?.model)) this.session.model = most[0]
  }

  /** `Attempt 1 failed: Quota exceeded`, and on the next line `Suggested retry after 3s.. Retrying after 5461ms...` */
  protected override log(text: string): void {
    const [, said] = /^Attempt \d+ failed(?:: |\. Retrying with backoff\.\.\. |\b)(.*)/.exec(text) ?? []
    if (said !== undefined) this.waiting = { said: cut(said, SUMMARY_CHARS), until: null }
    const [, seconds] = /Suggested retry after (\d+(?:\.\d+)?)s/.exec(text) ?? []
    if (this.waiting && seconds !== undefined) this.waiting.until = Date.now() + Number(seconds) * 1000
  }

  #message(piece: string): void {
    this.activity.answers()
    this.message(piece, !this.#isNewMessage)
    this.#isNewMessage = false
  }
}

/** Each model has its price. */
function usageOf(result: Json, prices: Prices | undefined): Usage {
  const models = Object.entries(objectAt(result, 'stats', 'models') ?? {})
  const costs = models.map(([name, stats]) => withCost(tokensOf(stats), name, prices)).reduce(addUsage, NO_USAGE)
  const { costUsd, costUnknown } = costs
  return { ...tokensOf(objectAt(result, 'stats')), costUsd, ...(costUnknown ? { costUnknown } : {}) }
}

/** Thinking is only part of the total. */
function tokensOf(stats: unknown): Usage {
  const [input, said] = [countAt(stats, 'input_tokens'), countAt(stats, 'output_tokens')]
  const thought = Math.max(0, countAt(stats, 'total_tokens') - input - said)
  return geminiUsage(input, said, countAt(stats, 'cached'), thought)
}

/** Errors of its own: of its input, its turns, its tools. Such a message may quote what a tool printed. */
const OWN_ERROR = /^Fatal(?!Authentication)/

function geminiParts(line: Json): Part[] {
  const id = textAt(line, 'tool_id') ?? ''
  switch (line.type) {
    case 'message':
      // The user's message is the prompt.
      if (line.role !== 'assistant') return []
      return [{ kind: 'said', text: textAt(line, 'content') ?? '', piece: line.delta === true }]
    case 'tool_use': {
      const tool = textAt(line, 'tool_name') ?? 'tool'
      return [{ kind: 'call', id, tool, what: toolTarget(objectAt(line, 'parameters')) }]
    }
    case 'tool_result': {
      const output = textAt(line, 'error', 'message') ?? textAt(line, 'output')
      return [{ kind: 'result', id, ok: line.status === 'success', output }]
    }
    case 'error':
      return [{ kind: 'note', text: textAt(line, 'message') ?? 'an error' }]
    case 'result':
      return line.status === 'success' ? [] : [{ kind: 'note', text: textAt(line, 'error', 'message') ?? 'it failed' }]
    default:
      return []
  }
}
