// The conversation with an ACP agent, as its client: one session, one turn, every request for permission answered.
// Events are handed on as lines (driver-protocol.ts).
//
// The agent reads and writes files by itself, as every other agent does: no file access and no terminals are offered.
import {
  type ClientContext,
  client,
  type InitializeResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type Stream,
} from '@agentclientprotocol/sdk'
import { countAt, type Json, listAt, objectAt, textAt } from '../read-json-fields.ts'
import { type AcpLine, type AcpOrders, AcpTrouble } from './driver-protocol.ts'
import { AcpTools, mayWriteNow, optionFor, outsideOf } from './tools.ts'

type Talk = Omit<AcpOrders, 'mcp'> & {
  mcpServers: McpServer[]
  worktree: string
  prompt: string
  print(line: AcpLine): void
}

/** Resolves when the turn is over. */
export async function talk(stream: Stream, spec: Talk): Promise<void> {
  const listener = new Listener(spec)
  await client({ name: 'espalier' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => listener.permission(params))
    // Not checked against a schema: an unknown kind of update is no reason to complain.
    .onNotification(methods.client.session.update, objectOf, ({ params }) => listener.update(params))
    .connectWith(stream, (agent) => takeTurn(agent, spec, listener))
}

async function takeTurn(agent: ClientContext, spec: Talk, listener: Listener): Promise<void> {
  const hello = await introduce(agent)
  const { sessionId, opened } = await openSession(agent, spec, hello)
  const model = spec.model === null ? modelOf(opened) : await chooseSessionModel(agent, sessionId, opened, spec.model)
  spec.print({ type: 'session', id: sessionId, model, agent: nameOf(hello), resumable: wayToResume(hello) !== null })
  listener.isListening = true
  const prompt = [{ type: 'text' as const, text: spec.prompt }]
  const answer = objectOf(await agent.request(methods.agent.session.prompt, { sessionId, prompt }))
  listener.end()
  spec.print({ type: 'stop', reason: textAt(answer, 'stopReason') ?? 'nothing', tokens: tokensOf(answer) })
}

/** A program that waits for a person, or speaks something else, never answers. */
async function introduce(agent: ClientContext): Promise<InitializeResponse> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const seconds = INTRODUCTION_MS / 1000
  const message = `it did not answer in ${seconds} s: is it started so that it speaks ACP on stdin and stdout?`
  const timer = setTimeout(() => reject(new AcpTrouble(message)), INTRODUCTION_MS)
  try {
    const hello = agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'espalier', version: '1' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
    const { protocolVersion, ...rest } = await Promise.race([hello, tooLong])
    if (protocolVersion === PROTOCOL_VERSION) return { protocolVersion, ...rest }
    throw new AcpTrouble(
      `it speaks version ${protocolVersion} of ACP, and only version ${PROTOCOL_VERSION} is known here`,
    )
  } finally {
    clearTimeout(timer)
  }
}

async function openSession(
  agent: ClientContext,
  { resume, worktree, mcpServers }: Talk,
  hello: InitializeResponse,
): Promise<{ sessionId: string; opened: Json }> {
  const place = { cwd: worktree, mcpServers }
  if (resume === null) {
    const opened = objectOf(await agent.request(methods.agent.session.new, place))
    const sessionId = textAt(opened, 'sessionId')
    if (sessionId === null) throw new AcpTrouble('it opened a conversation and did not say how it is called')
    return { sessionId, opened }
  }
  const way = wayToResume(hello)
  if (way === null) throw new AcpTrouble('it cannot go on with a conversation: it offers no `session/load`')
  return { sessionId: resume, opened: objectOf(await agent.request(way, { sessionId: resume, ...place })) }
}

function wayToResume({ agentCapabilities }: InitializeResponse) {
  if (agentCapabilities?.sessionCapabilities?.resume) return methods.agent.session.resume
  // `load` tells the whole conversation again.
  return agentCapabilities?.loadSession ? methods.agent.session.load : null
}

class Listener {
  readonly #spec: Talk
  readonly #tools = new AcpTools()
  #said: { type: 'message' | 'thought'; text: string; continues: boolean } | null = null
  /** False while the agent tells the conversation so far. */
  isListening = false

