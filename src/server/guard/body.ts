// The JSON of a request, not more of it than the route takes.
import { ok } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import { type Refusal, type Reply, refusal } from '../resources/refusal.ts'
import type { RouteShape } from '../resources/route.ts'

export async function readBody(
  request: Request,
  route: Pick<RouteShape, 'large'>,
  { limits }: Pick<ServerContext, 'limits'>,
): Promise<Reply<object>> {
  const most = route.large ? limits.largeBodyBytes : limits.bodyBytes
  const length = request.headers.get('content-length')
  // So much more is read and thrown away, so that whoever sends it gets to the answer.
  const drained = most * 4
  if (length !== null && Number(length) > drained) return tooLarge(most)
  const type = request.headers.get('content-type')
  const parts: Uint8Array[] = []
  let bytes = 0
  // Not for the length of its head alone: a body in chunks has none.
  if (request.body) {
    for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += part.length
      if (bytes > drained) return tooLarge(most)
      if (bytes <= most) parts.push(part)
    }
  }
  if (bytes > most) return tooLarge(most)
  if (bytes === 0) return ok({})
  // Forms of other sites can send three other types, and never this one.
  if (!/^application\/json\s*(;|$)/i.test(type ?? ''))
    return refusal('not-json', 'the body has to be JSON, with the content type application/json')
  const value = jsonOf(Buffer.concat(parts))
  if (value === null) return refusal('invalid-request', 'the body is no JSON object')
  return ok(value)
}

function tooLarge(most: number): Refusal {
  return refusal('too-large', `the request is larger than ${most} bytes`)
}

function jsonOf(bytes: Buffer): object | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
