// The codes of login links: each works once and not for long. Only their hashes are kept, in memory: a restarted server prints a
// new link.
import { createHash, randomBytes } from 'node:crypto'
import type { Scope } from './token.ts'

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

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
