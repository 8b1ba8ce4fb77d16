// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 and 1.3`, `Batches 1-3`; or words.

export type Dependency = {
  kind: 'batch' | 'task'
  first: string
  /** The end of a range. */
  last: string | null
  way: Way
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

/** `what`: what a number without a dot means where nothing is said; `usual`: what the field says of those in it. */
export function readDependencies(written: string, what: 'batch' | 'task', usual: Way = 'needs'): Dependencies {
  const text = withoutAsides(written.slice(0, MAX_CHARS))
  const found: Dependency[] = []
  let saysNone = SAYS_NONE.test(text)
  let exceptAt: number | null = null
  let named: 'batch' | 'task' | null = null
  let way: Way | 'none' = usual
  // A number counts at the beginning, behind the word, and in a list that began so: `needs Node 20.1` is no task.
  let end = 0
  for (const match of text.matchAll(MENTION)) {
    const [mention, word, first, last = null] = match
    const between = text.slice(end, match.index)
    const follows = (end === 0 ? LEAD : LINK).test(between)
    if (word) {
      if (!follows || end === 0)
        way = wayBefore(text.slice(Math.max(0, match.index - MAX_BEFORE), match.index)) ?? usual
      saysNone ||= way === 'none'
      if (way === 'except') exceptAt ??= end + Math.max(between.search(EXCEPT), 0)
      named = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    } else if (!follows || !first) continue
    else if (way !== 'none')
      found.push({
        kind: first.includes('.') ? 'task' : (named ?? what),
        first: first.toLowerCase(),
        last: last?.toLowerCase() ?? null,
        way: way === 'needs' && SOFT_BEHIND.test(written.slice(match.index + mention.length)) ? 'after' : way,
        isNamed: named !== null,
        offset: match.index,
      })
    end = match.index + mention.length
  }
  return { found, saysNone, exceptAt }
}

/** What the words right before `batch` or `task` say of it. Null: nothing in particular. */
function wayBefore(words: string): Way | 'none' | null {
  if (EXCEPT_BEFORE.test(words)) return 'except'
  if (DENIED.test(words)) return 'none'
  if (BLOCKS.test(words)) return 'blocks'
  return SOFT.test(words) ? 'after' : null
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

/** `Independent of Task 1.1`, `no dependency on Batch 2`, `in parallel with Batch 3`, `can start before Task 1.1`. */
const DENIED = new RegExp(
  String.raw`\b(?:independent(?:ly)?(?: of| from)?|unrelated to|regardless of|parallel (?:with|to)|alongside|not (?:depend(?:ent)? on|need|require|wait for|block(?:ed by)?)|no (?:dependency|dependencies|need)|not|(?:can|may|could) (?:also )?(?:start|begin|run|be (?:done|started|run)) (?:before|without))${TO}`,
  'i',
)

/** `blocks Task 1.2`, `required by Batch 2`, `must land before Task 1.4`. */
const BLOCKS = new RegExp(
  String.raw`\b(?:(?:un)?block(?:s|ing)|enables|precedes|(?:required|needed|used) (?:by|for)|(?:prerequisite|dependency|blocker) (?:for|of|to)|feeds(?: into)?|before)${TO}`,
  'i',
)

/** `Soft: Task 1.1`, `ideally after Task 1.1`. */
const SOFT = new RegExp(
  String.raw`\b(?:soft(?:ly)?|optional(?:ly)?|ideally|preferably|recommended|nice to have|weak(?:ly)?)(?: (?:dependency|dependencies|depends|after))?${TO}`,
  'i',
)

/** `Task 1.2 (optional)`. */
const SOFT_BEHIND = /^[\s*_`]*[([]\s*(?:soft|optional|nice[- ]to[- ]have|preferred|recommended|weak)\b/i

const EXCEPT = /\b(?:except(?: for)?|excluding|other than|apart from|but not|besides)\b/i
const EXCEPT_BEFORE = new RegExp(EXCEPT.source + TO, 'i')

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
