// Reads the JSON of a request, up to the limit of its route.
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
  // A body above the limit is read to here and discarded: its sender would not read the answer before.
  const drained = most * 4
  if (length !== null && Number(length) > drained) return tooLarge(most)
  const type = request.headers.get('content-type')
  const parts: Uint8Array[] = []
  let bytes = 0
  // A chunked body has no content-length.
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
