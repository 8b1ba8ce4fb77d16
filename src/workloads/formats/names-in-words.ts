// Names of a file in a message.
import { shown } from '../document/field.ts'

/** So many are named; the rest is counted. */
const NAMED = 10

export function namesInWords(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).map(shown).join(', ')}${more}`
}
