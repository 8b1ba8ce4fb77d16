// What the words of a task say about others: those it waits for (`(depends on T001)`), those that wait for it
// (`(blocks T012)`), and those it only speaks of.
import { type Group, type Listed, listedAt, NUMBER, numbersIn, type Range, rangesIn } from './names.ts'

export type References = {
  /** What it says outright: `(depends on T001)`. */
  waitsFor: Listed[]
  /** What it says in passing: `once T001 is there`, `before T012`. Against the order of the file that means nothing. */
  inPassing: Passing[]
  /** Tasks it speaks of, whatever it says about them, besides those it says it has nothing to do with. */
  mentions: string[]
}

/** `isBefore`: the other waits for this one. */
export type Passing = { named: Range; isSoft: boolean; isBefore: boolean }

export function referencesIn(text: string, line: number): References {
  const found = statements(text, line)
  const has = (kind: Statement['kind']): Listed[] => found.flatMap((one) => (one.kind === kind ? one.listed : []))
  const passing = (listed: readonly Listed[], isBefore: boolean): Passing[] =>
    listed.flatMap(({ named, isSoft }) => (isGroup(named) ? [] : [{ named, isSoft, isBefore }]))
  const later = has('once')
  return {
    waitsFor: [...has('waits'), ...later.filter(({ named }) => isGroup(named))],
    inPassing: [...passing([...later, ...demandedIn(text, line)], false), ...passing(has('before'), true)],
    mentions: mentionsIn(text, found),
  }
}

export function isGroup(named: Range | Group): named is Group {
  return 'group' in named
}

/** With spaces for what is struck out: it means nothing, and what follows keeps its place. */
export function withoutStruck(text: string): string {
  return text.includes('~~') ? text.replace(/~~[^~]+~~/g, (struck) => struck.replace(/[^\n]/g, ' ')) : text
}

/** `unclear`: of which nobody knows what it says about this task. */
type Statement = {
  kind: 'waits' | 'once' | 'before' | 'denied' | 'unclear'
  listed: Listed[]
  from: number
  to: number
}

function statements(text: string, line: number): Statement[] {
  let done = 0
  return [...text.matchAll(VERB)].flatMap((verb) => {
    const from = verb.index + verb[0].length
    // A remark in a list may have a verb, and what follows is not gone through once for each of them.
    if (verb.index < done || AT_AN_END.test(text.slice(from, from + 1))) return []
    const { listed, to } = listedAt(text, from, line)
    if (listed.length === 0) return []
    done = to
    const clause = clauseBefore(text, verb.index)
    const isSoft = /^soft/i.test(verb[0]) || SOFT.test(text.slice(Math.max(0, verb.index - MAX_SOFT_CHARS), verb.index))
    const said = listed.map((one) => ({ ...one, isSoft: one.isSoft || isSoft }))
    return [{ kind: kindOf(verb, clause), listed: said, from, to }]
  })
}

function kindOf({ groups = {} }: RegExpExecArray, clause: string): Statement['kind'] {
  const isDenied = DENIED.test(clause)
  if (groups.beside !== undefined) return isDenied ? 'unclear' : 'denied'
  if (groups.until !== undefined) {
    // `must not start until T001` waits for it, `is a mock until T001` does not.
    if (/\bwait\w{0,3}\s{1,9}$/i.test(clause)) return NOT.test(clause) ? 'denied' : 'once'
    return NOT_YET.test(clause) || /\b(?:blocked|held)\s{1,9}$/i.test(clause) ? 'once' : 'unclear'
  }
  if (groups.waits !== undefined) return isDenied ? 'denied' : 'waits'
  if (groups.once !== undefined) return isDenied ? 'denied' : 'once'
  if (/^before/i.test(groups.before ?? '')) {
    // `must not start before T001` waits for it, `can start before T001` says nothing.
    if (NOT_YET.test(clause)) return 'once'
    if (MAY.test(clause)) return 'denied'
  }
  if (isDenied) return 'denied'
  // `T003 blocks T004`, in the line of another.
  return NAMES_ONE.test(clause) ? 'unclear' : 'before'
}

/** The words of the same statement that stand before it. */
function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_CLAUSE_CHARS), at)
  return before.slice(before.search(/[^.;,()[\]:—–|]*$/))
}

