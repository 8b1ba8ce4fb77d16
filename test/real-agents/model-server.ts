// A model that does what a script says, behind the four protocols that coding agents speak: Anthropic Messages, OpenAI
// Responses, OpenAI Chat Completions and Gemini generateContent. On loopback, without an account.
//
// A prompt names its script as `[[script:NAME]]`. The server remembers nothing of a conversation: which step is next
// follows from the requests themselves, by counting the steps that were answered in them. So a conversation that was
// killed and resumed goes on where it stopped. What it does remember is the bill: every answer with its tokens.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropic } from './protocol-anthropic.ts'
import { chatCompletions } from './protocol-chat.ts'
import { gemini } from './protocol-gemini.ts'
import { responses } from './protocol-responses.ts'

/** What the model does next. A script ends with its last `say`. */
export type Step =
  | { do: 'write'; path: string; text: string }
  | { do: 'run'; command: string }
  /** Uses a tool of an MCP server: the one whose name ends like this, whatever the agent calls it in full. */
  | { do: 'tool'; tool: string; input: Record<string, unknown> }
  | { do: 'say'; text: string }
  /** Answers with an error instead, `times` times; then the step after it follows. */
  | { do: 'fail'; status: number; retryAfterS?: number; times?: number; message?: string }
  /** Answers nothing until the test lets it, and then an error. */
  | { do: 'hang' }
  /** Answers only when the test lets it, and then with the step after it. */
  | { do: 'wait' }

/** `output` is with what it thought, `reasoning` that alone. */
export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number; reasoning: number }

/** A question, in the words all protocols have in common. */
export type Question = {
  model: string
  stream: boolean
  /** Everything the agent and its user have said, to look for the name of the script in. */
  text: string
  /** The model's answers so far: its tool calls, and what it said. Some agents put in answers that no model gave. */
  calls: number
  said: string[]
  /** The names of the tools it offers. */
  tools: string[]
  /** Characters of the whole question: what it costs follows from that. */
  chars: number
}

export type Protocol = {
  name: string
  /** Null: the request is not for this protocol. */
  read(url: URL, body: unknown): Question | null
  answer(
    response: ServerResponse,
    question: Question,
    step: Exclude<Step, { do: 'fail' | 'hang' | 'wait' }>,
    tokens: Tokens,
  ): void
  fail(response: ServerResponse, step: Extract<Step, { do: 'fail' }>): void
}

export type Billed = { protocol: string; model: string; script: string; step: number; tokens: Tokens; at: number }

const PROTOCOLS: Protocol[] = [anthropic, responses, chatCompletions, gemini]

export class ModelServer implements AsyncDisposable {
  readonly bill: Billed[] = []
  /** Requests that no script answered: errors, and questions an agent asks besides. */
  readonly others: { url: string; why: string }[] = []
  readonly url: string
  /** When it has said in a script that it is limited, or another error. */
  readonly failures: { script: string; at: number }[] = []
  readonly #scripts: Map<string, Step[]>
  readonly #failed = new Map<string, number>()
  /** Questions that are not answered yet, and their scripts. */
  readonly #hanging = new Map<() => void, string>()
  /** Every question of a script, also those it has not answered. */
  readonly asked: { script: string; step: number; do: string; at: number }[] = []
  readonly #openedAt = Date.now()
  /** How many failures and steps that hang are over, by script. */
  readonly #passed = new Map<string, number>()
  #isReleased = false
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  private constructor(scripts: Record<string, Step[]>, url: string) {
    this.#scripts = new Map(Object.entries(scripts))
    this.url = url
  }

