// A token: who it is for, what it may do, and the hash of its secret. The secret itself is shown once, to whoever made it.
// It is 256 random bits, so a plain hash of it tells nobody anything.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'

/** Each may do what those before it may. */
export const SCOPES = ['read', 'run', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
/** A token is for one of them, or for a worker, which may do nothing else. */
export const TOKEN_SCOPES = [...SCOPES, 'worker'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const tokenSchema = z.object({
  id: z.string().regex(/^[a-z0-9]{8}$/),
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  /** `browser`: the cookie of one that has logged in. */
  kind: z.enum(['token', 'browser']),
  /** SHA-256 of the secret, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
})
export type Token = z.infer<typeof tokenSchema>

export type NewToken = { name: string; scope: TokenScope; kind?: Token['kind']; expiresInMs?: number | undefined }

/** `secret`: `esp_` + id + `_` + 256 bits; whoever finds one in a log knows what it is, and which to revoke. */
export function newToken({ name, scope, kind = 'token', expiresInMs }: NewToken): { token: Token; secret: string } {
  const id = randomBytes(5).toString('hex').slice(0, 8)
  const secret = `esp_${id}_${randomBytes(32).toString('base64url')}`
  const createdAt = Date.now()
  const expiresAt = expiresInMs === undefined ? null : createdAt + expiresInMs
  return { token: { id, name, scope, kind, hash: hashOf(secret), createdAt, expiresAt }, secret }
}

/** The token with that secret, unless its time is over. Compares in constant time, and looks at all of them. */
export function tokenOf(tokens: readonly Token[], secret: string, now: number): Token | null {
  const hash = Buffer.from(hashOf(secret), 'hex')
  let found: Token | null = null
  for (const token of tokens) if (timingSafeEqual(Buffer.from(token.hash, 'hex'), hash)) found = token
  return found && (found.expiresAt === null || found.expiresAt > now) ? found : null
}

export function mayDo(token: Pick<Token, 'scope'>, scope: TokenScope): boolean {
  if (token.scope === 'worker' || scope === 'worker') return token.scope === scope
  return SCOPES.indexOf(token.scope) >= SCOPES.indexOf(scope)
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
