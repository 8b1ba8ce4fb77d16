// `espalier/client`: the routes of a server as functions, for programs and for the dashboard. Made from the table of routes,
// without generated code. Works in Node and in browsers, and loads only the paths.

import type { Event, Progress } from '../../event.ts'
import type { RefusalBody } from '../resources/refusal.ts'
import { EVENTS_PATH, PATHS, pathOf, type RouteName } from '../resources/route-paths.ts'
import type { Given, Answer as RouteAnswer } from '../resources/routes.ts'

export type ConnectOptions = {
  /** Base URL, such as `http://127.0.0.1:4713`; in a browser, '' is the server of the page. */
  url: string
  /** Not needed in browsers that have logged in: they send their cookie. */
  token?: string | undefined
  fetch?: Fetch | undefined
}

export type CallOptions = { signal?: AbortSignal | undefined }

type Group = RouteName extends `${infer G}.${string}` ? G : never

export type Client = {
  readonly [G in Group]: {
    readonly [Name in Extract<RouteName, `${G}.${string}`> as Name extends `${G}.${infer M}` ? M : never]: (
      input: Given<Name>,
      options?: CallOptions,
    ) => Promise<RouteAnswer<Name>>
  }
} & {
  /** Missed events, then live ones, over lost connections, each once and in order. Ends with its signal. */
  events(options?: EventsOptions): AsyncGenerator<EventMessage, void, void>
  /** Streams a text as it is written, such as a followed log. */
  stream<Name extends RouteName>(
    name: Name,
    input: Given<Name>,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>>
}

/** Calls reject with `Refused` if the server refuses, and with the error of `fetch` if it does not answer. */
export function connect(options: ConnectOptions): Client {
  const client: Record<string, unknown> = {
    events: (wanted: EventsOptions = {}) => followEvents(options, wanted),
    stream: async (name: RouteName, input: object, given: CallOptions = {}) => {
      const response = await send(options, name, input, given)
      return response.body ?? new ReadableStream({ start: (controller) => controller.close() })
    },
  }
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const [group = '', method = ''] = name.split('.')
    const functions = (client[group] ?? {}) as Record<string, unknown>
    functions[method] = async (input: object = {}, given: CallOptions = {}) => {
      const response = await send(options, name, input, given)
      // A report is text, also in JSON.
      const isJson = response.headers.get('content-type')?.startsWith('application/json') && name !== 'runs.report'
      return isJson ? response.json() : response.text()
    }
    client[group] = functions
  }
  return client as Client
}

async function send(
  { url, token, fetch = globalThis.fetch }: ConnectOptions,
  name: RouteName,
  input: object,
  { signal }: CallOptions,
): Promise<Response> {
  const { method, path, params } = pathOf(name)
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const target = path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
    encodeURIComponent(String((input as Record<string, unknown>)[param])),
  )
  const rest = given.filter(([key]) => !params.includes(key))
  const hasBody = method === 'POST' || method === 'PATCH'
  const query = hasBody || rest.length === 0 ? '' : `?${searchOf(rest)}`
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  }
  const response = await fetch(`${url}${target}${query}`, {
    method,
    headers,
    ...(hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {}),
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  throw await refusedBy(response)
}

function searchOf(rest: readonly (readonly [string, unknown])[]): URLSearchParams {
  return new URLSearchParams(
    rest.flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [key, String(one)]),
    ),
  )
}

// Follows events over lost connections: each event once, in order, from a cursor on.

export type EventMessage = {
  /** The position after the event, for `after`. */
  cursor: string
  project: string
  run: string
  /** With the view `batches`: an event of document 001. */
  event: Event | Progress
}

export type EventsOptions = {
  project?: string | undefined
  run?: string | undefined
  /** `0`: from the beginning. Default: only new events. */
  after?: string | undefined
  view?: 'all' | 'journal' | 'batches' | undefined
  signal?: AbortSignal | undefined
  /** Called with every change; false: some events may have been missed so far. */
  onConnection?: ((isConnected: boolean) => void) | undefined
  /** Pause before the first reconnect; doubled with every failure, up to 5 s. */
  waitMs?: number | undefined
}

