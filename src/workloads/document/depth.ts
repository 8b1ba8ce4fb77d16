// How deep a text nests, before a parser sees it.
import { LIMITS } from '../../config.ts'

export const TOO_DEEP = `lists and mappings are nested more than ${LIMITS.nesting} deep here`

/** Finds the first place with more than `limit` open brackets. `quotes`: brackets in texts do not count, as in JSON. */
export function offsetOfDepth(text: string, limit: number, quotes: boolean): number | null {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quotes && code === 0x22) inString = !inString
    else if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x0a) inString = false // a quote in a comment
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return i
    } else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--
  }
  return null
}
