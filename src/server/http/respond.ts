// Responses. Output of agents is data: it is sent with a type that no browser runs.
import { createHash } from 'node:crypto'
import { jsonText } from '../../text/json.ts'
import { REFUSAL_TYPE, REFUSALS, type RefusalBody, type Reply, refusalOf } from '../resources/refusal.ts'
import type { Text } from '../resources/route.ts'

/** Headers of every response. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** For HTML reports: their scripts run in an origin of their own, without this server's cookie. */
const SANDBOX =
  "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"

export function respondRefusal(
  refused: Extract<Reply<unknown>, { ok: false }>,
  headers: Record<string, string> = {},
): Response {
  const { reason, detail, problems, retryAfter } = refusalOf(refused)
  const status = REFUSALS[reason]
  const body: RefusalBody = {
    type: 'about:blank',
    title: reason.replaceAll('-', ' '),
    status,
    detail,
    reason,
    ...(problems ? { problems } : {}),
  }
  const more: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  if (retryAfter !== undefined) more['retry-after'] = String(retryAfter)
  return new Response(jsonText(body), {
    status,
    headers: { ...SAFE_HEADERS, ...more, ...headers, 'content-type': REFUSAL_TYPE },
  })
}

/** `known`: the If-None-Match of a GET; null: it has none. */
export function respondJson(
  value: unknown,
  { status = 200, known, cookie }: { status?: number; known?: string | null | undefined; cookie?: string | undefined },
): Response {
  const text = jsonText(value)
  const headers: Record<string, string> = { ...SAFE_HEADERS, 'content-type': 'application/json; charset=utf-8' }
  if (cookie !== undefined) headers['set-cookie'] = cookie
  if (known !== undefined) {
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    Object.assign(headers, { etag, 'cache-control': 'no-cache' })
    if (known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
      return new Response(null, { status: 304, headers })
  }
  return new Response(text, { status, headers })
}

/** `onEnd`: called when the body is sent or its reader is gone. */
export function respondText(type: string, body: Text['body'], onEnd: () => void): Response {
  const page = type === 'text/html' ? { 'content-security-policy': SANDBOX } : {}
  const headers = { ...SAFE_HEADERS, ...page, 'content-type': `${type}; charset=utf-8` }
  if (typeof body !== 'string') return new Response(ReadableStream.from(streamed(body, onEnd)), { headers })
  onEnd()
  return new Response(body, { headers })
}

/** Passes the body on, as fast as the client reads it. */
async function* streamed(body: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    onEnd()
  }
}
