// The server itself: who may use it, and which projects it has.
import * as z from 'zod'
import { type RouteShape, SCOPES, TOKEN_SCOPES } from './route.ts'

const scope = z.enum(SCOPES)
const tokenScope = z.enum(TOKEN_SCOPES)
const time = z.number().describe('ms since the epoch')

const token = z.object({
  id: z.string(),
  name: z.string(),
  scope: tokenScope,
  kind: z.enum(['token', 'browser']),
  createdAt: time,
  expiresAt: time.nullable(),
})

const project = z.object({
  id: z.string(),
  repo: z.string().describe('the top of the checkout'),
  stateDir: z.string(),
  engine: z.object({ pid: z.number() }).nullable(),
  cursor: z.string().describe('of its newest event: to follow what comes after'),
  trouble: z.string().nullable().describe('why it cannot be used, if it cannot'),
})

export const serverRoutes = {
  'server.get': {
    scope: 'read',
    summary: 'The server, and what this token may do',
    input: z.object({}),
    answer: z.object({
      name: z.literal('espalier'),
      version: z.string(),
      protocol: z.number(),
      startedAt: time,
      token: z.object({ id: z.string(), name: z.string(), scope }),
    }),
  },
  'server.login': {
    scope: 'public',
    summary: 'Trade the code of a login link for a cookie; a code works once',
    input: z.object({ code: z.string().min(1).max(200) }),
    answer: z.object({ scope }),
  },
  'server.logout': {
    scope: 'read',
    summary: 'Revoke the cookie of this browser',
    input: z.object({}),
    answer: z.object({ revoked: z.boolean() }),
  },
  'server.loginLink': {
    scope: 'admin',
    summary: 'A login link for a browser: works once, and for five minutes',
    input: z.object({ scope: scope.default('admin') }),
    answer: z.object({ url: z.string(), expiresAt: time }),
    status: 201,
  },
  'tokens.list': {
    scope: 'admin',
    summary: 'Tokens and logged-in browsers, without their secrets',
    input: z.object({}),
    answer: z.object({ items: z.array(token) }),
  },
  'tokens.create': {
    scope: 'admin',
    summary: 'A new token. Its secret is in this answer and nowhere else',
    input: z.object({
      name: z.string().min(1).max(80),
      scope: tokenScope,
      expiresInMs: z
        .number()
        .int()
        .min(1_000)
        .max(3_650 * 86_400_000)
        .optional(),
    }),
    answer: token.extend({ secret: z.string() }),
    status: 201,
  },
  'tokens.revoke': {
    scope: 'admin',
    summary: 'Revoke a token or log a browser out, at once',
    input: z.object({ token: z.string().min(1).max(40) }),
    answer: z.object({ revoked: z.boolean() }),
  },
  'projects.list': {
    scope: 'read',
    summary: 'The repositories that this server has',
    input: z.object({}),
    answer: z.object({ items: z.array(project) }),
  },
} as const satisfies Record<string, RouteShape>
