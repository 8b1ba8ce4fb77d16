// A text that an agent wrote, as it may be kept and shown anywhere.
import { stripVTControlCharacters } from 'node:util'
import { withoutSecrets } from '../process/secrets.ts'
import { cut } from '../text/cut.ts'

/** What is kept of an agent's words: no secrets, and nothing that makes a text look like another one. */
export function keptText(text: string, secrets: readonly string[]): string {
  return withoutSecrets(text, secrets).replace(TURNING, '')
}

/** Characters that change the direction of what follows. */
const TURNING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g

/** Without control characters but line ends and tabs, and not longer than that. */
export function plainText(text: string, chars: number): string {
  const lines = stripVTControlCharacters(text.toWellFormed()).replace(/\r\n?/g, '\n')
  return cut(lines.replace(/[^\P{Cc}\n\t]/gu, '').trim(), chars)
}
