// A word in capitals that stands as a label at either end of a title: `[SKIPPED] Export`, `Export (DEFERRED to v2)`, `Export — DONE`.
// What a title is about, such as `(CANCELLED, REFUNDED)` or `SKIPPED tests`, is no label.

export function labelOf(title: string): string | null {
  const { bracketed, alone } = (AT_THE_START.exec(title) ?? AT_THE_END.exec(title.slice(-MAX_END_CHARS)))?.groups ?? {}
  return bracketed ?? alone ?? null
}

const WORDS = "[A-Z][A-Z'’]{2,30}(?: [A-Z'’]{2,30}){0,2}?"
/** `: no time`, ` - no time`, ` to v2`, ` 2026-08-07` */
const REASON = '(?:\\s?[:–—]|\\s-|(?<=ED[*_]{0,2})\\s(?:by|to|until|per|BY|TO|UNTIL|\\d{4}-))'
const BRACKETED = `[([][*_]{0,2}(?<bracketed>${WORDS})[*_]{0,2}(?:${REASON}[^()[\\]]{0,120})?[)\\]]`
const AT_THE_START = new RegExp(`^[*_]{0,2}(?:${BRACKETED}|(?<alone>${WORDS})[*_]{0,2}(?=${REASON}\\s?|\\.?\\s{0,9}$))`)
const AT_THE_END = new RegExp(
  `\\s(?:${BRACKETED}|(?<=[-–—.]\\s)[*_]{0,2}(?<alone>${WORDS})[*_]{0,2}(?:${REASON}[^()[\\]]{0,120})?)[*_.]{0,4}\\s{0,9}$`,
)
const MAX_END_CHARS = 200
