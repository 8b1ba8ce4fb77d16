// A worker's way to the server. Every call is tried again until it is answered or there is no point in it any more.
import { setTimeout as wait } from 'node:timers/promises'
import { isDiskTrouble } from '../../git/run/disk-trouble.ts'
import { WORKER_PATH } from '../protocol.ts'

/** The server has understood and says no: asking again would change nothing. */
export class Refused extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, detail: string) {
    super(detail)
    this.status = status
    this.reason = reason
  }
}

export type CallOptions = { timeoutMs?: number | undefined; signal?: AbortSignal | undefined }

export class ServerConnection {
  readonly #url: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#url = url.replace(/\/+$/, '')
    this.#token = token
  }

  async call<T>(path: string, body: unknown, options: CallOptions = {}): Promise<T> {
    const response = await this.#fetch(path, JSON.stringify(body), 'application/json', options)
    return (await response.json()) as T
  }

  async fetchPack(path: string, body: unknown, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#fetch(path, JSON.stringify(body), 'application/json', options)
    if (response.body === null) throw new Error('the server sent no pack')
    return response.body
  }

  async sendPack(path: string, query: Record<string, string>, pack: Buffer, options: CallOptions = {}): Promise<void> {
    const search = new URLSearchParams(query).toString()
    const response = await this.#fetch(`${path}?${search}`, new Uint8Array(pack), 'application/x-git-pack', options)
    await response.arrayBuffer()
  }

  /** Until it is answered, the server refuses it, this machine's disk takes nothing, or the signal. `fails`: the first time. */
  async persist<T>(work: () => Promise<T>, signal: AbortSignal, fails?: (error: unknown) => void): Promise<T> {
    for (let waitMs = FIRST_MS; ; waitMs = Math.min(2 * waitMs, 2_000)) {
      try {
        return await work()
      } catch (error) {
        if (signal.aborted || isDiskTrouble(error) || (error instanceof Refused && !isPassing(error))) throw error
        if (waitMs === FIRST_MS) fails?.(error)
        await wait(waitMs, undefined, { signal })
      }
    }
  }

  async #fetch(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    type: string,
    options: CallOptions,
  ): Promise<Response> {
    const signals = [AbortSignal.timeout(options.timeoutMs ?? CALL_MS), ...(options.signal ? [options.signal] : [])]
    const response = await fetch(`${this.#url}${WORKER_PATH}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': type },
      body,
      signal: AbortSignal.any(signals),
    })
    if (response.ok) return response
    const said = (await response.json().catch(() => ({}))) as { reason?: string; detail?: string }
    throw new Refused(response.status, said.reason ?? 'server-error', said.detail ?? `status ${response.status}`)
  }
}

/** It may be over in a moment. */
function isPassing({ status }: Refused): boolean {
  return status === 429 || status >= 500
}

/** Of a call that never reached the server: what is told is seldom in the error itself. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error.cause instanceof Error ? error.cause : error
  return message || String((error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.name)
}

const FIRST_MS = 200
const CALL_MS = 10_000
