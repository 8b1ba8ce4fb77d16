// The lines of a section such as `Dependencies`: `Tests (T004-T007) before implementation (T008-T014)`. A line is taken
// apart into clauses; each has names on both sides of its verbs, or says nothing clear.
import { NUMBER, type Range, rangesIn } from './names.ts'

/** Every later task waits for every earlier one. `isSoft`: it should, and does not need them. */
export type Order = { earlier: Range[]; later: Range[]; isSoft: boolean }

/** `unclear`: tasks it names without saying in which order they come, or that there is none. */
export type LineOfOrder = { orders: Order[]; unclear: Range[] }

export function orderOf(text: string, line: number): LineOfOrder {
  const found: LineOfOrder = { orders: [], unclear: [] }
  let subject: Range[] = []
  for (const clause of clausesOf(text)) {
    const { orders, unclear, subject: own } = readClause(clause, line, subjectOf(clause, line, subject), subject)
    for (const order of orders) found.orders.push(order)
    for (const name of unclear) found.unclear.push(name)
    if (clause.behind === null) subject = own
  }
  // What stands in one cell of a table has something in common, which is no order.
  if (text.trimStart().startsWith('|'))
    found.unclear = text.split('|').flatMap((cell) => rangesIn(cell, line, 0).slice(0, 1))
  return found.unclear.length > 1 ? found : { ...found, unclear: [] }
}

/** `behind`: what stands before the bracket it is in. `goesOn`: it is about the same as the one before it. */
type Clause = { text: string; start: number; behind: { text: string; start: number } | null; goesOn: boolean }

/** Sentences, what is said after `but`, and what is said in brackets, which is taken out of where it stands. */
function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = []
  let [start, depth, goesOn] = [0, 0, false]
  for (const { 0: end, index } of text.matchAll(END)) {
    if (end === '(') depth++
    else if (end === ')') depth = Math.max(depth - 1, 0)
    else if (depth === 0) {
      clauses.push(...withBrackets(text.slice(start, index), start, goesOn))
      start = index + end.length
      goesOn = /but|and/i.test(end)
    }
  }
  clauses.push(...withBrackets(text.slice(start), start, goesOn))
  return clauses
}

function withBrackets(text: string, start: number, goesOn: boolean): Clause[] {
  const brackets: Clause[] = []
  const rest = text.replace(/\(([^()]*)\)/g, (whole, inner: string, at: number) => {
    if (inner.search(VERB) < 0) return whole
    const from = Math.max(0, at - MAX_BEHIND_CHARS)
    const behind = { text: text.slice(from, at), start: start + from }
    brackets.push({ text: inner, start: start + at + 1, behind, goesOn: false })
    return ' '.repeat(whole.length)
  })
  return [{ text: rest, start, behind: null, goesOn }, ...brackets]
}

const END = /[()]|;|\.(?=\s)|,?\s{1,9}(?:but|while|whereas)\b|,\s{1,9}and\s{1,9}(?=(?:must|is|are|can)\b)/gi
const MAX_BEHIND_CHARS = 200

/** What it speaks of where it does not say so itself. */
function subjectOf({ behind, goesOn }: Clause, line: number, before: Range[]): Range[] {
  if (behind) return rangesIn(behind.text, line, behind.start).slice(-1)
  return goesOn ? before : []
}

type Side = { words: string; names: Range[] }

/** `about`: what it speaks of if it does not say so. `before`: what the one before it spoke of. */
function readClause(
  { text, start }: Clause,
  line: number,
  about: Range[],
  before: Range[],
): LineOfOrder & { subject: Range[] } {
  const said = text.replace(REASON, '').replace(NOT_BEFORE, asAfter)
  const verbs = [...said.matchAll(VERB)]
  const sides = partsOf(said, verbs).map(({ from, to }, i): Side => {
    const words = said.slice(from, to)
    // Of `T030 depends on T029 in parallel with T031`, the last is none it depends on.
    const counting = i === 0 ? words : words.slice(0, startOf(BESIDE, words))
    const names = once(rangesIn(counting, line, start + from))
    // `T012 and T013 are independent; T014 needs both`
    return { words, names: names.length === 0 && /^\s{1,9}(?:both|them|these)\b/i.test(words) ? before : names }
  })
  const [head] = sides
  const besideAt = startOf(BESIDE, said)
  if (head?.names.length === 0) head.names = about
  const orders = isNoOrder(said) ? [] : ordersOf(sides, verbs, SOFT.test(said))
  const all = once(sides.flatMap(({ names }) => names))
  const isSilent = besideAt < said.length || isNoOrder(said) || areTogether(sides, said)
  const isUnclear = orders.length === 0 && all.length > 1 && !isSilent
  // `T007 can run in parallel with T004 but …` goes on about T007.
  const subject = (head?.names ?? []).filter(({ column }) => column - 1 - start < besideAt)
  return { orders, unclear: isUnclear ? all : [], subject }
}

type Part = { from: number; to: number }

/** What stands on each side of the verbs. */
function partsOf(said: string, verbs: readonly RegExpExecArray[]): Part[] {
  const comma = commaOf(said, verbs)
  const [first] = verbs
  if (comma !== null && first)
    return [
      { from: comma + 1, to: said.length },
      { from: first.index + first[0].length, to: comma },
    ]
  const ends = [...verbs.map(({ index }) => index), said.length]
  return ends.map((to, i) => {
    const verb = verbs[i - 1]
    return { from: verb ? verb.index + verb[0].length : 0, to }
  })
}

