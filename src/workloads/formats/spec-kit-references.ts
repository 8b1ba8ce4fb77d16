// Tasks that a line names: those it waits for (`(depends on T001)`), those it puts in order (`T008 blocks T009`), and
// those it only speaks of.

/** From one task to another, which are the same where only one was named. */
export type Range = { first: string; last: string; line: number; column: number }

/** Every task of the second list waits for every task of the first. */
export type Order = { first: Range[]; then: Range[] }

/** `depends on T001, T002 and T004-T006`, `(after T001)`, `**Dependencies**: T001` */
export function dependenciesIn(text: string, line: number): Range[] {
  const found: Range[] = []
  for (const { from, isDenied } of statements(text)) {
    if (isDenied) continue
    let at = from
    for (let one = next(text, at); one; one = next(text, at)) {
      const [whole, before = '', first = '', last = first] = one
      found.push(rangeOf(first, last, line, at + before.length))
      at += whole.length
    }
  }
  return found
}

/** Tasks a line speaks of, besides those it says it does not wait for. */
export function mentionsIn(text: string): string[] {
  const denied = statements(text).filter(({ isDenied }) => isDenied)
  const found: string[] = []
  let next = 0
  let deniedTo = 0
  for (const { 0: name, index } of text.matchAll(/\bT\d{1,9}[a-z]?\b/gi)) {
    for (; (denied[next]?.from ?? Infinity) <= index; next++) deniedTo = endOfNames(text, denied[next]?.from ?? 0)
    if (index >= deniedTo && !/\bnot\s{1,9}$/i.test(text.slice(Math.max(0, index - 15), index)))
      found.push(name.toUpperCase())
  }
  return found
}

/** `Tests (T004-T007) before implementation (T008-T014)`; empty where a line says nothing like it, or not clearly. */
export function ordersIn(text: string, line: number): Order[] {
  const orders: Order[] = []
  let at = 0
  for (const clause of text.split(/(;)/)) {
    orders.push(...ordersOf(clause, line, at))
    at += clause.length
  }
  return orders
}

function ordersOf(clause: string, line: number, start: number): Order[] {
  const verbs = [...clause.matchAll(VERB)]
  const isBackwards = verbs[0]?.[1] !== undefined
  if (DENIAL.test(clause) || verbs.some((verb) => (verb[1] !== undefined) !== isBackwards)) return []
  const sides: Range[][] = []
  let from = 0
  for (const verb of [...verbs, { index: clause.length, 0: '' }]) {
    sides.push(namedIn(clause.slice(from, verb.index), line, start + from))
    from = verb.index + verb[0].length
  }
  // `T1 before T2, T3 before T4` may be one order or two.
  const isClear = sides.every(
    (side, i) => side.length === 1 || (side.length > 1 && (i === 0 || i === sides.length - 1)),
  )
  if (sides.length < 2 || !isClear) return []
  const inOrder = isBackwards ? sides.toReversed() : sides
  return inOrder.slice(1).map((then, i) => ({ first: inOrder[i] ?? [], then }))
}

/** The first group: what comes before it waits for what comes behind it. */
const VERB =
  /\b(blocked\s{1,9}by|depends?\s{1,9}(?:up)?on|requires?|needs?|after|waits?\s{1,9}for)\b|\b(?:blocks?|before|precedes?)\b|-{1,2}>|→/gi
const DENIAL = /\b(?:not?|never|without|cannot)\b|n['’]t\b/i

function namedIn(text: string, line: number, start: number): Range[] {
  return [...text.matchAll(NAMED)].map(({ 1: first = '', 2: last = first, index }) =>
    rangeOf(first, last, line, start + index),
  )
}

function rangeOf(first: string, last: string, line: number, at: number): Range {
  return { first: first.toUpperCase(), last: last.toUpperCase(), line, column: at + 1 }
}

/** Where the names begin that something is said to depend on, or not to. */
function statements(text: string): { from: number; isDenied: boolean }[] {
  return [...text.matchAll(WAITS)].map(({ 0: words, index }) => ({
    from: index + words.length,
    isDenied: DENIED.test(text.slice(Math.max(0, index - 30), index)),
  }))
}

const WAITS =
  /\b(?:depend(?:s|ing|ent)?\s{1,9}(?:up)?on|depends?(?=[*_\s]{0,9}:)|dep(?:s|endenc(?:y|ies))(?=[*_\s]{0,9}:)|requires|needs|after|blocked\s{1,9}by|waits?\s{1,9}for)\b[*_:\s]*/gi
const DENIED = /(?:\bnot|n['’]t|\bnever|\bno\s{1,9}longer)\s{1,9}(?:\w{1,12}\s{1,9})?$/i

function endOfNames(text: string, from: number): number {
  let at = from
  for (let one = next(text, at); one; one = next(text, at)) at += one[0].length
  return at
}

function next(text: string, at: number): RegExpExecArray | null {
  return LISTED.exec(text.slice(at, at + MAX_NAME_CHARS))
}

const RANGE = '(T\\d{1,9}[a-z]?)\\b[`*]*(?:\\s{0,9}(?:-|–|to|through)\\s{0,9}[`*]*(T\\d{1,9}[a-z]?)\\b[`*]*)?'
const NAMED = new RegExp(`\\b${RANGE}`, 'gi')
const LISTED = new RegExp(`^((?:\\s|,|&|\\+|/|;|and\\b|tasks?\\b|\`|\\*)*)${RANGE}`, 'i')
const MAX_NAME_CHARS = 100
