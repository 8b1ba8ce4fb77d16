// Following events over lost connections: each event once, in order, from a cursor on.
import type { Event, Progress } from '../../event.ts'
import { EVENTS_PATH } from '../protocol/paths.ts'
import { type Fetch, Refused, refusedBy } from './refused.ts'
import { socketMessages } from './socket.ts'

export type EventMessage = {
  /** To come back `after` it. */
  cursor: string
  project: string
  run: string
  /** With the view `batches`: what the documents call it. */
  event: Event | Progress
}

export type EventsOptions = {
  project?: string | undefined
  run?: string | undefined
  /** `0`: from the beginning. Without: only what comes. */
  after?: string | undefined
  view?: 'all' | 'journal' | 'batches' | undefined
  signal?: AbortSignal | undefined
  /** Told of every change: false while what was got so far may not be current. */
  onConnection?: ((isConnected: boolean) => void) | undefined
  /** Before it comes back for the first time; twice as long with every failure, up to 5 s. */
  waitMs?: number | undefined
}

type Server = { url: string; token?: string | undefined; fetch?: Fetch | undefined }

export async function* followEvents(server: Server, options: EventsOptions): AsyncGenerator<EventMessage, void, void> {
  const { signal, onConnection, waitMs = FIRST_WAIT_MS } = options
  let { after } = options
  let failures = 0
  while (!signal?.aborted) {
    try {
      for await (const message of connection(server, { ...options, after })) {
        if (failures > 0 || message.type === 'hello') onConnection?.(true)
        failures = 0
        // With a cursor of its own, nothing that happens before the first event is missed by a reconnect.
        if (message.type === 'hello') after ??= message.cursor
        else if (message.type === 'event') {
          after = message.cursor
          yield message.message
        }
      }
    } catch (error) {
      if (error instanceof Refused && error.status < 500 && error.status !== 429) throw error
    }
    if (signal?.aborted) return
    onConnection?.(false)
    await pause(Math.min(MOST_WAIT_MS, waitMs * 2 ** Math.min(failures++, 10)), signal)
  }
}

const FIRST_WAIT_MS = 100
const MOST_WAIT_MS = 5_000
/** Three heartbeats: whoever hears nothing for so long has lost the connection without being told. */
const SILENT_MS = 45_000

type Part =
  | { type: 'hello'; cursor: string }
  | { type: 'heartbeat' }
  | { type: 'event'; cursor: string; message: EventMessage }

/** One connection: server-sent events over `fetch`, which can carry a token wherever it runs, or a WebSocket of a page. */
async function* connection(server: Server, options: EventsOptions): AsyncGenerator<Part> {
  const { project, run, after, view, signal } = options
  const given = Object.entries({ project, run, after, view }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const query = new URLSearchParams(given)
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  signal?.addEventListener('abort', leave)
  let silence = setTimeout(leave, SILENT_MS)
  try {
    const isPage = server.token === undefined && server.fetch === undefined && 'document' in globalThis
    const parts = isPage ? socketParts(server.url, query, leaving.signal) : sentParts(server, query, leaving.signal)
    for await (const part of parts) {
      clearTimeout(silence)
      silence = setTimeout(leave, SILENT_MS)
      yield part
    }
  } finally {
    clearTimeout(silence)
    signal?.removeEventListener('abort', leave)
    leaving.abort()
  }
}

async function* socketParts(url: string, query: URLSearchParams, signal: AbortSignal): AsyncGenerator<Part> {
  for await (const message of socketMessages<Exclude<Part, { type: 'event' }> | EventMessage>(url, query, signal))
    yield 'type' in message ? message : { type: 'event', cursor: message.cursor, message }
}

async function* sentParts(
  { url, token, fetch = globalThis.fetch }: Server,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<Part> {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}${EVENTS_PATH}?${query}`, {
    headers: { accept: 'text/event-stream', ...authorization },
    signal,
  })
  if (!response.ok || !response.body) throw await refusedBy(response)
  yield* partsOf(response.body)
}

async function* partsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Part> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const part = partOf(block)
      if (part) yield part
    }
  }
}

function partOf(block: string): Part | null {
  const lines = block.split('\n')
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = field('data')
  if (data === undefined) return null
  const value = JSON.parse(data) as EventMessage
  switch (field('event')) {
    case 'hello':
      return { type: 'hello', cursor: value.cursor }
    case 'heartbeat':
      return { type: 'heartbeat' }
    default:
      return { type: 'event', cursor: value.cursor, message: value }
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