const MAX_CLAUSE_CHARS = 80

/** What stands behind `waits` has to be there before, what stands behind `before` comes later. */
const VERB =
  /(?:\b(?<waits>depend(?:s|ing|ent)?\s{1,9}(?:up)?on|dependenc(?:y|ies)\s{1,9}on|depends?(?=[*_\s]{0,9}:)|dep(?:s|endenc(?:y|ies))?(?=[*_\s]{0,9}:)|pre-?req(?:uisite)?s?(?=[*_\s]{0,9}:)|soft(?=[*_\s]{0,9}:)|requires|needs|(?<!\b(?:before|prior)\s{1,9}or\s{1,9})after|block(?:ed[\s-]{1,9}by|s\s{1,9}on)|waits?\s{1,9}(?:for|on)|waiting\s{1,9}(?:for|on))\b|\b(?<once>once|builds?\s{1,9}(?:up)?on)\b|\b(?<until>until)\b|\b(?<beside>(?:in\s{1,9})?parallel\s{1,9}(?:with|to)|independent\s{1,9}(?:of|from)|alongside|not\s{1,9}on)\b|\b(?<before>before(?!\s{1,9}or\b)|blocks|precedes|unblocks|pre-?requisite\s{1,9}(?:for|of|to))\b)[*_:(\s]{0,20}/gi

/** `Same as before, T002 style`: what comes behind is no name of it. */
const AT_AN_END = /[,;|]/
const DENIED =
  /(?:\bnot|\bnothing|n['’]t|\bnever|\bno(?:\s{1,9}longer)?|\bwithout|\bcannot)\s{1,9}(?:(?:need|have|hard|direct)\s{1,9}(?:to\s{1,9})?)?(?:\w{1,12}\s{1,9})?$/i
const NOT = /\b(?:not?|never|without|cannot)\b|n['’]t\b/i
const NOT_YET = /(?:\bnot|n['’]t|\bnever|\bcannot)\b(?:\s{1,9}\w{1,12}){0,4}\s{0,9}$/i
const MAY = /\b(?:can|may|could|might)\b(?:\s{1,9}\w{1,12}){0,4}\s{0,9}$/i
/** `soft dependency on`, `Soft: after`, `ideally after`; a soft delete is something else. */
const SOFT =
  /\b(?:(?:soft|optional)(?:\s{1,9}|[\s*_]{0,4}:[\s*_]{0,4})|(?:ideally|preferably|optionally|softly)\s{1,9}(?:\w{1,12}\s{1,9}){0,2})$/i
const MAX_SOFT_CHARS = 60
const NAMES_ONE = new RegExp(`\\b${NUMBER}\\b`, 'i')

/** `(T015 must be finished first)`, `T003 and T004 first` */
function demandedIn(text: string, line: number): Listed[] {
  return Array.from(text.matchAll(DEMANDED), ({ 1: names = '', index }) =>
    rangesIn(names, line, index).map((named) => ({ named, isSoft: false })),
  ).flat()
}

const DEMANDED = new RegExp(
  `\\b((?:${NUMBER}[\`*]{0,4}(?:\\s{0,3}(?:[-–,&+/]|and\\b|to\\b)\\s{0,3}[\`*]{0,4}(?=T\\d))?){1,8})\\s{1,9}(?:first\\b|(?:must|has\\s{1,9}to|have\\s{1,9}to|needs?\\s{1,9}to|should)\\s{1,9}(?:be\\s{1,9}|have\\s{1,9}(?:been\\s{1,9})?)?(?:finish|complete|done\\b|merged\\b|land|in\\s{1,9}place)\\w{0,3}(?!\\s{1,9}(?:before|after|by|until)\\s{1,9}[\`*]{0,4}T\\d))`,
  'gi',
)

function mentionsIn(text: string, found: readonly Statement[]): string[] {
  const denied = found.filter(({ kind }) => kind === 'denied')
  let next = 0
  let deniedTo = 0
  return numbersIn(text).flatMap(({ number, index }) => {
    for (; (denied[next]?.from ?? Infinity) <= index; next++) deniedTo = denied[next]?.to ?? 0
    const isDenied = index < deniedTo || /\bnot\s{1,9}$/i.test(text.slice(Math.max(0, index - 15), index))
    return isDenied ? [] : [number]
  })
}
