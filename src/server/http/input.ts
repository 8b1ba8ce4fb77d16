// Reads a request: its query, path and JSON become the object that the schema of its route checks.
import * as z from 'zod'
import { ok } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import { type Refusal, type Reply, refusal } from '../resources/refusal.ts'
import type { RouteShape } from '../resources/route.ts'
import type { Method } from '../resources/route-paths.ts'

export function fromQuery(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  return valuesFor(schema, new Set(query.keys()), (name) => query.getAll(name))
}

/** Null: a part of the path cannot be decoded. */
export function fromPath(schema: z.ZodObject, params: Readonly<Record<string, string>>) {
  if (Object.values(params).some((text) => text.includes('\ufffd'))) return null
  return valuesFor(schema, Object.keys(params), (name) => [params[name] ?? ''])
}

/** Texts become numbers, booleans and arrays where the schema wants them. */
function valuesFor({ shape }: z.ZodObject, names: Iterable<string>, textsOf: (name: string) => string[]) {
  const given: Record<string, unknown> = Object.create(null)
  for (const name of names) {
    const [field, texts] = [shape[name], textsOf(name)]
    given[name] = field instanceof z.ZodType ? valueFor(field, texts) : texts[0]
  }
  return given
}

/** The JSON of a request, up to the limit of its route. */
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

export function hasBody(method: Method): boolean {
  return method === 'POST' || method === 'PATCH'
}

/** No name, path or argument of a command can contain NUL, and no text needs it. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul)
}

function valueFor(field: z.ZodType, texts: readonly string[]): unknown {
  const kind = kindOf(field)
  if (kind === 'array' || texts.length > 1) return texts
  const [text = ''] = texts
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function kindOf(field: z.ZodType): string {
  let inner: z.ZodType = field
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable)
    inner = inner.unwrap() as z.ZodType
  return inner.def.type
}

/** The refusal has the name of the field of each issue. */
export function checked<S extends z.ZodType>(schema: S, given: unknown): Reply<z.output<S>> {
  const read = schema.safeParse(given)
  if (read.success) return ok(read.data)
  const issues = read.error.issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
  return refusal('invalid-request', issues.join('; '))
}

const MOST_ISSUES = 20