  static async open(scripts: Record<string, Step[]>): Promise<ModelServer> {
    const server = new ModelServer(scripts, '')
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve))
    const { port } = server.#server.address() as AddressInfo
    return Object.assign(server, { url: `http://127.0.0.1:${port}` })
  }

  script(name: string, steps: Step[]): void {
    this.#scripts.set(name, steps)
  }

  /** How many questions it has not answered yet, because their script says so. */
  get hanging(): number {
    return this.#hanging.size
  }

  /** What it was asked so far, and when: `claude 0 run +3.1s, claude 1 hang +5.0s` */
  get story(): string {
    const seconds = (at: number) => ((at - this.#openedAt) / 1000).toFixed(1)
    const asked = this.asked.map(({ script, step, do: what, at }) => `${script} ${step} ${what} +${seconds(at)}s`)
    return `${asked.join(', ')}; not answered: ${[...this.#hanging.values()].join(', ') || 'none'}`
  }

  /** Whether a question of this script is not answered yet. */
  hangs(name: string): boolean {
    return [...this.#hanging.values()].includes(name)
  }

  /** The next failure, or the next step that hangs, of this script is over for good. What hangs is never answered. */
  pass(name: string): void {
    this.#passed.set(name, (this.#passed.get(name) ?? 0) + 1)
  }

  /** How often it has said that it is limited, or another error, in this script. */
  failed(name: string): number {
    return this.failures.filter(({ script }) => script === name).length
  }

  /** How long it took from the first error in this script to the next answer. */
  waited(name: string): number {
    const failedAt = this.failures.find(({ script }) => script === name)?.at ?? Number.NaN
    const next = this.bill.find(({ script, at }) => script === name && at >= failedAt)
    return (next?.at ?? Number.NaN) - failedAt
  }

  /** From now on nothing hangs. */
  release(): void {
    this.#isReleased = true
    for (const go of [...this.#hanging.keys()]) go()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = await readJson(request)
    for (const protocol of PROTOCOLS) {
      const question = protocol.read(url, body)
      if (question) {
        await this.#answer(protocol, question, url, response)
        return
      }
    }
    this.others.push({ url: url.pathname, why: 'not a question to a model' })
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such route"}}')
  }

  async #answer(protocol: Protocol, question: Question, url: URL, response: ServerResponse): Promise<void> {
    const name = [...question.text.matchAll(/\[\[script:([a-z0-9-]+)\]\]/g)].at(-1)?.[1]
    const script = name === undefined ? undefined : this.#scripts.get(name)
    if (!script || question.tools.length === 0) {
      // Agents ask small things besides: a title for the conversation, whether a new topic has begun. They cost money too.
      const step: Step = { do: 'say', text: 'A small task' }
      const tokens = priced(question, step)
      this.others.push({ url: url.pathname, why: name === undefined ? 'no script is named' : `no script ${name}` })
      this.#charge(protocol, question, name ?? '', BESIDES, tokens)
      protocol.answer(response, question, step, tokens)
      return
    }
    const answered = question.calls + question.said.filter((text) => this.#isScripted(text)).length
    let { step, index } = this.#next(name ?? '', script, answered)
    this.asked.push({ script: name ?? '', step: index, do: step.do, at: Date.now() })
    if ((step.do === 'hang' || step.do === 'wait') && !this.#isReleased) {
      await this.#hang(response, name ?? '')
      if (response.destroyed) return
      ;({ step, index } = this.#next(name ?? '', script, answered))
    }
    if (step.do === 'hang' || step.do === 'wait') step = { do: 'fail', status: 500 }
    if (step.do === 'fail') {
      this.failures.push({ script: name ?? '', at: Date.now() })
      protocol.fail(response, step)
      return
    }
    const tokens = priced(question, step)
    this.#charge(protocol, question, name ?? '', index, tokens)
    protocol.answer(response, question, step, tokens)
  }

  #charge({ name: protocol }: Protocol, { model }: Question, script: string, step: number, tokens: Tokens): void {
    this.bill.push({ protocol, model, script, step, tokens, at: Date.now() })
  }

  #isScripted(text: string): boolean {
    const all = [...this.#scripts.values()].flat()
    return text.includes(NOTHING_LEFT) || all.some((step) => step.do === 'say' && text.includes(step.text))
  }

  async #hang(response: ServerResponse, script: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#hanging.delete(go)
        resolve()
      }
      this.#hanging.set(go, script)
      response.once('close', go)
    })
  }

  /**
   * Failures are not answered in the conversation, so they are counted here. Who loses patience with a question that
   * hangs and asks again has to wait again.
   */
  #next(name: string, script: Step[], answered: number): { step: Step; index: number } {
    let left = answered
    let passed = this.#passed.get(name) ?? 0
    for (const [index, step] of script.entries()) {
      if ((step.do === 'hang' || step.do === 'fail') && passed-- > 0) continue
      if (step.do === 'hang' || step.do === 'wait') {
        if (left === 0 && (step.do === 'hang' || !this.#isReleased)) return { step, index }
        continue
      }
      if (step.do === 'fail') {
        const key = `${name}/${index}`
        const times = this.#failed.get(key) ?? 0
        if (left > 0 || times >= (step.times ?? 1)) continue
        this.#failed.set(key, times + 1)
        return { step, index }
      }
      if (left === 0) return { step, index }
      left--
    }
    return { step: { do: 'say', text: NOTHING_LEFT }, index: script.length }
  }
}

/** Four characters are a token, half of a long question comes from the cache, and it thinks before it says something. */
function priced({ chars }: Question, step: Step): Tokens {
  const input = Math.ceil(chars / 4)
  const cacheRead = Math.floor(input / 2)
  return {
    input: input - cacheRead,
    output: THOUGHT + Math.ceil(JSON.stringify(step).length / 4),
    cacheRead,
    cacheWrite: 0,
    reasoning: THOUGHT,
  }
}

const THOUGHT = 7
const NOTHING_LEFT = 'There is nothing left to do.'
/** In place of a step: what an agent asks besides. */
export const BESIDES = -1

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
