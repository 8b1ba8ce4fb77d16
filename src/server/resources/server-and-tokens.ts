// The server itself, the login of browsers, and tokens.
import * as z from 'zod'
import { ok } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import { SCOPES, type Scope, tokenSchema } from '../tokens/token-store.ts'
import { refusal } from './refusal.ts'
import { route } from './route.ts'

const scope = z.enum(SCOPES)
const time = z.number().describe('ms since the epoch')

const token = tokenSchema.omit({ hash: true })

export const serverRoutes = {
  'server.get': route({
    scope: 'read',
    summary: 'The server, and what this token may do',
    answer: z.object({
      name: z.literal('espalier'),
      version: z.string(),
      protocol: z.number(),
      startedAt: time,
      token: z.object({ id: z.string(), name: z.string(), scope }),
    }),
    handle: async ({ context: { version, startedAt }, token }) => {
      const { id = '', name = '', scope } = token ?? {}
      // The guard admits no worker's token here.
      const mine = { id, name, scope: scope as Scope }
      return ok({ name: 'espalier' as const, version, protocol: PROTOCOL_VERSION, startedAt, token: mine })
    },
  }),

  'server.login': route({
    scope: 'public',
    summary: 'Trade the code of a login link for a cookie; a code works once',
    input: { code: z.string().min(1).max(200) },
    answer: z.object({ scope }),
    handle: async ({ input, context }) => {
      const scope = context.codes.use(input.code, Date.now())
      if (scope === null)
        return refusal('not-authenticated', 'this login link was used before or is too old: make another')
      const { secret } = await context.tokens.add({ name: 'browser', scope, kind: 'browser', expiresInMs: BROWSER_MS })
      const { name, attributes } = context.cookie
      return { ...ok({ scope }), cookie: `${name}=${secret}; Max-Age=${BROWSER_MS / 1000}; ${attributes}` }
    },
  }),

  'server.loginLink': route({
    scope: 'admin',
    summary: 'A login link for a browser: works once, and for five minutes',
    input: { scope: scope.default('admin') },
    answer: z.object({ url: z.string(), expiresAt: time }),
    status: 201,
    handle: async ({ input, context }) => {
      const { code, expiresAt } = context.codes.make(input.scope, Date.now())
      return ok({ url: loginUrl(context, code), expiresAt })
    },
  }),

  'tokens.list': route({
    scope: 'admin',
    summary: 'Tokens and logged-in browsers, without their secrets',
    answer: z.object({ items: z.array(token) }),
    handle: async ({ context }) => ok({ items: context.tokens.tokens().map(({ hash: _, ...token }) => token) }),
  }),

  'tokens.revoke': route({
    scope: 'admin',
    summary: 'Revoke a token or log a browser out, at once',
    input: { token: z.string().min(1).max(40) },
    answer: z.object({ revoked: z.boolean() }),
    handle: async ({ input, context }) => {
      const revoked = await context.tokens.revoke(input.token)
      return revoked ? ok({ revoked: true }) : refusal('not-found', `there is no token ${input.token}`)
    },
  }),
}

/** Raised when a field or route is removed or changes its meaning; not when fields, routes or messages are added. */
export const PROTOCOL_VERSION = 1
const BROWSER_MS = 30 * 24 * 3_600_000

/** The code is behind a `#`, which browsers do not send: no log has it. */
export function loginUrl({ url }: Pick<ServerContext, 'url'>, code: string): string {
  return `${url}/login#${code}`
}
