// Words that people and plans write with code in backticks, such as "Add `src/a.ts`", for an HTML page.
import { html } from './escape.ts'

/** What stands between two backticks becomes code, or from one to where the text was cut; a single one stays as it is. */
export function withCode(text: string): string {
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? `<code>${html(part.replaceAll('`', ''))}</code>` : html(part)))
    .join('')
}

/** Split by it, every second part is code. */
const CODE = /(`[^`]+`|`[^`]+…$)/
