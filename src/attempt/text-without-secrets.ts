import { withoutSecrets } from '../process/secrets.ts'
import { safeText } from '../text/safe.ts'

/**
 * What is kept of an agent's words: no secrets, and nothing that steers a terminal or hides in a text. Secrets are looked for
 * before and after, because one may hold characters that are taken out, or be printed with a colour in its middle.
 */
export function keptText(text: string, secrets: readonly string[]): string {
  return withoutSecrets(safeText(withoutSecrets(text, secrets)), secrets)
}