  constructor(spec: Talk) {
    this.#spec = spec
  }

  update(params: Json): void {
    if (!this.isListening) return
    const update = objectAt(params, 'update') ?? {}
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#chunk('message', textAt(update, 'content', 'text') ?? '')
        break
      case 'agent_thought_chunk':
        this.#chunk('thought', textAt(update, 'content', 'text') ?? '')
        break
      case 'tool_call':
      case 'tool_call_update': {
        const line = this.#tools.told(update)
        if (line) this.#print(line)
        break
      }
      case 'usage_update':
        // Other currencies cannot be added up with the rest.
        if (textAt(update, 'cost', 'currency') === 'USD')
          this.#print({ type: 'cost', usd: countAt(update, 'cost', 'amount') })
    }
  }

  permission({ toolCall, options }: RequestPermissionRequest): RequestPermissionResponse {
    const asked = this.#tools.asked(objectOf(toolCall))
    const outside = outsideOf(asked, mayWriteNow(this.#spec), this.#spec.worktree)
    const wanted = outside.length > 0 ? 'denied' : 'allowed'
    const option = optionFor(options, wanted)
    const answer = option === null ? 'denied' : wanted
    this.#print({ type: 'permission', tool: asked.id, title: asked.title, answer, outside })
    return { outcome: option === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option } }
  }

  /** Prints the message that is not printed yet. */
  end(): void {
    const said = this.#said
    this.#said = null
    if (said && said.text.trim() !== '') this.#spec.print(said)
  }

  /** A message comes in small pieces: it is printed when something else follows, or it has become long. */
  #chunk(type: 'message' | 'thought', text: string): void {
    if (this.#said && this.#said.type !== type) this.end()
    this.#said = { type, text: (this.#said?.text ?? '') + text, continues: this.#said?.continues ?? false }
    if (this.#said.text.length < MESSAGE_CHARS) return
    this.end()
    this.#said = { type, text: '', continues: true }
  }

  #print(line: AcpLine): void {
    this.end()
    this.#spec.print(line)
  }
}

/** From a field that is not part of the stable protocol yet; by its draft the kinds do not overlap. */
function tokensOf(answer: Json): Extract<AcpLine, { type: 'stop' }>['tokens'] {
  const usage = objectAt(answer, 'usage')
  if (!usage) return null
  return {
    input: countAt(usage, 'inputTokens'),
    output: countAt(usage, 'outputTokens'),
    cacheRead: countAt(usage, 'cachedReadTokens'),
    cacheWrite: countAt(usage, 'cachedWriteTokens'),
    thought: countAt(usage, 'thoughtTokens'),
  }
}

/** `OpenCode 1.18.33` */
function nameOf({ agentInfo }: InitializeResponse): string {
  return agentInfo ? `${agentInfo.title ?? agentInfo.name} ${agentInfo.version}`.trim() : 'an ACP agent'
}

function objectOf(value: unknown): Json {
  return objectAt(value) ?? {}
}

const INTRODUCTION_MS = 60_000
const MESSAGE_CHARS = 2_000

// The protocol has an option of the session for the model; older agents have a list of models and a request of its own.

/** The model of a session as it was opened; null: not told. */
function modelOf(opened: Json): string | null {
  return textAt(modelOption(opened), 'currentValue') ?? textAt(opened, 'models', 'currentModelId')
}

async function chooseSessionModel(
  agent: ClientContext,
  sessionId: string,
  opened: Json,
  model: string,
): Promise<string> {
  if (modelOf(opened) === model) return model
  const configId = textAt(modelOption(opened), 'id')
  if (configId !== null)
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value: model })
  else if (objectAt(opened, 'models')) await agent.request('session/set_model', { sessionId, modelId: model })
  else
    throw new AcpTrouble(`it does not let its model be chosen; name ${model} in its \`args\`, if it can be named there`)
  return model
}

function modelOption(opened: Json): Json | null {
  const options = listAt(opened, 'configOptions').map((one) => objectAt(one))
  return options.find((option) => option?.category === 'model') ?? null
}
