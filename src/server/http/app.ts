// The table of routes as a web application: every route has the same guard, input checks and responses.
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { ok } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import { eventsRequest } from '../events/request.ts'
import { admit, type Rates } from '../guard/guard.ts'
import { type OpenStreams, openStreams, rateLimit } from '../guard/rate.ts'
import { type Reply, refusal } from '../resources/refusal.ts'
import { isText, type Route, type Text } from '../resources/route.ts'
import { EVENTS_PATH, type Method, PATHS, pathOf, type RouteName } from '../resources/route-paths.ts'
import { ROUTES } from '../resources/routes.ts'
import { TokenTrouble } from '../tokens/token-store.ts'
import { checked, fromPath, fromQuery, hasBody, hasNul, readBody } from './input.ts'
import { respondJson, respondRefusal, respondText } from './respond.ts'

type Bindings = { Bindings: HttpBindings }
type HttpContext = Context<Bindings>

/** `rates` and `streams` are shared with WebSockets. */
export type App = { hono: Hono<Bindings>; rates: Rates; streams: OpenStreams }

export function makeApp(context: ServerContext): App {
  const hono = new Hono<Bindings>({ strict: false })
  const rates = { calls: rateLimit(context.limits.rate), failed: rateLimit(context.limits.failedRate) }
  const streams = openStreams(context.limits)
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
  const route: Route = ROUTES[name]
  const { method, path } = pathOf(name)
  // Refuses unknown names: a misspelt one would be ignored silently.
  const schema = route.input.strict()
  const { context, rates, streams } = served
  hono.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), async (c) => {
    const entry = admit(c.env.incoming, { scope: route.scope, needsOrigin: method !== 'GET' }, context, rates)
    if (!entry.ok) return respondRefusal(entry)
    const given = await givenTo(c, route, method, context)
    if (!given.ok) return respondRefusal(given)
    const input = checked(schema, given.value)
    if (!input.ok) return respondRefusal(input)
    if (hasNul(input.value))
      return respondRefusal(refusal('invalid-request', 'a text has a character with the number 0'))
    const token = entry.value
    const reply = await route.handle({ input: input.value, context, token, signal: () => c.req.raw.signal })
    if (!reply.ok) return respondRefusal(reply)
    const { status = 200 } = route
    if (!isText(route.answer)) {
      const isGet = c.req.method === 'GET' || c.req.method === 'HEAD'
      const known = isGet ? (c.req.header('if-none-match') ?? null) : undefined
      return respondJson(reply.value, { status, known, cookie: reply.cookie })
    }
    const { body, type = route.answer[0] ?? '' } = reply.value as Text
    const open = typeof body === 'string' || !token ? NOTHING : streams.open(token)
    if (!open) return respondRefusal(refusal('not-ready', 'as many streams are open as may be'))
    return respondText(type, body, () => open[Symbol.dispose]())
  })
}

async function givenTo(c: HttpContext, route: Route, method: Method, context: ServerContext): Promise<Reply<object>> {
  const words = fromPath(route.input, c.req.param())
  if (words === null) return refusal('invalid-request', 'the path cannot be read')
  if (!hasBody(method)) return ok({ ...fromQuery(route.input, new URL(c.req.url).searchParams), ...words })
  const body = await readBody(c.req.raw, route, context)
  return body.ok ? ok({ ...body.value, ...words }) : body
}

const NOTHING: Disposable = { [Symbol.dispose]: () => {} }

/** Only callers with a token learn which paths exist. */
async function unknownPath(c: HttpContext, { context, rates }: Served): Promise<Response> {
  const entry = admit(c.env.incoming, { scope: 'read', needsOrigin: false }, context, rates)
  if (!entry.ok) return respondRefusal(entry)
  if (c.req.path === EVENTS_PATH && c.req.method === 'GET') {
    const asked = await eventsRequest(new URL(c.req.url).searchParams, context)
    return respondRefusal(asked.ok ? refusal('upgrade-required', 'events are a WebSocket') : asked)
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
  if (error instanceof TokenTrouble) return respondRefusal({ ok: false, problems: error.problems })
  log.error({ err: error, method: c.req.method, path: c.req.path }, 'a request failed')
  return respondRefusal(refusal('server-error', 'this is a bug of espalier: the log of the server has more'))
}
