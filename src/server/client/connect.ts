// `espalier/client`: the routes of a server as functions, for programs and for the dashboard. Made from the table of routes,
// without generated code. Works in Node and in browsers, and loads only the paths.

import { PATHS, pathOf, type RouteName } from '../resources/paths.ts'
import type { Given, Answer as RouteAnswer } from '../resources/routes.ts'
import { type EventMessage, type EventsOptions, type Fetch, followEvents, refusedBy } from './events.ts'

export { type EventMessage, type EventsOptions, Refused } from './events.ts'

export type ConnectOptions = {
  /** Such as `http://127.0.0.1:4713`; in a browser '' is the server of the page. */
  url: string
  /** Browsers that have logged in need none: they send their cookie. */
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
  /** A text as it comes, such as a followed log. */
  stream<Name extends RouteName>(
    name: Name,
    input: Given<Name>,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>>
}

/** Calls reject with `Refused` where the server refuses; a server that does not answer is the error of `fetch`. */
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
