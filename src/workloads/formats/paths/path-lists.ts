// The paths of a text, sentence by sentence, and in lists: what is said of `src/a.ts, src/b.ts and src/c.ts` is said of all three.
import { type PathAt, pathsAt } from './prose-paths.ts'

/** With the words of the sentence on both sides. */
export type PathList = { paths: PathAt[]; before: string; behind: string }

/** Those of each sentence that has some. */
export function sentencesOf(text: string): PathList[][] {
  const paths = pathsAt(text).toSorted((a, b) => a.from - b.from)
  const sentences: PathList[][] = []
  let next = 0
  let from = 0
  for (const { index: to } of [...text.matchAll(SENTENCE_END), { index: text.length }]) {
    const own: PathAt[] = []
    for (let path = paths[next]; path && path.from < to; path = paths[++next]) own.push(path)
    if (own.length > 0) sentences.push(listsOf(text, own, from, to))
    from = to + 1
  }
  return sentences
}

function listsOf(text: string, paths: readonly PathAt[], from: number, to: number): PathList[] {
  const lists: PathAt[][] = []
  const between = paths.map((path, i) => text.slice(path.to, paths[i + 1]?.from ?? path.to))
  for (const [i, path] of paths.entries()) {
    const isJoined = AND.test(between[i - 1] ?? '') || (lists.length > 1 && isComma(between, i - 1))
    if (isJoined) lists.at(-1)?.push(path)
    else lists.push([path])
  }
  return lists.map((own) => {
    const [start, end] = [own[0]?.from ?? from, own.at(-1)?.to ?? to]
    return {
      paths: own,
      before: text
        .slice(Math.max(from, start - MAX_WORDS_CHARS), start)
        .replace(LINK, '')
        .replace(/[\s`*_"'“]+$/, ''),
      behind: text.slice(end, Math.min(to, end + MAX_WORDS_CHARS)),
    }
  })
}

/** One of a list: `per a.yaml, src/a.ts` without an `and` behind it may be two things. */
function isComma(between: readonly string[], at: number): boolean {
  const end = Math.min(between.length, at + MAX_LISTED)
  for (let i = at; i < end && COMMA.test(between[i] ?? ''); i++) if (AND.test(between[i + 1] ?? '')) return true
  return false
}

/** A line may end within a sentence. */
const SENTENCE_END = /[.;!?](?=\s)|\n(?=[ \t]{0,40}(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]))/g
const MAX_WORDS_CHARS = 120
/** `per [the contract](contracts/users.yaml)` */
const LINK = /\[[^[\]]*\]\($/
const MAX_LISTED = 20
const AND = /^[\s`*_]{0,9},?\s{1,9}(?:and|or|&|\+)\s{1,9}[`*_]{0,4}$/i
const COMMA = /^[`*_]{0,4},\s{1,9}[`*_]{0,4}$/
