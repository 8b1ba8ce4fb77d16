import * as z from 'zod'
import { ok } from '../../problem.ts'
import { TOKEN_SCOPES, type Token, tokenSchema } from '../tokens/token.ts'
import { refusal } from './refusal.ts'
import { route } from './route.ts'

const time = z.number().describe('ms since the epoch')

const token = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  kind: tokenSchema.shape.kind,
  createdAt: time,
  expiresAt: time.nullable(),
})

export const tokenRoutes = {
  'tokens.list': route({
    scope: 'admin',
    summary: 'Tokens and logged-in browsers, without their secrets',
    input: {},
    answer: z.object({ items: z.array(token) }),
    handle: async ({ context }) => ok({ items: context.tokens.tokens().map(withoutHash) }),
  }),

  'tokens.create': route({
    scope: 'admin',
    summary: 'A new token. Its secret is in this answer and nowhere else',
    input: {
      name: z.string().min(1).max(80),
      scope: z.enum(TOKEN_SCOPES),
      expiresInMs: z
        .number()
        .int()
        .min(1_000)
        .max(3_650 * 86_400_000)
        .optional(),
    },
    answer: token.extend({ secret: z.string() }),
    status: 201,
    handle: async ({ input, context }) => {
      const { token, secret } = await context.tokens.add(input)
      return ok({ ...withoutHash(token), secret })
    },
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

function withoutHash({ hash: _, ...token }: Token): Omit<Token, 'hash'> {
  return token
}
