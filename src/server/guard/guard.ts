// Admits requests and WebSockets. Checks in this order: the Host, the Origin, the token, its scope, its rate. The body is read
// only after that.
import type { IncomingMessage } from 'node:http'
import { ok } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import { type Refusal, type Reply, refusal } from '../resources/refusal.ts'
import { mayDo, type Token, type TokenScope, tokenOf } from '../tokens/token-store.ts'
import type { RateLimit } from './rate.ts'

export type Rates = { calls: RateLimit; failed: RateLimit }

export function admit(
  request: IncomingMessage,
  wanted: {
    scope: TokenScope | 'public'
    /** Browsers have to send an Origin: the request changes something, or is a WebSocket. */
    needsOrigin: boolean
    /** A file of the web app: its rate is that of calls, not of logins. */
    isPage?: true
  },
  context: ServerContext,
  rates: Rates,
): Reply<Token | null> {
  const place = placeTrouble(request, context)
  if (place) return place
  const now = performance.now()
  const caller = request.socket.remoteAddress ?? ''
  const publicRate = wanted.isPage ? rates.calls : rates.failed
  if (wanted.scope === 'public') return limited(publicRate(`public ${caller}`, now)) ?? ok(null)
  const given = secretOf(request, context.cookie.name)
  const token = given && tokenOf(context.tokens.tokens(), given.secret, Date.now())
  if (!token || !given) {
    const wait = rates.failed(caller, now)
    const said = given ? 'this token is not known, or its time is over' : 'a token is missing'
    return limited(wait) ?? refusal('not-authenticated', `${said}: \`espalier tokens create\` makes one`)
  }
  if (given.from === 'cookie' && wanted.needsOrigin && request.headers.origin === undefined)
    return refusal('origin-not-allowed', 'a request with a cookie has to say which page it comes from')
  if (!mayDo(token, wanted.scope))
    return refusal(
      'scope-missing',
      `this is a token of the scope ${token.scope}, and this needs one of the scope ${wanted.scope}`,
    )
  return limited(rates.calls(token.id, now)) ?? ok(token)
}

function limited(seconds: number): Refusal | null {
  if (seconds === 0) return null
  return { ...refusal('too-many-requests', `too many requests: try again in ${seconds} s`), retryAfter: seconds }
}

/** Refuses foreign Host names, pages of other sites, and heads that two programs could read differently. */
function placeTrouble(request: IncomingMessage, { places }: ServerContext): Refusal | null {
  const path = request.url?.split('?', 1)[0] ?? ''
  if (SINGLE.some((name) => count(request.rawHeaders, name) > 1) || !path.startsWith('/') || TWO_WAYS.test(path))
    return refusal('invalid-request', 'this request can be read in two ways')
  const host = request.headers.host?.toLowerCase() ?? ''
  if (!places.hosts.has(host))
    return refusal('host-not-allowed', 'this is not a name of this server: --allow-host adds one')
  const { origin } = request.headers
  if (origin !== undefined && !places.origins.has(origin.toLowerCase()))
    return refusal('origin-not-allowed', 'pages of other sites are not served: --allow-origin adds one')
  const site = request.headers['sec-fetch-site']
  const isForeign = site === 'cross-site' || site === 'same-site'
  if (isForeign && origin === undefined && request.headers['sec-fetch-mode'] !== 'navigate')
    return refusal('origin-not-allowed', 'pages of other sites are not served')
  return null
}

/** Path steps (`..`) that a proxy may have resolved already, or not. */
const TWO_WAYS = /\\|%5c|\/(\.|%2e){1,2}(\/|$)|^\/\//i

/** Headers that may come once: of two, a proxy could take one and this server the other. */
const SINGLE = ['host', 'origin', 'authorization', 'content-length', 'transfer-encoding']

function count(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((one, n) => n % 2 === 0 && one.toLowerCase() === name).length
}

function secretOf(request: IncomingMessage, cookie: string): { secret: string; from: 'header' | 'cookie' } | null {
  const [, bearer] = /^bearer ([\x21-\x7e]{1,200})$/i.exec(request.headers.authorization ?? '') ?? []
  if (bearer !== undefined) return { secret: bearer, from: 'header' }
  if (request.headers.authorization !== undefined) return null
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const mine = pairs.find((pair) => pair.startsWith(`${cookie}=`))
  return mine === undefined ? null : { secret: mine.slice(cookie.length + 1), from: 'cookie' }
}
