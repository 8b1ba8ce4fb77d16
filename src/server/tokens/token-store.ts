// A token: its name, its scope, and the hash of its secret. The secret is shown once, when the token is made. It has 256 random
// bits, so a plain hash is safe. And the codes of login links, which a browser trades for a token.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import { problem } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import { parsedJson } from '../../text/json.ts'

/** Each scope includes those before it. */
export const SCOPES = ['read', 'run', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
/** Scopes of tokens: also `worker`, which may do nothing else. */
const TOKEN_SCOPES = [...SCOPES, 'worker'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const tokenSchema = z.object({
  id: z.string().regex(/^[a-z0-9]{8}$/),
  name: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  /** `browser`: the cookie of a login. */
  kind: z.enum(['token', 'browser']),
  /** SHA-256 of the secret, in hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
})
export type Token = z.infer<typeof tokenSchema>

type NewToken = { name: string; scope: TokenScope; kind?: Token['kind']; expiresInMs?: number | undefined }

/** `secret`: `esp_` + id + `_` + 256 bits. Its form says which token to revoke if it is found in a log. */
function newToken({ name, scope, kind = 'token', expiresInMs }: NewToken): { token: Token; secret: string } {
  const id = randomBytes(5).toString('hex').slice(0, 8)
  const secret = `esp_${id}_${randomBytes(32).toString('base64url')}`
  const createdAt = Date.now()
  const expiresAt = expiresInMs === undefined ? null : createdAt + expiresInMs
  return { token: { id, name, scope, kind, hash: hashOf(secret), createdAt, expiresAt }, secret }
}

/** Null: unknown or expired. Compares in constant time, with all tokens. */
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

/** Each code works once and not for long. Only hashes are kept, in memory: a restarted server prints a new link. */
export class LoginCodes {
  readonly #codes = new Map<string, { scope: Scope; expiresAt: number }>()

  make(scope: Scope, now: number): { code: string; expiresAt: number } {
    for (const [hash, { expiresAt }] of this.#codes) if (expiresAt <= now) this.#codes.delete(hash)
    const [oldest] = this.#codes.keys()
    if (this.#codes.size >= MOST_CODES && oldest !== undefined) this.#codes.delete(oldest)
    const code = randomBytes(24).toString('base64url')
    const expiresAt = now + CODE_MS
    this.#codes.set(hashOf(code), { scope, expiresAt })
    return { code, expiresAt }
  }

  /** Uses the code up. Null: it is unknown, used or too old. */
  use(code: string, now: number): Scope | null {
    // A lookup by hash takes a time that reveals nothing of the code.
    const hash = hashOf(code)
    const found = this.#codes.get(hash)
    this.#codes.delete(hash)
    return found && found.expiresAt > now ? found.scope : null
  }
}

const CODE_MS = 5 * 60_000
const MOST_CODES = 100

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

const fileSchema = z.object({ version: z.literal(1), tokens: z.array(tokenSchema) })

/**
 * The tokens of a user, in one file that only they can read. Servers and `espalier tokens` change it under a lock. A server checks it
 * with every request, so a revoked token is useless at once.
 */
export class TokenFile {
  readonly #path: string
  #known: { text: string; tokens: Token[] } | null = null

  /** `home`: the folder of the user's configuration. */
  constructor(home: string) {
    this.#path = join(home, 'server', 'tokens.json')
  }

  /** Throws if the file makes no sense: guessing could admit or lock out the wrong people. */
  tokens(): Token[] {
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : NO_TOKENS
    if (this.#known?.text === text) return this.#known.tokens
    const read = fileSchema.safeParse(parsedJson(text))
    if (!read.success) throw new TokenTrouble(`${this.#path} makes no sense: move it away, then make new tokens`)
    this.#known = { text, tokens: read.data.tokens }
    return read.data.tokens
  }

  async add(wanted: NewToken): Promise<{ token: Token; secret: string }> {
    const made = newToken(wanted)
    await this.#change((tokens) => [...tokens, made.token])
    return made
  }

  /** By id, or by a name that only one token has. Null: there is none. */
  async revoke(idOrName: string): Promise<Token | null> {
    let gone: Token | null = null
    await this.#change((tokens) => {
      const named = tokens.filter(({ name }) => name === idOrName)
      gone = tokens.find(({ id }) => id === idOrName) ?? (named.length === 1 ? (named[0] as Token) : null)
      return tokens.filter((token) => token !== gone)
    })
    return gone
  }

  async #change(change: (tokens: Token[]) => Token[]): Promise<void> {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    await using _lock = await this.#locked()
    const now = Date.now()
    const tokens = change(this.tokens().filter(({ expiresAt }) => expiresAt === null || expiresAt > now))
    if (tokens.length > MOST_TOKENS)
      throw new TokenTrouble(`${this.#path} has ${MOST_TOKENS} tokens already: revoke some first`)
    await writeAtomically(this.#path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`)
  }

  async #locked(): Promise<AsyncDisposable> {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const locked = await acquireLock(`${this.#path}.lock`, 'tokens')
      if (locked.ok) return locked.lock
      await wait(LOCK_WAIT_MS)
    }
    throw new TokenTrouble(`${this.#path} is being changed by another process: try again`)
  }
}

/** The token file cannot be used; the message is for people. */
export class TokenTrouble extends Error {
  get problems() {
    return [problem(this.message)]
  }
}

const NO_TOKENS = '{"version":1,"tokens":[]}'
const MOST_TOKENS = 500
const LOCK_TRIES = 50
const LOCK_WAIT_MS = 20
