// An ACP agent for tests: a real program that speaks the protocol over stdin and stdout, and does what the first line of
// its prompt says. `node scripted-acp-agent.ts [WAY …]`, where a way is how agents differ:
//   resume, load       how it takes up a conversation; without either it cannot
//   option, models     how its model is chosen (an option of the session, or as agents of an earlier date have it)
//   locked             it wants a login first
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'

export type AcpStep =
  | { do: 'say' | 'think'; text: string }
  /** Asks first, and writes if it may. `terse`: what it asks for is only to be seen from what it told before. */
  | { do: 'write'; path: string; text: string; terse?: boolean }
  /** A tool that is used without asking. */
  | { do: 'run'; command: string }
  /** Says which MCP servers it was given. */
  | { do: 'servers' }
  | { do: 'cost'; usd: number; currency?: string }
  | { do: 'fail'; code: number; message: string }
  | { do: 'exit'; code: number }
  | { do: 'signal'; signal: NodeJS.Signals }
  | { do: 'stop'; reason: string; usage?: object }
  /** What it does when the conversation is taken up, whatever it is told then. */
  | { do: 'later'; steps: AcpStep[] }

export const SCRIPTED_ACP_AGENT = import.meta.filename

const ways = new Set(process.argv.slice(2))
const laterFile = resolve(process.env.ESPALIER_LOG_DIR ?? '.', 'later.json')

/** The protocol's types leave out what is not in it yet, and what no longer is. */
type Loose = never

let model = 'first'
let cwd = ''
let servers: unknown[] = []
let isResumed = false
let calls = 0

const opened = () => ({
  ...(ways.has('option') ? { configOptions: [option()] } : {}),
  ...(ways.has('models') ? { models: { currentModelId: model, availableModels: [] } } : {}),
})
const option = () => ({
  ...{ id: 'the-model', name: 'Model', category: 'model', type: 'select' as const, currentValue: model },
  options: ['first', 'second'].map((value) => ({ value, name: value })),
})

if (process.argv[1] === SCRIPTED_ACP_AGENT) serve()

function serve(): void {
  agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      agentInfo: { name: 'scripted', title: 'Scripted', version: '1.0' },
      agentCapabilities: {
        loadSession: ways.has('load'),
        sessionCapabilities: ways.has('resume') ? { resume: {} } : {},
      },
    }))
    .onRequest(methods.agent.session.new, ({ params }) => {
      if (ways.has('locked')) throw new RequestError(-32_000, 'Authentication required')
      cwd = params.cwd
      servers = params.mcpServers
      return { sessionId: 'conversation-1', ...opened() } as Loose
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      takeUp(params.cwd)
      await update(client, { sessionUpdate: 'agent_message_chunk', content: text('what was said before') })
      return opened() as Loose
    })
    .onRequest(methods.agent.session.resume, ({ params }) => {
      takeUp(params.cwd)
      return opened() as Loose
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
      if (params.configId !== 'the-model') throw RequestError.invalidParams()
      model = String(params.value)
      return { configOptions: [option()] } as Loose
    })
    .onRequest(
      'session/set_model',
      (params) => params as { modelId: string },
      ({ params }) => {
        model = params.modelId
        return {}
      },
    )
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const [first] = params.prompt
      const words = first?.type === 'text' ? first.text : ''
      const steps = isResumed
        ? JSON.parse(readFileSync(laterFile, 'utf8'))
        : JSON.parse(words.split('\n', 1)[0] ?? '[]')
      let end: object = { stopReason: 'end_turn' }
      for (const step of steps as AcpStep[]) end = (await perform(client, step)) ?? end
      return end as Loose
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>))
}

function takeUp(worktree: string): void {
  cwd = worktree
  isResumed = true
}

/** What its turn ends with, if this step says so. */
async function perform(client: AgentContext, step: AcpStep): Promise<object | null> {
  switch (step.do) {
    case 'say':
    case 'think': {
      const sessionUpdate = step.do === 'say' ? 'agent_message_chunk' : 'agent_thought_chunk'
      for (const piece of step.text.match(/.{1,4}/gs) ?? [])
        await update(client, { sessionUpdate, content: text(piece) })
      return null
    }
    case 'write':
      await write(client, step)
      return null
    case 'run': {
      const call = { toolCallId: `call-${++calls}`, title: step.command, kind: 'execute' }
      await update(client, {
        sessionUpdate: 'tool_call',
        ...call,
        status: 'pending',
        rawInput: { command: step.command },
      })
      await update(client, { sessionUpdate: 'tool_call_update', ...call, status: 'completed', content: output('ran') })
      return null
    }
    case 'servers':
      await update(client, { sessionUpdate: 'agent_message_chunk', content: text(JSON.stringify(servers)) })
      return null
    case 'cost': {
      const cost = { amount: step.usd, currency: step.currency ?? 'USD' }
      await update(client, { sessionUpdate: 'usage_update', used: 10, size: 100, cost })
      return null
    }
    case 'fail':
      throw new RequestError(step.code, step.message)
    case 'exit':
      return process.exit(step.code)
    case 'signal':
      process.kill(process.pid, step.signal)
      return new Promise(() => {})
    case 'stop':
      return { stopReason: step.reason, ...(step.usage ? { usage: step.usage } : {}) }
    case 'later':
      writeFileSync(laterFile, JSON.stringify(step.steps))
      return null
    default:
      return step satisfies never
  }
}

async function write(
  client: AgentContext,
  { path, text: content, terse }: Extract<AcpStep, { do: 'write' }>,
): Promise<void> {
  const toolCallId = `call-${++calls}`
  const place = resolve(cwd, path)
  const call = { toolCallId, title: `Write ${path}`, kind: 'edit' as const }
  await update(client, { sessionUpdate: 'tool_call', ...call, status: 'pending', locations: [] })
  const locations = [{ path: place }]
  await update(client, { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress', locations })
  const question: RequestPermissionRequest = {
    sessionId: 'conversation-1',
    toolCall: terse ? { toolCallId } : { ...call, locations },
    options: [
      { optionId: 'yes-always', name: 'Always', kind: 'allow_always' },
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  }
  const ask = methods.client.session.requestPermission
  const { outcome } = await client.request<RequestPermissionResponse>(ask, question)
  const mayWrite = outcome.outcome === 'selected' && outcome.optionId === 'yes'
  if (mayWrite) {
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content)
  }
  await update(client, { sessionUpdate: 'tool_call_update', toolCallId, status: mayWrite ? 'completed' : 'failed' })
}

async function update(client: AgentContext, news: object): Promise<void> {
  await client.notify(methods.client.session.update, { sessionId: 'conversation-1', update: news as Loose })
}

function text(words: string) {
  return { type: 'text' as const, text: words }
}

function output(words: string) {
  return [{ type: 'content', content: text(words) }]
}
