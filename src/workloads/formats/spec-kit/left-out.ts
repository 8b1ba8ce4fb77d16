// Tasks that a `tasks.md` still lists although nobody is to do them: `~~T041 Remove the cache~~`, `T042 (SKIPPED)`.
import { labelOf } from '../state/label.ts'
import { stateOf } from '../state/status-words.ts'

export const STRUCK_OUT = 'struck out'

/** `struck out`, or the word that says so; null for one to be done. `text`: what stands behind the number. */
export function whyLeftOut(text: string, isNumberStruck: boolean): string | null {
  if (isNumberStruck || isStruckOut(text)) return STRUCK_OUT
  const label = labelOf(text)
  return label !== null && meansLeftOut(label) ? label : null
}

/** The word in `**Status**: Deferred to v2.`, a line of its own; null where it says something else. */
export function statusLeftOut(line: string): string | null {
  const [, word] = /^[\s>*_-]{0,9}status[*_]{0,2}\s?:[\s*_]{0,9}([a-z]{4,20})\b/i.exec(line) ?? []
  return word !== undefined && meansLeftOut(word) ? word : null
}

/** Also what a box may hold instead of a mark: `[SKIPPED]`. */
export function meansLeftOut(word: string): boolean {
  return stateOf(word, { done: [] }) === 'skipped'
}

/** All of it. Behind that there may be a word that says so, a remark in brackets or the task that replaces it. */
function isStruckOut(text: string): boolean {
  if (!text.startsWith('~~')) return false
  const end = text.indexOf('~~', 2)
  if (end < 0) return true // The line that ends it may come below.
  const behind = text.slice(end + 2, end + 2 + MAX_BEHIND_CHARS)
  const [, word = ''] = WORD.exec(behind) ?? []
  return /^(?:\W*|\s*\([^()]*\)\W*|[\s→>–—-]*T\d.*)$/.test(behind) || meansLeftOut(word)
}

const MAX_BEHIND_CHARS = 200
/** `— cancelled`, `superseded by …`; while `Skip Redis` is what to do instead. */
const WORD =
  /^[\s*_(–—-]{0,9}([A-Za-z'’]{3,20}(?: [a-z'’]{2,20}){0,2}?)(?=\s{0,3}(?:$|[.:;()*–—-])|\s(?:by|to|until)\b)/
