// `(depends on T001, T003-T005)` at a task, and lines of nothing but an order: `T001 → T002`, `T004 depends on T003`.

/** The number of a task: `T012`, `T012a`, `T001.1`, `T007-TEST`. */
export const NUMBER = 'T\\d{1,9}(?:\\.\\d{1,9}){0,3}[a-zA-Z]?(?:-(?!T\\d)[A-Z][A-Z\\d]{0,19})?'

/** From one task to another, which are the same where only one was named. */
export type Names = { first: string; last: string; line: number; column: number }

/** Every later task waits for every earlier one. */
export type Order = { earlier: Names[]; later: Names[] }

/** Of the words of a task, where a sentence, a bracket or the line begins so. */
export function waitsIn(text: string, line: number): Names[] {
  return Array.from(text.matchAll(WAITS), ({ 0: lead, index }) => namesAt(text, index + lead.length, line).names).flat()
}

/** Of a line that says nothing else; none for any other. */
export function ordersOf(written: string, line: number): Order[] {
  // With spaces for what explains, so that places stay right.
  const text = written
    .slice(0, MAX_LINE_CHARS)
    .replace(/\([^()]*\)|^\s*(?:[-*+]|\d{1,9}[.)])\s|[.;]\s*$/g, (part) => ' '.repeat(part.length))
  const sides: Names[][] = []
  let isBackwards = false
  for (let position = 0; ; ) {
    const { names, to } = namesAt(text, position, line)
    if (names.length === 0) return []
    sides.push(names)
    const rest = text.slice(to)
    if (rest.trim() === '') break
    const [sign] = (sides.length === 1 ? BETWEEN : ARROW).exec(rest) ?? []
    if (sign === undefined || isBackwards) return []
    isBackwards = !ARROW.test(rest)
    position = to + sign.length
  }
  const inOrder = isBackwards ? sides.toReversed() : sides
  return inOrder.slice(1).map((later, i) => ({ earlier: inOrder[i] ?? [], later }))
}

/** What is listed from here on: `T001, T002 (the model) and T004-T006`. */
function namesAt(text: string, from: number, line: number): { names: Names[]; to: number } {
  const names: Names[] = []
  let position = from
  for (let one = nextName(text, position); one; one = nextName(text, position)) {
    const [whole, before = '', first = '', last, digits] = one
    // `T009-011` is a range; of `T009-1` nobody knows.
    const end = digits?.length === first.length - 1 ? `T${digits}` : (last ?? first)
    names.push({ first: first.toUpperCase(), last: end.toUpperCase(), line, column: position + before.length + 1 })
    position += whole.length
  }
  return { names, to: position }
}

function nextName(text: string, position: number): RegExpExecArray | null {
  return NAME.exec(text.slice(position, position + MAX_NAME_CHARS))
}

/** Longer than what stands between two names of a list. */
const MAX_NAME_CHARS = 160
const MAX_LINE_CHARS = 4_000

const WORDS =
  '(?:[Dd]epends?(?:\\s{1,3}on)?|[Dd]ependenc(?:y|ies)(?:\\s{1,3}on)?|[Dd]eps?|[Bb]locked[\\s-]by|[Rr]equires|[Nn]eeds|[Aa]fter|[Ww]aits\\s{1,3}for)'
const WAITS = new RegExp(
  `(?:^|[-([.;,:–—*_|])[\\s*_]{0,9}${WORDS}[\\s:*_]{1,9}(?=[\\s\`*_[]{0,4}(?:tasks?\\s)?T\\d)`,
  'g',
)
const ARROW = /^[\s*_`]{0,99}(?:-{1,2}>|=>|→|⇒)/
const BETWEEN = new RegExp(`${ARROW.source}|^[\\s*_\`:]{0,99}(?:\\bis\\s)?\\b${WORDS}[\\s:*_]{1,9}`)
const NAME = new RegExp(
  `^((?:[\\s,&+/\`*_[{]|and\\s|tasks?\\s){0,99})(${NUMBER})(?:[\`*_\\]]{0,3}\\s?(?:-|–|\\.{2,3}|…|\\bto\\s|\\bthrough\\s)\\s?[\`*_[]{0,3}(${NUMBER})|[-–](\\d{1,9}))?(?![\\w.]\\w|\\w)[\`*_\\]}]{0,4}(?:\\s{0,3}\\([^()]{0,80}\\)(?=\\s{0,3}(?:[,;&+/)]|and\\b)))?`,
)
