// The program that agent.ts starts: `node acp-driver ORDERS PROGRAM ARGS…`, with the prompt on stdin. An ACP agent
// needs a client for as long as it works, and an attempt has to go on when the engine is gone: this is that client. If
// the agent ends before its turn is over, the driver ends in the same way, like any other program.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { ndJsonStream, RequestError } from '@agentclientprotocol/sdk'
import { type AcpLine, AcpTrouble, acpOrders } from './driver-protocol.ts'
import { talk } from './talk.ts'

/** Grace for the agent to end by itself. */
const END_MS = 5_000
/** The protocol's code for it. */
const LOGIN_WANTED = -32_000

type AgentProcess = ChildProcessByStdio<Writable, Readable, null>

const [orders = '', program = '', ...args] = process.argv.slice(2)
process.exit(await drive(spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })))

/** Returns the exit status. */
async function drive(agent: AgentProcess): Promise<number> {
  // The end of the output tells of its end too.
  agent.stdin.on('error', () => {})
  try {
    await once(agent, 'spawn')
  } catch (error) {
    return failed(`it could not be started: ${error instanceof Error ? error.message : error}`)
  }
  const gone = once(agent, 'exit')
  try {
    const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>)
    const prompt = readFileSync(0, 'utf8')
    const { mcp, ...told } = acpOrders.parse(JSON.parse(orders))
    const mcpServers = mcp ? [{ ...mcp, env: mcp.env.map(variable) }] : []
    await talk(stream, { ...told, mcpServers, worktree: process.cwd(), prompt, print })
    return 0
  } catch (error) {
    if (error instanceof RequestError) return failed(wordsOf(error), statusOf(error))
    if (error instanceof AcpTrouble) return failed(error.message)
    await within(END_MS, gone)
    return hasEnded(agent) ? endLike(agent) : failed(String(error))
  } finally {
    // Most agents take the end of input as a goodbye.
    agent.stdin.end()
    await within(END_MS, gone)
    if (!hasEnded(agent)) agent.kill('SIGTERM')
  }
}

function variable(name: string): { name: string; value: string } {
  return { name, value: process.env[name] ?? '' }
}

function print(line: AcpLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function failed(message: string, status: number | null = null): number {
  print({ type: 'error', message, status })
  return 1
}

function wordsOf({ code, message, data }: RequestError): string {
  const said = data === undefined ? message : `${message} ${JSON.stringify(data)}`
  return code === LOGIN_WANTED ? `it wants a login first: ${said}` : said
}

/** Some agents pass the status of the provider's answer on as it is. */
function statusOf({ code }: RequestError): number | null {
  if (code === LOGIN_WANTED) return 401
  return code >= 400 && code < 600 ? code : null
}

function hasEnded({ exitCode, signalCode }: AgentProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function endLike({ exitCode, signalCode }: AgentProcess): number {
  if (signalCode !== null) process.kill(process.pid, signalCode)
  return exitCode ?? 1
}

/** The timer is left to itself: the driver exits when it is done. */
async function within(ms: number, end: Promise<unknown>): Promise<void> {
  await Promise.race([end, wait(ms)])
}
