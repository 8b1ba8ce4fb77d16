// Paths where a file of another format has a field for them. Most often it is one path; people and agents also write a
// remark behind it (`src/e.ts - add route`), several in one text, or a sentence. A name may have blanks and brackets
// itself, so what counts is what is left: a remark is cut off where a file stands in front of it.
import { pathsInProse } from './prose.ts'

/** None where there is no path in it. */
export function pathsSaid(text: string): string[] {
  if (text.length > MAX_CHARS) return pathsInProse(text)
  return listed(text).flatMap(pathsOf)
}

/** That there is no file, in so many words. */
export function saysNone(text: string): boolean {
  return NONE.has(text.trim().toLowerCase())
}

/** Longer than any path and what is said about it. */
const MAX_CHARS = 4_000

const NONE = new Set(['', 'none', 'n/a', 'na', 'tbd', 'nothing', 'null', '-', '–', '—'])

/** Words that stand in sentences, and hardly in names of files. */
const SENTENCE =
  /(?:^|\s)(?:an?|the|in|of|to|and|or|for|from|with|like|as|at|by|see|e\.g\.|existing|new|all|any|create|add|update|modify|edit|remove|delete|use|follow)(?=\s)/i

/** At commas and line ends, but not inside brackets: `src/{a,b}.ts`. */
function listed(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth = Math.max(depth - 1, 0)
    else if (char === '\n' || (depth === 0 && (char === ';' || char === ','))) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  // A comma without a blank may belong to a name.
  return /[,;]\s|\n/.test(text) || parts.every(looksLikePath) ? parts : [text]
}

function pathsOf(part: string): string[] {
  const said = unquoted(part)
  if (saysNone(said) || /^[a-z]+:\/\//i.test(said)) return []
  if (!/\s/.test(said)) return [said]
  const heads = headsOf(said)
  const file = heads.find(hasExtension)
  if (file !== undefined) return pathsOf(file)
  const isSentence = SENTENCE.test(said)
  if (hasExtension(said) && !isSentence) return [said]
  const [head] = heads
  if (head !== undefined && saysNone(head)) return []
  if (head !== undefined && looksLikePath(head)) return pathsOf(head)
  const found = pathsInProse(said)
  return found.length === 0 && said.includes('/') && !isSentence ? [said] : found
}

/** What stands in front of each thing that may begin a remark. */
function headsOf(said: string): string[] {
  return Array.from(said.matchAll(/\s\(|\s[-–—]+\s|\s#\s|:\s/g), ({ index }) => unquoted(said.slice(0, index)))
}

function looksLikePath(text: string): boolean {
  return text.includes('/') || hasExtension(unquoted(text))
}

function hasExtension(text: string): boolean {
  return /[^\s/.]\.[A-Za-z][A-Za-z0-9]{0,9}(?::\d+(?:-\d+)?)?$|^[A-Z][a-z]+file$/.test(text)
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'`])(.*)\1$/s, '$2')
}