/** `Once T001 is done, T002 can start`: where the first half ends. Of `After T001, T002, T003 can start` nobody knows. */
function commaOf(said: string, verbs: readonly RegExpExecArray[]): number | null {
  const [verb] = verbs
  if (verbs.length !== 1 || !verb || !/^(?:once|after)$/i.test(verb[0]) || /\w/.test(said.slice(0, verb.index)))
    return null
  const commas = Array.from(said.matchAll(/,/g), ({ index }) => index)
  const comma =
    commas.length === 1 ? commas[0] : commas.find((at) => ENDS_IN_WORD.test(said.slice(Math.max(0, at - 20), at)))
  if (comma === undefined || !BEGINS.test(said.slice(comma + 1))) return null
  return comma
}

const ENDS_IN_WORD = /\s[a-z]{2,18}$/
const BEGINS = new RegExp(`\\b${NUMBER}[\\s\`*_)]{1,9}(?:can|may|must|should|will|starts?|begins?)\\b`, 'i')

function ordersOf(sides: readonly Side[], verbs: readonly RegExpExecArray[], isSoft: boolean): Order[] {
  const isBackwards = verbs[0]?.groups?.backwards !== undefined
  if (verbs.some(({ groups }) => (groups?.backwards !== undefined) !== isBackwards)) return []
  const isClear = sides.every(
    (side, i) =>
      side.names.length === 1 || (side.names.length > 1 && (i === 0 || i === sides.length - 1 || isOne(side))),
  )
  if (sides.length < 2 || !isClear) return []
  const names = sides.map((side) => side.names)
  const inOrder = isBackwards ? names.toReversed() : names
  return inOrder.slice(1).map((later, i) => ({ earlier: inOrder[i] ?? [], later, isSoft }))
}

/** `{T2, T3}`, `T2/T3`, while `T1 before T2, T3 before T4` may be one order or two. */
function isOne({ words }: Side): boolean {
  return /^\s*[({][^(){}]*[)}]\s*$/.test(words) || !/,|\band\b/i.test(words)
}

/** All on one side of the verbs, or in one pair of brackets: what they have in common is no order. */
function areTogether(sides: readonly Side[], said: string): boolean {
  if (sides.length > 1) return sides.filter(({ names }) => names.length > 0).length < 2
  return rangesIn(said.replace(/\([^()]*\)/, ''), 0, 0).length === 0
}

function isNoOrder(said: string): boolean {
  return DENIAL.test(said) || MAY_BEFORE.test(said) || BEFORE_IT_PASSES.test(said)
}

/** Its length where there is none. */
function startOf(words: RegExp, text: string): number {
  const at = text.search(words)
  return at < 0 ? text.length : at
}

/** Each once: `T1 before T2, T2 before T3` is one after the other. */
function once(ranges: readonly Range[]): Range[] {
  const seen = new Set<string>()
  return ranges.filter(({ first, last }) => {
    const name = `${first}-${last}`
    return !seen.has(name) && seen.add(name)
  })
}

/** `backwards`: what comes before it waits for what comes behind it. */
const VERB =
  /(?<backwards>\b(?:block(?:ed[\s-]{1,9}by|s?\s{1,9}on)|depends?\s{1,9}(?:up)?on|requires?|needs?|after|once|follows?|builds?\s{1,9}(?:up)?on|waits?\s{1,9}(?:for|on|until)|(?:blocked|held)\s{1,9}until)\b|←|<-{1,2}(?!>)|<=(?!>))|\b(?:blocks?|before|precedes?|unblocks?|enables?|pre-?requisites?\s{1,9}(?:for|of|to))\b|-{1,2}>|=>|→|⇒/gi

/** `T017 cannot start until T016`, `never start T017 before T016`: in other words, after it. */
const NOT_BEFORE =
  /\b(?:(?:must|may|should|can|shall|do|does)\s{0,9}not|(?:must|may|should|ca|shall|do|does)n['’]t|cannot|never)((?:\s{1,9}(?!wait|need|have)\w{1,12}){0,3}\s{1,9})(before|until)\b/gi

function asAfter(words: string, between: string, end: string): string {
  return `${' '.repeat(words.length - between.length - end.length)}${between}${'after'.padEnd(end.length)}`
}

/** What may be so is no order. */
const MAY_BEFORE = /\b(?:can|may|could|might)\b(?:\s{1,9}\w{1,12}){0,4}\s{1,9}before\b/i
/** `T016 blocks T009 passing`: the test is written before, and fails until then. */
const BEFORE_IT_PASSES = new RegExp(
  `\\b(?:blocks?|before|precedes?|enables?|unblocks?)\\s{1,9}[\`*]{0,4}${NUMBER}[\`*]{0,4}\\s{1,9}(?:passing|passes|to\\s{1,9}pass|green)\\b`,
  'i',
)
const DENIAL = /\b(?:not?|never|without|cannot|nothing|none|before\s{1,9}or\s{1,9}after)\b|n['’]t\b/i
const REASON = /\b(?:since|because|so\s{1,9}that)\b.*/i
const SOFT =
  /\(\s{0,3}(?:soft|optional)\s{0,3}\)|\bsoft\s{1,9}(?:dep|order|block)|\b(?:softly|optionally|ideally|preferably)\b|\bsoft\s{0,3}:/i
const BESIDE =
  /\b(?:parallel|alongside|concurrent\w{0,2}|simultaneous\w{0,2}|independent\w{0,2}|together|same\s+time)\b|∥|\|\|/i
