// The tokens of a user, in one file that only they can read. Servers and `espalier tokens` change it under a lock. A server checks
// it with every request, so a revoked token is useless at once.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import { problem } from '../../problem.ts'
import { acquireLock } from '../../process/lock.ts'
import { parsedJson } from '../../text/json.ts'
import { type NewToken, newToken, type Token, tokenSchema } from './token.ts'

const fileSchema = z.object({ version: z.literal(1), tokens: z.array(tokenSchema) })

export class TokenFile {
  readonly #path: string
  #known: { stamp: string; tokens: Token[] } | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** Throws if the file makes no sense: guessing would admit or lock out somebody. */
  tokens(): Token[] {
    const stamp = this.#stamp()
    if (this.#known?.stamp !== stamp) this.#known = { stamp, tokens: stamp === '' ? [] : this.#read() }
    return this.#known.tokens
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
    const before = this.#stamp() === '' ? [] : this.#read()
    const alive = before.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    const tokens = change(alive)
    if (tokens.length > MOST_TOKENS)
      throw new TokenTrouble(`${this.#path} has ${MOST_TOKENS} tokens already: revoke some first`)
    await writeAtomically(this.#path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`)
    this.#known = null
  }

  async #locked(): Promise<AsyncDisposable> {
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const locked = await acquireLock(`${this.#path}.lock`, 'tokens')
      if (locked.ok) return locked.lock
      await wait(LOCK_WAIT_MS)
    }
    throw new TokenTrouble(`${this.#path} is being changed by another process: try again`)
  }

  #read(): Token[] {
    const read = fileSchema.safeParse(parsedJson(readFileSync(this.#path, 'utf8')))
    if (read.success) return read.data.tokens
    throw new TokenTrouble(`${this.#path} makes no sense: move it away, then make new tokens`)
  }

  /** Changes with the file; empty: there is no file. */
  #stamp(): string {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    return stat ? `${stat.ino}:${stat.mtimeNs}:${stat.size}` : ''
  }
}

/** The token file cannot be used; the message is for people. */
export class TokenTrouble extends Error {
  get problems() {
    return [problem(this.message)]
  }
}

const MOST_TOKENS = 500
const LOCK_TRIES = 50
const LOCK_WAIT_MS = 20
