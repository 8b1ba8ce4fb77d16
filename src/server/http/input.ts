// Turns query and path of a request into the object that the schema of its route checks.
import * as z from 'zod'
import type { Method } from '../resources/paths.ts'

/** Texts become numbers, booleans and arrays where the schema wants them. */
export function fromQuery(schema: z.ZodObject, query: URLSearchParams): Record<string, unknown> {
  const given: Record<string, unknown> = Object.create(null)
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name)
    const field = schema.shape[name]
    given[name] = field instanceof z.ZodType ? valueFor(field, texts) : texts[0]
  }
  return given
}

export function hasBody(method: Method): boolean {
  return method === 'POST' || method === 'PATCH'
}

/** Null: a part of the path cannot be decoded. */
export function fromPath(
  schema: z.ZodObject,
  params: Readonly<Record<string, string>>,
): Record<string, unknown> | null {
  const given: Record<string, unknown> = Object.create(null)
  for (const [name, text] of Object.entries(params)) {
    if (text.includes('\ufffd')) return null
    const field = schema.shape[name]
    given[name] = field instanceof z.ZodType ? valueFor(field, [text]) : text
  }
  return given
}

/** No name, path or argument of a command can contain NUL, and no text needs it. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul)
}

function valueFor(field: z.ZodType, texts: readonly string[]): unknown {
  const kind = kindOf(field)
  if (kind === 'array') return texts
  const [text = ''] = texts
  if (texts.length > 1) return texts
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

/** One line for each issue, with the name of its field. */
export function inputProblems({ issues }: z.ZodError): string[] {
  return issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
}

const MOST_ISSUES = 20
