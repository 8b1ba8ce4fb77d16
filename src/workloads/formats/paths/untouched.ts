// Files that are to stay as they are: `do not touch src/db.py`, `leave src/a.ts alone`. Only where the file itself is what is
// spoken of: `without changing behaviour in src/pay.ts` is about a file that is changed.

/** With blanks for what is said about them. */
export function withoutUntouched(text: string): string {
  return [NOT_TO_TOUCH, NO_CHANGES, LEFT_ALONE, STAYS].reduce((rest, said) => rest.replace(said, blanks), text)
}

/** What follows keeps its place. */
export function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** A whole word that may be a path. */
const PATH = '(?=[^\\s,;]{0,300}[/.])[^\\s,;]{1,300}(?![^\\s,;])'
const PATHS = `${PATH}(?:(?:,\\s{1,9}(?:(?:and|or|nor)\\s{1,9})?|\\s{1,9}(?:and|or|nor)\\s{1,9})${PATH}){0,20}`
const FILES = `(?:(?:the|any|existing|files?|anything\\s{1,9}in)\\s{1,9}){0,3}${PATHS}`
/** Of `src/a.ts exports` it is the exports that are spoken of; `src/a.ts refactor src/b.ts` begins something else. */
const NOTHING_OF_IT =
  '(?:(?<=[.:!?)])|(?=[ \\t]{0,9}(?:$|[\\n,;(—–-]))|(?=\\s{1,9}(?:and|or|but|in|for|to|as|if|while|when|until|unless)\\b)|(?=\\s{1,9}\\w{1,20}\\s{1,9}[^\\s,;]{0,300}[/.]\\w))'

const NOT_TO_TOUCH = new RegExp(
  `(?:\\b(?:not|never|without|avoid)|n['’]t)\\s{1,9}(?:touch|chang|modify|edit|alter|overwrit)\\w{0,9}\\s{1,9}${FILES}${NOTHING_OF_IT}`,
  'gi',
)
const NO_CHANGES = new RegExp(
  `\\bno\\s{1,9}(?:change|modification|edit)s?\\s{1,9}(?:(?:is|are)\\s{1,9})?(?:(?:needed|required|made)\\s{1,9})?(?:to|in)\\s{1,9}${FILES}${NOTHING_OF_IT}`,
  'gi',
)
const UNCHANGED = '(?:alone|unchanged|untouched|intact|as[\\s-]is|as\\s(?:it|they)\\s(?:is|are))\\b'
const LEFT_ALONE = new RegExp(`\\b(?:leav(?:e|es|ing)|keep(?:s|ing)?)\\s{1,9}${FILES}\\s{1,9}${UNCHANGED}`, 'gi')
/** `src/a.ts and src/b.ts stay unchanged`, `src/a.ts must not change`; not `the API of src/a.ts stays unchanged` */
const STAYS = new RegExp(
  `(?:(?:^|[\\n(])[ \\t]{0,40}(?:[-*+][ \\t]{1,9})?|[.;:,—–-]\\s{1,9}|\\b(?:but|while|that)\\s{1,9})${PATHS}\\s{1,9}(?:(?:(?:must|should|will|shall)\\s{1,9})?(?:stays?|remains?|(?:is|are|be)(?:\\s{1,9}(?:left|kept))?)\\s{1,9}${UNCHANGED}|(?:is|are|must|should|may)\\s{1,9}not\\s{1,9}(?:to\\s{1,9})?(?:be\\s{1,9})?(?:chang|touch|modif|edit|alter)\\w{0,4}\\b)`,
  'gi',
)
