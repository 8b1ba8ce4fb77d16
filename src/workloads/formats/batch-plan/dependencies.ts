// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 and 1.3`, `Batches 1-3`; or words.
import { saysSoft } from '../order/waits-for.ts'

export type Dependency = {
  kind: 'batch' | 'task'
  first: string
  /** The end of a range. */
  last: string | null
  way: Way
  /** It stands behind words that may also mean the other way round: `Types used by Task 1.1`. */
  isUnclear: boolean
  /** False: a number without `batch` or `task` before it, which may be the number of something else. */
  isNamed: boolean
  /** From the beginning of the text. */
  offset: number
}

/**
 * `needs`: it waits for it; `after`: the same, but only where that has not failed (`Task 1.2 (optional)`); `blocks`: the other way round,
 * as in `None; blocks Task 1.2`; `except`: not for this one of those that were named before.
 */
export type Way = 'needs' | 'after' | 'blocks' | 'except'

export type Dependencies = {
  found: Dependency[]
  /** It says that it does not wait: `None`, `Independent of Task 1.1`. */
  saysNone: boolean
  /** Where `except` begins, with which something is left out of what was said before. */
  exceptAt: number | null
}

export type DependencyOptions = {
  /** What a number without a dot means where nothing is said. */
  what: 'batch' | 'task'
  /** What the field says of those in it. */
  usual: 'needs' | 'blocks'
  /** Other things may stand there, too: `**Requires:** 2 API keys`. A number without a word counts only among numbers. */
  isLoose: boolean
}

export function readDependencies(written: string, { what, usual, isLoose }: DependencyOptions): Dependencies {
  const text = withoutAsides(written.slice(0, MAX_CHARS))
  const bareCounts = !isLoose || isListOfNumbers(text)
  const found: Dependency[] = []
  let saysNone = SAYS_NONE.test(text)
  let exceptAt: number | null = null
  let named: 'batch' | 'task' | null = null
  let { way, isUnclear }: Said = { way: usual, isUnclear: false }
  // A number counts at the beginning, behind the word, and in a list that began so: `needs Node 20.1` is no task.
  let end = 0
  let nameEnd = 0
  for (const match of text.matchAll(MENTION)) {
    const [mention, word, first, last = null] = match
    const between = text.slice(end, match.index)
    const follows = (end === 0 ? LEAD : LINK).test(between)
    if (word) {
      if (!follows || end === 0)
        ({ way, isUnclear } = wayBehind(text.slice(nameEnd, match.index), { isFirst: nameEnd === 0, usual }))
      // `None except Task 1.2`: it is the one it waits for.
      if (way === 'except' && found.length === 0 && NOTHING.test(text)) way = 'needs'
      saysNone ||= way === 'none'
      if (way === 'except') exceptAt ??= end + Math.max(between.search(EXCEPT), 0)
      named = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    } else if (!follows || !first || (named === null && !bareCounts)) continue
    else if (way !== 'none') {
      found.push({
        kind: first.includes('.') ? 'task' : (named ?? what),
        first: first.toLowerCase(),
        last: last?.toLowerCase() ?? null,
        way: way === 'needs' && saysSoft(written.slice(match.index + mention.length)) ? 'after' : way,
        isUnclear,
        isNamed: named !== null,
        offset: match.index,
      })
    }
    if (first) nameEnd = match.index + mention.length
    end = match.index + mention.length
  }
  return { found, saysNone, exceptAt }
}

type Said = { way: Way | 'none'; isUnclear: boolean }

/**
 * What the words right before `batch` or `task` say of it. The order is turned round only by words that can mean nothing else; what
 * might is taken as the field is called. `isFirst`: nothing is named before them.
 */
function wayBehind(between: string, { isFirst, usual }: { isFirst: boolean; usual: Way }): Said {
  const isWhole = between.length <= MAX_BEFORE
  const words = between.slice(-MAX_BEFORE)
  const said = (way: Way | 'none'): Said => ({ way, isUnclear: false })
  if (EXCEPT_BEFORE.test(words)) return said('except')
  if (NOT_BEFORE.test(words)) return said('needs')
  if (DENIED.test(words)) return said('none')
  // Where a clause begins; what is named before the words may be what they are about.
  if (BLOCKS.test(isFirst && isWhole ? `;${words}` : words)) return said('blocks')
  if (SOFT.test(words)) return said('after')
  return { way: usual, isUnclear: usual === 'needs' && UNCLEAR.test(words) }
}

