// Tasks that a `tasks.md` still lists although nobody is to do them: `~~T041 Remove the cache~~`, `T042 (SKIPPED)`.
import { stateOf } from '../common/status-words.ts'

export const STRUCK_OUT = 'struck out'

/** `struck out`, or the word that says so; null for one to be done. `text`: what stands behind the number. */
export function whyLeftOut(text: string, isNumberStruck: boolean): string | null {
  if (isNumberStruck || isStruckOut(text)) return STRUCK_OUT
  const words = (AT_THE_START.exec(text) ?? AT_THE_END.exec(text.slice(-MAX_END_CHARS)))?.[1]?.split(' ') ?? []
  // `DEFERRED TO V2`: how many of the words are what it is called, only they know.
  for (let count = words.length; count > 0; count--) {
    const called = words.slice(0, count).join(' ')
    if (meansLeftOut(called)) return called
  }
  return null
}

/** Also what a box may hold instead of a mark: `[SKIPPED]`. */
export function meansLeftOut(word: string): boolean {
  return stateOf(word, { done: [] }) === 'skipped'
}

/** All of it; behind that there may be a remark, but not what is to be done instead. */
function isStruckOut(text: string): boolean {
  if (!text.startsWith('~~')) return false
  const end = text.indexOf('~~', 2)
  if (end < 0) return true // The line that ends it may come below.
  const [, next] = NEXT_WORD.exec(text.slice(end + 2)) ?? []
  return next === undefined || REMARK.test(next) || meansLeftOut(next)
}

const NEXT_WORD = /^\s{0,20}([\p{L}\p{N}`]+)/u
const REMARK = /^(?:replaced|moved|merged|covered|done|already|no|not|now|see)$/i

/** In capitals only: `skipped tests` is what a task may be about. */
const CAPITALS = "([A-Z][A-Z'’]{2,}(?: [A-Z'’]{2,}){0,2})"
/** `**DEFERRED**`, `[SKIPPED]`, `REMOVED: …`, `DROPPED — …`, `SUPERSEDED by …` */
const AT_THE_START = new RegExp(
  `^(?:[-–—:]\\s{0,3})?[*_([]{0,4}${CAPITALS}(?=[*_\\])]|\\s{0,3}(?:[:;,.(–—→]|-\\s|$)|\\s{1,3}(?:by|per|in|to|until)\\b)`,
)
/** `… (SKIPPED: no time)`, `… **DEFERRED**`, `… — REMOVED` */
const AT_THE_END = new RegExp(
  `(?:[([]|\\*\\*|\\s[-–—]\\s)[*_]{0,2}${CAPITALS}(?![\\w'’])[^()[\\]]{0,120}[)\\]*_.]{0,4}\\s{0,9}$`,
)
const MAX_END_CHARS = 200
