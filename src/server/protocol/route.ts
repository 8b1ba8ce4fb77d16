// What a row of the table says of a route besides its path.
import * as z from 'zod'

/** Each may do what those before it may. */
export const SCOPES = ['read', 'run', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
/** A token is for one of them, or for a worker, which may do nothing else. */
export const TOKEN_SCOPES = [...SCOPES, 'worker'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export type RouteShape = {
  /** `public`: without a token. */
  scope: Scope | 'public'
  summary: string
  /** All that it takes: what its path names, and the rest from the query of a GET or DELETE, or from the JSON of a POST or PATCH. */
  input: z.ZodObject
  /** What it gives: JSON of this shape, or text of these media types. */
  answer: z.ZodType | readonly string[]
  /** Of an answer that is no refusal; default: 200. */
  status?: 200 | 201 | 202
  /** Its request may carry a plan. */
  large?: true
}

export function isText(answer: RouteShape['answer']): answer is readonly string[] {
  return Array.isArray(answer)
}

/** A page of a list: `next` is what to ask `after`, and null at its end. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: z.string().nullable() })
}

/** What a request for a page says. */
export function pageInput(most: number) {
  return {
    after: z.string().max(200).optional().describe('what `next` of the page before said'),
    limit: z.number().int().min(1).max(most).default(Math.min(most, 100)),
  }
}
