// The table of routes as a web application: every route of it goes through the same guard, the same reading of what was
// sent, and the same way back.
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { ServerContext } from '../context.ts'
import { eventsRequest } from '../events/request.ts'
import { readBody } from '../guard/body.ts'
import { admit, type Rates } from '../guard/guard.ts'
import { RateLimit } from '../guard/rate.ts'
import { OpenStreams } from '../guard/streams.ts'
import { EVENTS_PATH, type Method, PATHS, pathOf, type RouteName } from '../protocol/paths.ts'
import type { RouteShape } from '../protocol/route.ts'
import { ROUTES } from '../protocol/routes.ts'
import type { Call, Handler } from '../routes/call.ts'
import { HANDLERS } from '../routes/handlers.ts'
import { type Refusal, type Reply, refusal, refusedBy } from '../routes/reply.ts'
import type { Token } from '../tokens/token.ts'
import { TokenTrouble } from '../tokens/token-file.ts'
import { fromPath, fromQuery, hasBody, hasNul, inputProblems, strictInput } from './input.ts'
import { respondJson, respondRefusal, respondText } from './respond.ts'

type Bindings = { Bindings: HttpBindings }
type HttpContext = Context<Bindings>

/** What the streams of events need of it, too. */
export type App = { hono: Hono<Bindings>; rates: Rates; streams: OpenStreams }

export function makeApp(context: ServerContext): App {
  const hono = new Hono<Bindings>({ strict: false })
  const rates = { calls: new RateLimit(context.limits.rate), failed: new RateLimit(context.limits.failedRate) }
  const streams = new OpenStreams(context.limits)
  const served = { context, rates, streams }
  hono.use(async (c, next) => {
    const since = performance.now()
    await next()
    const { method, path } = c.req
    context.log.info({ method, path, status: c.res.status, ms: Math.round(performance.now() - since) }, 'request')
  })
  for (const name of Object.keys(PATHS) as RouteName[]) addRoute(hono, name, served)
  hono.notFound((c) => unknownPath(c, served))
  hono.onError((error, c) => respondError(error, c, context))
  return { hono, rates, streams }
}

type Served = { context: ServerContext; rates: Rates; streams: OpenStreams }

function addRoute(hono: Hono<Bindings>, name: RouteName, served: Served): void {
  const route: RouteShape = ROUTES[name]
  const { method, path } = pathOf(name)
  const schema = strictInput(route)
  hono.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
    const { context } = served
    const isChange = method !== 'GET'
    const entry = admit(c.env.incoming, { scope: route.scope, needsOrigin: isChange }, context, served.rates)
    if (entry.kind === 'refused') return respondRefusal(entry, retryHeader(entry))
    const given = await givenTo(c, route, method, served)
    if (given.kind === 'refused') return respondRefusal(given)
    const input = schema.safeParse(given.value)
    if (!input.success) {
      const said = inputProblems(input.error)
      return respondRefusal(refusal('invalid-request', said.join('; ')))
    }
    if (hasNul(input.data))
      return respondRefusal(refusal('invalid-request', 'a text has a character with the number 0'))
    const call = {
      ...{ name, input: input.data, context, token: entry.token },
      // Most never ask for it, and it makes a request twice as dear.
      get signal() {
        return c.req.raw.signal
      },
    }
    const reply = await (HANDLERS[name] as Handler<RouteName>)(call as Call<RouteName>)
    return respond(reply, c, route, entry.token, served)
  })
}

async function givenTo(
  c: HttpContext,
  route: RouteShape,
  method: Method,
  { context }: Served,
): Promise<{ kind: 'read'; value: object } | Refusal> {
  const words = fromPath(route.input, c.req.param())
  if (words === null) return refusal('invalid-request', 'the path cannot be read')
  if (!hasBody(method)) {
    const query = fromQuery(route.input, new URL(c.req.url).searchParams)
    return { kind: 'read', value: { ...query, ...words } }
  }
  const body = await readBody(c.req.raw, route, context)
  return body.kind === 'read' ? { kind: 'read', value: { ...body.value, ...words } } : body
}

function respond(reply: Reply, c: HttpContext, route: RouteShape, token: Token | null, { streams }: Served): Response {
  switch (reply.kind) {
    case 'refused':
      return respondRefusal(reply)
    case 'json': {
      const isGet = c.req.method === 'GET' || c.req.method === 'HEAD'
      const known = isGet ? (c.req.header('if-none-match') ?? null) : undefined
      return respondJson(reply, route.status ?? 200, known)
    }
    case 'text': {
      const open = typeof reply.body === 'string' || !token ? NOTHING : streams.open(token)
      if (!open) return respondRefusal(refusal('not-ready', 'as many streams are open as may be'))
      return respondText(reply, () => open[Symbol.dispose]())
    }
    default:
      return reply satisfies never
  }
}

const NOTHING: Disposable = { [Symbol.dispose]: () => {} }

function retryHeader({ retryAfter }: { retryAfter?: number }): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
}

/** Whoever has no token does not learn which paths there are. */
async function unknownPath(c: HttpContext, { context, rates }: Served): Promise<Response> {
  const entry = admit(c.env.incoming, { scope: 'read', needsOrigin: false }, context, rates)
  if (entry.kind === 'refused') return respondRefusal(entry, retryHeader(entry))
  if (c.req.path === EVENTS_PATH && c.req.method === 'GET') {
    const asked = await eventsRequest(new URL(c.req.url).searchParams, context)
    return respondRefusal(asked.kind === 'refused' ? asked : refusal('upgrade-required', 'events are a WebSocket'))
  }
  const methods = methodsAt(c.req.path)
  if (methods.length === 0)
    return respondRefusal(refusal('not-found', 'there is nothing here: /api/docs lists all there is'))
  const allowed = methods.join(', ')
  return respondRefusal(refusal('method-not-allowed', `here it is ${allowed}`), { allow: allowed })
}

const PATTERNS = (Object.keys(PATHS) as RouteName[]).map((name) => {
  const { method, path } = pathOf(name)
  return { method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
})

function methodsAt(path: string): Method[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}

function respondError(error: Error, c: HttpContext, { log }: ServerContext): Response {
  if (error instanceof TokenTrouble) return respondRefusal(refusedBy(error.problems))
  log.error({ err: error, method: c.req.method, path: c.req.path }, 'a request failed')
  return respondRefusal(refusal('server-error', 'this is a bug of espalier: the log of the server has more'))
}
