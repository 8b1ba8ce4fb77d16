// A worker's calls to the server. Uses node:http: the web streams and signals of `fetch` cost a worker as much as all else it does
// for a short task.
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { doubled, retry } from '../../async/retry.ts'
import { isDiskTrouble } from '../../git/run/machine-trouble.ts'
import { FLEET } from '../limits.ts'
import { type Join, type Joined, WORKER_PATH } from '../protocol.ts'

/** The server answered with an error. */
export class RefusedByServer extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, detail: string) {
    super(detail)
    this.status = status
    this.reason = reason
  }
}

type CallOptions = { timeoutMs?: number; signal?: AbortSignal }

export class ServerConnection {
  readonly #url: string
  readonly #token: string
  readonly #request: typeof http.request
  /** Headers with the worker's name, sent once it has joined. */
  #worker: Record<string, string> = {}

  constructor(url: string, token: string) {
    this.#url = url.replace(/\/+$/, '')
    this.#token = token
    // Node's own agent keeps connections open and knows the proxy settings.
    this.#request = this.#url.startsWith('https:') ? https.request : http.request
  }

  async join(join: Join): Promise<Joined> {
    const joined = await this.call<Joined>('join', join)
    this.#worker = { name: join.name, project: joined.project }
    return joined
  }

  async call<T>(path: string, body: object, options?: CallOptions): Promise<T> {
    return (await json(await this.#ask(path, body, options))) as T
  }

  fetchPack(path: string, body: object): Promise<Readable> {
    return this.#ask(path, body, { timeoutMs: PACK_MS })
  }

  async sendPack(path: string, query: Record<string, string>, pack: Buffer): Promise<void> {
    const search = new URLSearchParams({ ...this.#worker, ...query }).toString()
    await json(await this.#post(`${path}?${search}`, pack, 'application/x-git-pack', { timeoutMs: PACK_MS }))
  }

  /** Retries until success, a final refusal, a full disk, or the signal. `fails`: called at the first failure. */
  persist<T>(work: () => Promise<T>, signal: AbortSignal, fails?: (error: unknown) => void): Promise<T> {
    const pauseAfter = (error: unknown, tries: number) => {
      if (isDiskTrouble(error) || (error instanceof RefusedByServer && !isPassing(error))) return null
      if (tries === 0) fails?.(error)
      return doubled(tries, FLEET.callRetryMs)
    }
    return retry(work, pauseAfter, signal)
  }

  #ask(path: string, body: object, options?: CallOptions): Promise<IncomingMessage> {
    return this.#post(path, JSON.stringify({ ...this.#worker, ...body }), 'application/json', options)
  }

  /** The caller has to read the answer; the timeout includes that. */
  async #post(path: string, body: string | Buffer, type: string, options: CallOptions = {}) {
    const { timeoutMs = CALL_MS, signal } = options
    const begun = Promise.withResolvers<IncomingMessage>()
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    }
    const request = this.#request(`${this.#url}${WORKER_PATH}/${path}`, {
      ...{ method: 'POST', headers },
      ...(signal ? { signal } : {}),
    })
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    request.on('response', begun.resolve).on('error', begun.reject)
    request.on('close', () => clearTimeout(timer))
    request.end(body)
    const answer = await begun.promise
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    const said = (await json(answer).catch(() => ({}))) as { reason?: string; detail?: string }
    const { location } = answer.headers
    const where = location && status < 400 ? `it sends workers on to ${location}` : `status ${status}`
    throw new RefusedByServer(status, said.reason ?? 'server-error', said.detail ?? where)
  }
}

/** True for errors worth another try. */
function isPassing({ status }: RefusedByServer): boolean {
  return status === 429 || status >= 500
}

/** The message of a connection error; if several addresses were tried, it is empty and the code is used. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name)
}

const CALL_MS = 10_000
const PACK_MS = 10 * 60_000
