// The codes of login links: each works once and not for long, and is known by its hash only. They are in memory: a server
// that was restarted prints a new link.
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

  /** What it was made for; null where it is unknown, used or too old. It is used up now. */
  use(code: string, now: number): Scope | null {
    // Looked up by its hash: how long that takes tells nothing of the code.
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
