// Tasks that a `tasks.md` still lists although nobody is to do them: `~~T041 Remove the cache~~`, `T042 (SKIPPED)`.
import { stateOf } from '../state/status-words.ts'

export const STRUCK_OUT = 'struck out'

/** `struck out`, or the word that says so; null for one to be done. `text`: what stands behind the number. */
export function whyLeftOut(text: string, isNumberStruck: boolean): string | null {
  if (isNumberStruck || isStruckOut(text)) return STRUCK_OUT
  const label = (AT_THE_START.exec(text) ?? AT_THE_END.exec(text.slice(-MAX_END_CHARS)))?.groups ?? {}
  const called = label.inBrackets ?? label.alone
  return called !== undefined && meansLeftOut(called) ? called : null
}

/** The word in `**Status**: Deferred to v2.`, a line of its own; null where it says something else. */
export function statusLeftOut(line: string): string | null {
  const word = STATUS.exec(line)?.[1]
  return word !== undefined && meansLeftOut(word) ? word : null
}

const STATUS =
  /^\s{0,3}(?:>\s{0,3})?(?:[-*+]\s{1,3})?[*_]{0,2}status[*_]{0,2}\s?:[*_]{0,2}[^\p{L}\p{N}]{0,9}([A-Za-z][A-Za-z'’ -]{1,30}?)[*_]{0,2}(?=\s{0,3}(?:$|[.:;,()–—]|-\s)|\s(?:by|to|until|per|for)\b)/iu

/** Also what a box may hold instead of a mark: `[SKIPPED]`. */
export function meansLeftOut(word: string): boolean {
  return stateOf(word, { done: [] }) === 'skipped'
}

/** All of it; behind that there may be a remark that says so, but not what is to be done instead. */
function isStruckOut(text: string): boolean {
  if (!text.startsWith('~~')) return false
  const end = text.indexOf('~~', 2)
  if (end < 0) return true // The line that ends it may come below.
  const rest = text.slice(end + 2)
  return !/[\p{L}\p{N}]/u.test(rest) || REMARK.test(rest) || meansLeftOut(WORD.exec(rest)?.[1] ?? '')
}

/** `(dropped)`, `— cancelled`, `superseded by …`, while `Skip Redis` is what to do instead. */
const WORD =
  /^[^\p{L}\p{N}`]{0,20}([A-Za-z][A-Za-z'’]{2,30}(?: [A-Za-z'’]{2,30}){0,2}?)[*_]{0,2}(?=\s{0,3}(?:$|[.:;()\]–—-]|(?<=[A-Z]{3}),)|\s(?:by|to|until)\b)/u
/** `→ T003`, `moved to T003`, `(now part of T003)`, `no longer needed` */
const REMARK =
  /^[^\p{L}\p{N}`]{0,20}(?:(?:(?:see|now|moved|merged|replaced|covered|done|part|of|in|into|to|by)\s{1,3}){0,4}[`*[]{0,3}T\d|already(?:\s{1,3}\w{1,20}){1,3}\W{0,9}$|(?:not|no\s{1,3}longer)\s{1,3}(?:needed|required|necessary)\b)/iu

/** In capitals only, `skipped tests` is what a task may be about; and all there are, as is `SKIP LOCKED`. */
const CAPITALS = "[A-Z][A-Z'’]{2,30}(?: [A-Z'’]{2,30}){0,2}?"
/** `DEFERRED: no time`, `REMOVED - no time`, `SUPERSEDED by T003`, `DROPPED 2026-08-07` */
const REASON = '\\s{0,3}(?:[:–—]|-\\s)|(?<=ED[*_]{0,2})\\s(?:by|to|until|BY|TO|UNTIL|\\d{4}-\\d\\d?-\\d\\d?)\\b'
/** `(SKIPPED)`, `[DEFERRED: no time]` */
const IN_BRACKETS = `[([][*_]{0,2}(?<inBrackets>${CAPITALS})[*_]{0,2}(?:(?:${REASON})[^()[\\]]{0,120})?[)\\]]`
/** `[SKIPPED] …`, `**DEFERRED**: …`, `DROPPED — …`, `SUPERSEDED by …` */
const AT_THE_START = new RegExp(
  `^(?:[-–—:]\\s{0,3})?[*_]{0,2}(?:${IN_BRACKETS}|(?<alone>${CAPITALS})[*_]{0,2}(?=${REASON}|\\.?\\s{0,9}$))`,
)
/** `… (SKIPPED: no time)`, `… — REMOVED`, `… . **DEFERRED**` */
const AT_THE_END = new RegExp(
  `\\s(?:${IN_BRACKETS}|(?<=[-–—.;]\\s)[*_]{0,2}(?<alone>${CAPITALS})[*_]{0,2}(?:(?:${REASON})[^()[\\]]{0,120})?)[*_.]{0,4}\\s{0,9}$`,
)
const MAX_END_CHARS = 200
