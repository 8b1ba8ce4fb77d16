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
  | { do: 'say'; text: string }
  /** Answers with an error instead, `times` times; then the step after it follows. */
  | { do: 'fail'; status: number; retryAfterS?: number; times?: number; message?: string }
  /** Answers nothing until the test lets it, and then an error. */
  | { do: 'hang' }
  /** Answers only when the test lets it, and then with the step after it. */
  | { do: 'wait' }

export type Tokens = { input: number; output: number; cacheRead: number; cacheWrite: number; reasoning: number }

/** A question, in the words all protocols have in common. */
export type Question = {
  model: string
  stream: boolean
  /** Everything the agent and its user have said, to look for the name of the script in. */
  text: string
  /** Tool calls that were answered, and other answers of the model. */
  answered: number
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
  readonly #scripts: Map<string, Step[]>
  readonly #failed = new Map<string, number>()
  readonly #hanging = new Set<() => void>()
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

  /** How often it has said that it is limited, or another error, in this script. */
  failed(name: string): number {
    return [...this.#failed].filter(([key]) => key.startsWith(`${name}/`)).reduce((sum, [, times]) => sum + times, 0)
  }

  /** Lets everything that hangs go on. */
  release(): void {
    for (const go of [...this.#hanging]) go()
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
      // Agents ask small things besides: a title for the conversation, whether a new topic has begun.
      const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
      this.others.push({ url: url.pathname, why: name === undefined ? 'no script is named' : `no script ${name}` })
      protocol.answer(response, question, { do: 'say', text: 'A small task' }, tokens)
      return
    }
    let { step, index } = this.#next(name ?? '', script, question.answered)
    if (step.do === 'hang' || step.do === 'wait') {
      const { do: what } = step
      await this.#hang(response)
      if (response.destroyed) return
      if (what === 'hang') step = { do: 'fail', status: 500 }
      else ({ step, index } = this.#next(name ?? '', script, question.answered))
    }
    if (step.do === 'hang' || step.do === 'wait') throw new Error(`script ${name}: two waits in a row`)
    if (step.do === 'fail') {
      protocol.fail(response, step)
      return
    }
    const tokens = priced(question, step)
    this.bill.push({
      protocol: protocol.name,
      model: question.model,
      script: name ?? '',
      step: index,
      tokens,
      at: Date.now(),
    })
    protocol.answer(response, question, step, tokens)
  }

  async #hang(response: ServerResponse): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#hanging.delete(go)
        resolve()
      }
      this.#hanging.add(go)
      response.once('close', go)
    })
  }

  /** Failures and hangs are not answered in the conversation, so they are counted here. */
  #next(name: string, script: Step[], answered: number): { step: Step; index: number } {
    let left = answered
    for (const [index, step] of script.entries()) {
      if (step.do === 'fail' || step.do === 'hang' || step.do === 'wait') {
        if (left > 0) continue
        const key = `${name}/${index}`
        const times = this.#failed.get(key) ?? 0
        if (times >= (step.do === 'fail' ? (step.times ?? 1) : 1)) continue
        this.#failed.set(key, times + 1)
        return { step, index }
      }
      if (left === 0) return { step, index }
      left--
    }
    return { step: { do: 'say', text: 'There is nothing left to do.' }, index: script.length }
  }
}

/** Four characters are a token, and half of a long question comes from the cache. */
function priced({ chars }: Question, step: Step): Tokens {
  const input = Math.ceil(chars / 4)
  const cacheRead = Math.floor(input / 2)
  return {
    input: input - cacheRead,
    output: Math.ceil(JSON.stringify(step).length / 4),
    cacheRead,
    cacheWrite: 0,
    reasoning: 0,
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