async function* followEvents(server: EventServer, options: EventsOptions): AsyncGenerator<EventMessage, void, void> {
  const { signal, onConnection, waitMs = FIRST_WAIT_MS } = options
  let { after } = options
  let failures = 0
  while (!signal?.aborted) {
    try {
      for await (const message of connection(server, { ...options, after })) {
        if (failures > 0 || message.type === 'hello') onConnection?.(true)
        failures = 0
        // With a cursor, a reconnect before the first event misses nothing.
        if (message.type === 'hello') after ??= message.cursor
        else if (message.type === undefined) {
          after = message.cursor
          yield message
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
/** Three heartbeats: after so much silence the connection counts as lost. */
const SILENT_MS = 45_000

type EventServer = { url: string; token?: string | undefined; fetch?: Fetch | undefined }
type Message = { type: 'hello'; cursor: string } | { type: 'heartbeat' } | (EventMessage & { type?: undefined })

/** Ends with the connection, after too long a silence, or with the signal. */
async function* connection(
  { url, token, fetch = globalThis.fetch }: EventServer,
  { project, run, after, view, signal }: EventsOptions,
): AsyncGenerator<Message> {
  const given = Object.entries({ project, run, after, view }).filter((pair) => pair[1] !== undefined)
  const query = new URLSearchParams(given as [string, string][])
  const page = (globalThis as { location?: { href: string } }).location
  const address = new URL(`${url}${EVENTS_PATH}?${query}`, page?.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const socket =
    token === undefined ? new WebSocket(address) : new (WebSocket as unknown as NodeWebSocket)(address, { headers })
  const messages: Message[] = []
  let wake = () => {}
  let isOpen = true
  let wasOpen = false
  const close = () => {
    isOpen = false
    wake()
  }
  let silence = setTimeout(close, SILENT_MS)
  socket.onmessage = ({ data }) => {
    clearTimeout(silence)
    silence = setTimeout(close, SILENT_MS)
    wasOpen = true
    messages.push(JSON.parse(String(data)) as Message)
    wake()
  }
  socket.onclose = close
  socket.onerror = close
  signal?.addEventListener('abort', close)
  try {
    while (isOpen || messages.length > 0) {
      const message = messages.shift()
      if (message) yield message
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    clearTimeout(silence)
    signal?.removeEventListener('abort', close)
    socket.close()
  }
  if (wasOpen || signal?.aborted) return
  // A WebSocket does not say why it was refused.
  const ends = [AbortSignal.timeout(SILENT_MS), ...(signal ? [signal] : [])]
  const asked = await fetch(`${url}${EVENTS_PATH}?${query}`, { headers, signal: AbortSignal.any(ends) })
  if (asked.status !== UPGRADE_REQUIRED) throw await refusedBy(asked)
}

/** The status of a request for events that would be accepted as a WebSocket. */
const UPGRADE_REQUIRED = 426

/** Browsers send their cookie with a WebSocket, and cannot send a token. */
type NodeWebSocket = new (url: URL, options: { headers: Record<string, string> }) => WebSocket

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

/** The part of `fetch` that is used. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The error of a refused call. */
export class Refused extends Error {
  readonly status: number
  /** Listed in `/api/docs`. `unknown`: another program answered. */
  readonly reason: RefusalBody['reason'] | 'unknown'
  readonly problems: NonNullable<RefusalBody['problems']>

  constructor(status: number, body: Partial<RefusalBody>) {
    super(body.detail ?? `the server answered with status ${status}`)
    this.name = 'Refused'
    this.status = status
    this.reason = body.reason ?? 'unknown'
    this.problems = body.problems ?? []
  }
}

async function refusedBy(response: Response): Promise<Refused> {
  const body = await response.json().catch(() => ({}))
  return new Refused(response.status, body as Partial<RefusalBody>)
}
