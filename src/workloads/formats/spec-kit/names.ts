// How the words of a `tasks.md` name tasks: `T012`, `T001.1`, `T004-T007`, `T009..T011`, and whole groups of them.

/** The number of a task: `T012`, `T012a`, `T001.1`. */
export const NUMBER = 'T\\d{1,9}(?:\\.\\d{1,9}){0,3}[a-zA-Z]?'

/** From one task to another, which are the same where only one was named. */
export type Range = { first: string; last: string; line: number; column: number }

/** `US1`, `Phase 2`, `all above`: those of a story, of a phase, or all above it in its own phase. */
export type Group = { group: 'story' | 'phase' | 'above'; name: string; line: number; column: number }

/** `isSoft`: it should come later, and does not need it. */
export type Listed = { named: Range | Group; isSoft: boolean }

/** What is listed from here on, and nothing behind words that are no part of a list: `T001, T002 (soft) and T004-T006`. */
export function listedAt(text: string, from: number, line: number): { listed: Listed[]; to: number } {
  const listed: Listed[] = []
  let at = from
  for (let one = nextOf(text, at); one; one = nextOf(text, at)) {
    const place = { line, column: at + (one.groups?.before?.length ?? 0) + 1 }
    const { soft } = one.groups ?? {}
    listed.push({ named: namedBy(one.groups ?? {}, place), isSoft: soft !== undefined })
    at += one[0].length
  }
  return { listed, to: at }
}

/** Every task of a text that is named by its number. */
export function rangesIn(text: string, line: number, start: number): Range[] {
  return Array.from(text.matchAll(NAMED), ({ groups = {}, index }) =>
    rangeOf(groups, { line, column: start + index + 1 }),
  )
}

/** The numbers in a text, and where each stands. */
export function numbersIn(text: string): { number: string; index: number }[] {
  return Array.from(text.matchAll(ALONE), ({ 0: number, index }) => ({ number: number.toUpperCase(), index }))
}

type Found = Record<string, string | undefined>
type Spot = { line: number; column: number }

function namedBy(found: Found, spot: Spot): Range | Group {
  if (found.story !== undefined) return { group: 'story', name: `US${Number(found.story)}`, ...spot }
  if (found.phase !== undefined) return { group: 'phase', name: found.phase, ...spot }
  return found.above !== undefined ? { group: 'above', name: '', ...spot } : rangeOf(found, spot)
}

function rangeOf({ first = '', last = first, digits }: Found, spot: Spot): Range {
  // `T009-011` is a range; of `T009-1` nobody knows.
  const isRange = digits !== undefined && digits.length === first.length - 1
  return { first: first.toUpperCase(), last: (isRange ? `T${digits}` : last).toUpperCase(), ...spot }
}

function nextOf(text: string, at: number): RegExpExecArray | null {
  return LISTED.exec(text.slice(at, at + MAX_NAME_CHARS))
}

/** Longer than what stands between two names of a list. */
const MAX_NAME_CHARS = 160

const CLOSE = '[`*_\\]]{0,4}'
const TO = '\\s{0,9}(?:-|–|\\.{2,3}|…|\\bto\\b|\\bthrough\\b|\\bthru\\b)\\s{0,9}'
const RANGE = `(?<first>${NUMBER})\\b${CLOSE}(?:${TO}[\`*_[]{0,4}(?<last>${NUMBER})\\b${CLOSE}|[-–](?<digits>\\d{1,9})(?![\\w.]))?`
const GROUP = `(?:US|user\\s{1,9}story\\s{1,9})(?<story>\\d{1,6})\\b|phases?\\s{1,9}(?<phase>\\d{1,6}(?:\\.\\d{1,6}){0,3})\\b|(?<above>(?:all|everything)(?:\\s{1,9}of)?(?:\\s{1,9}the)?(?:\\s{1,9}tasks)?\\s{1,9}(?:above|previous|prior|preceding|earlier)\\b)`

/** Between two names of a list, and before the first: `both T001 and T002`, `completion of T003`. */
const BETWEEN =
  '(?:[\\s,&+/;|`*_[]|(?:and|or|tasks?|both|each|any|of|the|completion|completing|finishing|results?|outputs?)\\b|all\\b(?=\\s+(?:of\\s+)?(?:the\\s+)?(?:tasks?\\s+)?T\\d))'
/** `depends on T003, T004 can run at once`: what does something itself begins another sentence. */
const NOT_ANOTHER = `(?!\\s{1,9}(?:can|could|may|must|should|will|does|do|needs?|blocks?|depends?|requires?|adds?|provides?)\\b|${TO}[\`*_[]{0,4}T\\d)`
/** `T005 (soft)`, `T005 optional`; another remark, such as `T005 (the model)`, may stand between two of a list. */
const REMARK =
  '(?:\\s{0,3}\\(?(?<soft>soft|optional)(?:\\s{1,3}dep\\w{0,10})?(?=\\s{0,3}(?:[),;.\\]*]|$))\\)?|\\s{0,3}\\([^()]{0,80}\\)(?=\\s{0,3}(?:[,;&+/]|and\\b|or\\b)))?'

const NAMED = new RegExp(`\\b${RANGE}`, 'gi')
const ALONE = new RegExp(`\\b${NUMBER}\\b`, 'gi')
const LISTED = new RegExp(`^(?<before>${BETWEEN}*)(?:${RANGE}${REMARK}|${GROUP})${NOT_ANOTHER}`, 'i')
