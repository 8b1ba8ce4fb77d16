// Refusals of the server: problem details (RFC 9457) with a `reason` for programs. A refusal of the engine keeps its problems, each
// with its place in a file.
import * as z from 'zod'
import type { Problem, Result } from '../../problem.ts'

/** Reasons with their HTTP status. */
export const REFUSALS = {
  'invalid-request': 400, // it could not be read, or it does not fit the schema of the route
  'not-authenticated': 401, // no token, or one that is unknown, over or revoked
  'scope-missing': 403, // the token may not do this
  'host-not-allowed': 403, // a name that is not this server's: DNS rebinding looks like that
  'origin-not-allowed': 403, // a page of another site
  'not-found': 404, // no such route, project, run or task
  'method-not-allowed': 405,
  refused: 409, // the engine says why in `problems`
  'too-large': 413,
  'not-json': 415,
  'upgrade-required': 426,
  'too-many-requests': 429,
  'server-error': 500, // a bug of Espalier; the log has it
  'not-ready': 503, // it is stopping, or has as many streams open as it may
  'took-too-long': 504,
} as const

type RefusalReason = keyof typeof REFUSALS

export const problemSchema = z.object({
  file: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  message: z.string(),
  severity: z.enum(['error', 'warning']),
})

export const refusalSchema = z.object({
  type: z.string().describe('about:blank'),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  reason: z.enum(Object.keys(REFUSALS) as [RefusalReason, ...RefusalReason[]]),
  problems: z.array(problemSchema).optional(),
})
export type RefusalBody = z.infer<typeof refusalSchema>

export const REFUSAL_TYPE = 'application/problem+json'

/** `retryAfter`: in seconds. */
export type Refusal = { ok: false; reason: RefusalReason; detail: string; problems?: Problem[]; retryAfter?: number }

/** A result, or a refusal. A failed result of the engine is a refusal with the reason `refused`. */
export type Reply<T> = Result<T> | Refusal

export function refusal(reason: RefusalReason, detail: string): Refusal {
  return { ok: false, reason, detail }
}

export function refusalOf(failed: Extract<Reply<unknown>, { ok: false }>): Refusal {
  if ('reason' in failed) return failed
  const { problems } = failed
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0]
  return { ok: false, reason: 'refused', detail: first?.message ?? 'the engine refused', problems }
}
