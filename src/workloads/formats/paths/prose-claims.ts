// Which paths of a sentence are to be written, and which it only speaks of: in "Add the route in src/api.ts, following the
// pattern in src/users.ts", the second is read. What is not clearly only read counts as written: a task may wait without
// need, but two do not write the same.
import { basename } from 'node:path/posix'
import type { NamedPaths } from './path-claims.ts'
import { type PathAt, pathsAt } from './prose-paths.ts'

export function claimsInProse(text: string): NamedPaths {
  const found = pathsAt(text).toSorted((a, b) => a.from - b.from)
  const write = new Set<string>()
  const read = new Set<string>()
  let before: { path: PathAt; isRead: boolean } | null = null
  for (const path of found) {
    const isListed: boolean = before !== null && BETWEEN.test(text.slice(before.path.to, path.from))
    const isRead: boolean = before !== null && isListed ? before.isRead : isOnlyRead(text, path)
    ;(isRead ? read : write).add(path.path)
    before = { path, isRead }
  }
  return { write: withoutNames(write), read: withoutNames(read) }
}

/** `src/a.ts`, `src/b.ts` and `src/c.ts` */
const BETWEEN = /^[\s`*_)\]]{0,9}(?:,|\band\b|\bor\b|&|\+){0,2}[\s`*_([]{0,9}(?:and\b|or\b)?[\s`*_([]{0,9}$/i

/** "Create a Dockerfile in web/Dockerfile" is about one file. */
function withoutNames(paths: ReadonlySet<string>): string[] {
  const names = new Set([...paths].filter((path) => path.includes('/')).map((path) => basename(path)))
  return [...paths].filter((path) => !names.has(path))
}

function isOnlyRead(text: string, { path, from, to }: PathAt): boolean {
  const before = clauseBefore(text, from)
  if (READ.test(before) || READ_AS_EXAMPLE.test(before) || DESCRIBED.test(before)) return true
  if (READ_FROM.test(before)) return !TAKEN_AWAY.test(before)
  if (TESTS_FOR.test(before)) return !TEST.test(path)
  return SEARCHED.test(before) && !CHANGED.test(text.slice(to, to + MAX_CLAUSE_CHARS))
}

/** What is said right before it, without the sentence before that. */
function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_CLAUSE_CHARS), at).replace(/[\s`*_"'“([]+$/, '')
  return before.split(/[.;!?]\s|\n/).at(-1) ?? ''
}

const MAX_CLAUSE_CHARS = 120

const WORDS = "(?:\\s+[\\w`'@./-]+){0,5}"
const READER =
  '(?:see|per|cf\\.?|follow(?:s|ing)?|mirror(?:s|ing)?|match(?:es|ing)?|like|unlike|ref(?:erences?|er\\s+to)?|based\\s+on|according\\s+to|similar\\s+to|same\\s+as|model+ed\\s+(?:on|after)|consistent\\s+with|depend(?:s|ing)?\\s+on|requires|us(?:e|es|ing)|reus(?:e|es|ing)|import(?:s|ing)?|read(?:s|ing)?|load(?:s|ing)?|cop(?:y|ies|ying)|instead\\s+of|rather\\s+than|against|consult)'
/** `see docs/model.md`, `per contracts/users.yaml`, `reference: src/a.ts` */
const READ = new RegExp(`\\b${READER}:?(?:\\s+(?:the|also|existing|current|file|files|types|helpers?))*$`, 'i')
/** `following the pattern in src/a.ts` */
const READ_AS_EXAMPLE = new RegExp(
  `\\b(?:${READER}|as)${WORDS}\\s+(?:patterns?|examples?|styles?|conventions?|approach|structure|format)(?:\\s+used)?\\s+(?:in|of|from|at)(?:\\s+the)?$`,
  'i',
)
/** `as described in docs/model.md` */
const DESCRIBED =
  /\b(?:(?:described|documented|outlined|explained)|as\s+(?:defined|specified|declared|listed|shown|used|done)|as)\s+(?:in|by)(?:\s+the)?$/i
/** `importing the types from src/types.ts` */
const READ_FROM = new RegExp(
  `\\b(?:import(?:s|ed|ing)?|read(?:s|ing)?|load(?:s|ed|ing)?|us(?:e|es|ed|ing)|reus(?:e|es|ed|ing)|cop(?:y|ied|ying)|inherit(?:s|ed|ing)?)${WORDS}\\s+from(?:\\s+the)?$`,
  'i',
)
const TAKEN_AWAY = /\b(?:remov|delet|drop|strip|mov|extract|migrat|export|re-export|eliminat|clean)\w*\b/i
/** `unit tests for src/a.ts`: what is written is the test. */
const TESTS_FOR = /\btests?(?:\s+(?:suite|cases?))?\s+(?:for|of|covering)(?:\s+the)?$/i
const TEST = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)/i
/** `Grep for the old name in src/ and confirm that there is none` */
const SEARCHED = new RegExp(
  `^[\\s\\W]{0,9}(?:\\w+\\s+)?(?:grep|(?:search|scan|look)\\s+for)\\b${WORDS}\\s+(?:in|through|across|under)(?:\\s+the)?$`,
  'i',
)
const CHANGED = /\b(?:remov|replac|fix|updat|delet|renam|chang|migrat|convert|rewrit|add)\w*\b/i