/** `1.1`, `1.1, 1.2 and 2.1`, `1-3`: nothing but numbers. */
function isListOfNumbers(text: string): boolean {
  return (
    /\d/.test(text) &&
    /^[\s\d.,;&+/#*_`"'[\]✅✓✔☑–-]*$/u.test(text.replace(/\b(?:and|or|plus|to|through)\b|(?<=\d)[a-z]\b/gi, ' '))
  )
}

/**
 * `All previous batches`, `Previous batch`, `All`: those before the one that says so. `kind` is null where it is not said which.
 * Null where it is something else.
 */
export function readBefore(written: string): { kind: 'batch' | 'task' | null; isAll: boolean } | null {
  const text = withoutAsides(written.slice(0, MAX_PHRASE_CHARS))
    .replace(/[*_`.]/g, '')
    .trim()
  const words = text.toLowerCase().split(/[\s,]+/)
  if (text === '' || !words.every((word) => PHRASE.has(word))) return null
  const isAll = words.some((word) => ALL.has(word))
  if (!isAll && !words.some((word) => BEFORE.has(word))) return null
  const kind = /\bbatch/i.test(text.replace(/this batch/gi, '')) ? 'batch' : /\btask/i.test(text) ? 'task' : null
  return { kind, isAll }
}

/** More than anybody lists. */
const MAX_CHARS = 10_000
const MAX_PHRASE_CHARS = 200

const NUMBER = String.raw`\d{1,9}(?:\.\d{1,9}){0,3}[a-z]?`
const MENTION = new RegExp(
  String.raw`\b(batch|task)(?:es|s)?\b|\b(${NUMBER})(?:(?:\s*[-–]\s*|\s+(?:to|through)\s+)(${NUMBER}))?\b`,
  'gi',
)

/** What may stand before the first number. */
const LEAD = /^[\s*_`#]*(?:(?:requires?|needs?|after|depends on|waits? for|follows)\s)?[\s*_`#]*$/i

/** What may stand between two of a list. */
const LINK = /^[\s,;&+/#*_`"'[\]:✅✓✔☑]*(?:(?:and|or|plus)\b[\s,;#*_`]*)?$/i

const MAX_BEFORE = 80

/** What may come between these words and the one they are about. */
const TO = String.raw`[\s:*_\x60([]+(?:(?:the|any|all|of|on|for|and)\s+)*[*_\x60[]*$`

/** The same without what would make them speak of a part of it: `the building blocks of Task 1.1`. */
const THE = String.raw`[\s*_\x60([]+(?:(?:the|any|all)\s+)*[*_\x60[]*$`

/** `Independent of Task 1.1`, `no dependency on Batch 2`, `in parallel with Batch 3`, `can start before Task 1.1`. */
const DENIED = new RegExp(
  String.raw`\b(?:independent(?:ly)?(?: of| from)?|unrelated to|regardless of|parallel (?:with|to)|alongside|not (?:depend(?:ent)? on|need|require|wait for|block(?:ed by)?)|no (?:dependency|dependencies|need)|not|not (?:required|needed|used) (?:by|for)|(?:can|may|could) (?:also )?(?:start|begin|run|be (?:done|started|run)) (?:before|without))${TO}`,
  'i',
)

/** `Not before Task 1.1`, `cannot start before Task 1.1`, `should not begin until Task 1.1`: it waits, however that is said. */
const NOT_BEFORE = new RegExp(
  String.raw`\b(?:not|cannot|can['’]t|never|mustn['’]t|shouldn['’]t|won['’]t|don['’]t)\s(?:[a-z]+\s){0,4}(?:before|until|unless)${TO}`,
  'i',
)

/** A clause about the task or batch itself begins. */
const CLAUSE = String.raw`(?:[.;,:(–—]|\s-\s|\b(?:and|but)\s)[\s*_]{0,9}(?:(?:this|it|which)(?: (?:task|batch|one))?\s)?(?:also\s)?`
const BLOCKING = [
  '(?:un)?blocks|(?:un)?blocking|enables|precedes|feeds(?: into)?',
  '(?:is )?(?:required|needed) (?:by|for)',
  '(?:is )?(?:an? )?(?:prerequisite|dependency|blocker) (?:for|of|to)',
].join('|')
const GOES_FIRST = '(?:must|should|has to|needs to|is to|will) (?:be )?[a-z]+(?: in)? before'

/** `blocks Task 1.2`, `Required by: Batch 2`, `must land before Task 1.4`: that the other one waits is all this can mean. */
const BLOCKS = new RegExp(`${CLAUSE}(?:(?:${BLOCKING})(?:[*_]{0,2}:)?|${GOES_FIRST})${THE}`, 'i')

/** In words like these, too, the other one may be what waits. */
const UNCLEAR =
  /\b(?:before|(?:un)?block(?:s|ing)|enables|precedes|feeds|(?:required|needed|used) (?:by|for)|(?:prerequisite|dependency|blocker) (?:for|of|to))\b/i

/** `Soft: Task 1.1`, `ideally after Task 1.1`. */
const SOFT = new RegExp(
  String.raw`\b(?:soft(?:ly)?|optional(?:ly)?|ideally|preferably|recommended|nice to have|weak(?:ly)?)(?: (?:dependency|dependencies|depends|after))?${TO}`,
  'i',
)

const EXCEPT = /\b(?:except(?: for)?|excluding|other than|apart from|but not|besides)\b/i
const EXCEPT_BEFORE = new RegExp(EXCEPT.source + TO, 'i')

const NOTHING = /^[\s*_`(-]*(?:none|nothing|no)\b/i
const SAYS_NONE = /^[\s*_`(-]*(?:none|no\b|n\/a|nothing|independent\b|-|–|—|$)/i

const ALL = new Set(['all', 'every', 'everything', 'batches', 'tasks'])
const BEFORE = new Set(['previous', 'prior', 'preceding', 'earlier', 'above', 'before'])
const PHRASE = new Set([
  ...ALL,
  ...BEFORE,
  ...['batch', 'task', 'of', 'the', 'in', 'this', 'it', 'one', 'ones', 'immediately', 'directly'],
  ...['must', 'be', 'is', 'are', 'complete', 'completed', 'done', 'finished', 'landed', 'merged', 'work', 'requires'],
])

/** What is in brackets explains. Spaces take its place, so that places stay right. */
function withoutAsides(text: string): string {
  return text.replace(/\([^()]*\)/g, (aside) => ' '.repeat(aside.length))
}
