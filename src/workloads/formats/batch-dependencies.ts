// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 and 1.3`, `Batches 1-3`; or words.

export type Dependency = {
  kind: 'batch' | 'task'
  first: string
  /** The end of a range. */
  last: string | null
  /** False: a number without `batch` or `task` before it, which may be the number of something else. */
  isNamed: boolean
  /** From the beginning of the text. */
  offset: number
}

export type Dependencies = {
  found: Dependency[]
  /** It says that it does not wait: `None`, `Independent of Task 1.1`. */
  saysNone: boolean
}

/** `what`: what a number without a dot means where nothing is said. */
export function readDependencies(written: string, what: 'batch' | 'task'): Dependencies {
  const text = withoutAsides(written.slice(0, MAX_CHARS))
  const found: Dependency[] = []
  let saysNone = SAYS_NONE.test(text)
  let named: 'batch' | 'task' | null = null
  let isDenied = false
  // A number counts at the beginning, behind the word, and in a list that began so: `needs Node 20.1` is no task.
  let end = 0
  for (const match of text.matchAll(MENTION)) {
    const [mention, word, first, last = null] = match
    const follows = (end === 0 ? LEAD : LINK).test(text.slice(end, match.index))
    if (word) {
      isDenied = (isDenied && follows) || DENIED.test(text.slice(Math.max(0, match.index - MAX_DENIAL), match.index))
      saysNone ||= isDenied
      named = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    } else if (!follows || !first) continue
    else if (!isDenied)
      found.push({
        kind: first.includes('.') ? 'task' : (named ?? what),
        first: first.toLowerCase(),
        last: last?.toLowerCase() ?? null,
        isNamed: named !== null,
        offset: match.index,
      })
    end = match.index + mention.length
  }
  return { found, saysNone }
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

/** `Independent of Task 1.1`, `no dependency on Batch 2`, `in parallel with Batch 3`: right before the word. */
const DENIED =
  /\b(?:independent(?:ly)? (?:of|from)|unrelated to|in parallel (?:with|to)|not (?:depend(?:ent)? on|need|require|wait for)|no (?:dependency|dependencies|need) (?:on|of|for)|not)\s+(?:the |any |all |of )*[*_`[]*$/i
const MAX_DENIAL = 60

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
