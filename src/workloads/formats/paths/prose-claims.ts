// Which paths of a sentence are to be written, and which it only speaks of: in "Add the route in src/api.ts, following the
// pattern in src/users.ts", the second is read. What is not plainly only spoken of counts as written: a task may wait without
// need, but two do not write the same, and no agent is told to leave alone what it has to change.
import { basename } from 'node:path/posix'
import type { NamedPaths } from './claims.ts'
import { type PathList, sentencesOf } from './path-lists.ts'
import type { PathAt } from './prose-paths.ts'

export function claimsInProse(text: string): NamedPaths {
  const found: Found[] = []
  let isAnyWritten = false
  for (const lists of sentencesOf(text)) {
    const hasTest = lists.some(({ paths }) => paths.some(isTest))
    let isWritten = false
    for (const [i, list] of lists.entries()) {
      const isRead = isOnlyRead(list, { next: lists[i + 1], hasTest, isWritten, isAnyWritten })
      isWritten ||= !isRead
      isAnyWritten ||= !isRead
      for (const path of list.paths) found.push({ ...path, isRead, isPointedAt: POINTER.test(list.before) })
    }
  }
  // `Fix the crash (see src/a.ts)`
  if (!isAnyWritten) for (const one of found) one.isRead &&= !one.isPointedAt || DOCUMENT.test(one.path)
  const meant = found.filter((one, i) => !isSaidAgain(text, one, found[i + 1]))
  const named = (isRead: boolean): string[] => [
    ...new Set(meant.filter((one) => one.isRead === isRead).map(({ path }) => path)),
  ]
  return { write: named(false), read: named(true) }
}

type Found = PathAt & { isRead: boolean; isPointedAt: boolean }

/** `isWritten`: something is, before it in the sentence; `isAnyWritten`: in the text. */
type Around = { next: PathList | undefined; hasTest: boolean; isWritten: boolean; isAnyWritten: boolean }

function isOnlyRead({ paths, before, behind }: PathList, { next, hasTest, isWritten, isAnyWritten }: Around): boolean {
  if (isPlainlyRead(before)) return true
  if (SUBORDINATE.test(before)) return isWritten
  if (FOLLOW.test(before)) return isAnyWritten
  if (USE.test(before)) return next !== undefined && INTO.test(next.before) && !isPlainlyRead(next.before)
  if (TESTS_FOR.test(before)) return hasTest && !paths.some(isTest) && !MENDED.test(before)
  return GREP.test(before) && CONFIRMED.test(behind)
}

function isPlainlyRead(before: string): boolean {
  return POINTER.test(before) || SPOKEN_OF.test(before) || AS_EXAMPLE.test(before) || AS_DESCRIBED.test(before)
}

function isTest({ path }: PathAt): boolean {
  return /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i.test(path)
}

// The words right before a path. A bracket or a colon in between ends what they govern: "fuzzy match (src/match.ts)".
const THE = '(?:\\s+(?:the|existing|current|files?|types))*'
const WORDS = "(?:\\s+[\\w`'@./-]+){0,5}"
const EXAMPLE_IN =
  '\\s+(?:patterns?|examples?|styles?|conventions?|approach|structure|format)\\s+(?:in|of|from|at)(?:\\s+the)?'
const PLAIN =
  '(?:per|based\\s+on|according\\s+to|similar\\s+to|same\\s+as|model+ed\\s+(?:on|after)|consistent\\s+with|depend(?:s|ing)?\\s+on|against)'
/** `see docs/model.md`, `(reference: src/a.ts)`, while `Add a cross-reference: src/a.ts` is none. */
const POINTER = new RegExp(
  `(?:\\b(?:see(?:\\s+also)?|cf\\.?|refer\\s+to):?${THE}|\\bsee${WORDS}${EXAMPLE_IN}|(?:^|[(,—–]\\s{0,3})ref(?:erence)?s?:)$`,
  'i',
)
const DOCUMENT = /\.(?:mdx?|rst|txt)$/i
/** `per contracts/users.yaml` */
const SPOKEN_OF = new RegExp(`\\b${PLAIN}:?${THE}$`, 'i')
/** `based on the example in src/a.ts` */
const AS_EXAMPLE = new RegExp(`\\b${PLAIN}${WORDS}${EXAMPLE_IN}$`, 'i')
/** `as described in docs/model.md`; while `is described in docs/model.md` may be what is to be done. */
const AS_DESCRIBED =
  /\bas(?:\s+(?:described|documented|outlined|explained|defined|specified|declared|listed|shown|used|done))?\s+in(?:\s+the)?$/i
/** `…, importing the types from src/types.ts`, `… which uses src/types.ts`, said of something that is written. */
const SUBORDINATE = new RegExp(
  `\\b(?:(?:(?:follow|mirror|match|us|reus|import|read|load|copy)ing|(?:which|that)\\s+(?:follows|mirrors|matches|uses|reuses|imports|reads|loads|copies))(?:${THE}|${WORDS}\\s+from(?:\\s+the)?)|(?:follow|mirror|match)ing${WORDS}${EXAMPLE_IN})$`,
  'i',
)
/** `Write src/b.ts. Follow the pattern in src/a.ts` */
const FOLLOW = new RegExp(`^\\W{0,9}follow(?:${THE}|${WORDS}${EXAMPLE_IN})$`, 'i')
/** `Use src/types.ts in src/a.ts`, `Copy templates/a.md to docs/a.md` */
const USE = new RegExp(`^\\W{0,9}(?:use|copy)${THE}$`, 'i')
const INTO = /\b(?:in|into|to)(?:\s+the)?$/i
/** `unit tests for src/a.ts in tests/a.test.ts`: what is written is the test. */
const TESTS_FOR = new RegExp(`\\btests?(?:\\s+(?:suites?|cases?))?\\s+(?:for|of|covering)${THE}$`, 'i')
/** `Fix the tests for src/a.ts`: perhaps there. */
const MENDED = /\b(?:fix|make|get)/i
/** `Grep for the old name in src/ and confirm that there is none` */
const GREP = /^\W{0,9}(?:run\s+)?grep\b.*\s(?:in|through|across|under)(?:\s+the)?$/i
const CONFIRMED = /^\W{0,4}(?:and|to)\s+(?:confirm|verify|ensure|check)\b/i

/** "Create a Dockerfile in web/Dockerfile" is about one file. */
function isSaidAgain(text: string, { path, from, isRead }: Found, next: Found | undefined): boolean {
  if (next === undefined || path.includes('/') || next.path === path || basename(next.path) !== path) return false
  const between = text.slice(Math.max(from, next.from - MAX_BETWEEN_CHARS), next.from).replace(/\([^()]*\)/g, '')
  return isRead === next.isRead && PLACE_OF_IT.test(between) && !/,|\b(?:and|or|to)\b/i.test(between)
}

const MAX_BETWEEN_CHARS = 120
const PLACE_OF_IT = /(?:\b(?:in|at)|[:(—–])[\s`*]*$/i
