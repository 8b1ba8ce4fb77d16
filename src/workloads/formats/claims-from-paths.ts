// Paths of another format as claims. A pattern by accident (`app/[id]/page.tsx`) is taken literally; `*` and `?` stay patterns.
import { posix } from 'node:path'

export type NamedPaths = { write: readonly string[]; read: readonly string[] }

export type PathClaims = {
  /** A list is short for `{write}` without paths to read; undefined: no path is named. */
  claims?: string[] | { write: string[]; read: string[] }
  /** Paths to write that are not in the repository: no worktree has them. */
  outside?: string[]
}

/** The claims for these paths. Paths to read outside the repository are dropped: they cannot collide. */
export function claimsOf({ write, read }: NamedPaths): PathClaims {
  const written = claimed(write)
  const own = new Set(written.inside)
  const wanted = claimed(read).inside.filter((path) => !own.has(path))
  const outside = written.outside.length > 0 ? { outside: written.outside } : {}
  if (wanted.length > 0) return { claims: { write: written.inside, read: wanted }, ...outside }
  return written.inside.length > 0 ? { claims: written.inside, ...outside } : outside
}

function claimed(paths: readonly string[]): { inside: string[]; outside: string[] } {
  const inside = new Set<string>()
  const outside = new Set<string>()
  for (const written of paths) {
    const path = plainPath(written)
    if (path === '') continue
    if (isOutside(path)) outside.add(path)
    else inside.add(path.replace(/[[\]]/g, '\\$&'))
  }
  return { inside: [...inside], outside: [...outside] }
}

/** The path without quotes, `./`, detours and the number of a line: `./src/a.ts:12` is `src/a.ts`. */
function plainPath(written: string): string {
  const bare = written
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(/:\d+(-\d+)?$/, '')
    .trim()
  if (bare === '') return ''
  const path = posix.normalize(bare.replaceAll('\\', '/'))
  return path === '.' || path === '../' ? '**' : path
}

function isOutside(path: string): boolean {
  return /^(\/|~|[A-Za-z]:\/)/.test(path) || /(^|[/{,])\.\.([/},]|$)/.test(path)
}

// Paths in a field for them: in backticks, or between commas and line ends, each with or without a remark (`src/e.ts - new`).

export function pathsInField(written: string): string[] {
  const text = written.slice(0, MAX_CHARS)
  const coded = text.match(/`[^`\n]+`/g)?.map((code) => code.slice(1, -1))
  return (coded ?? text.split(/[\n,;](?![^([{\n]*[)\]}])|\s(?:and|→|->|=>)\s(?=\S*[/.])/)).flatMap(pathsInPart)
}

export function saysNone(text: string): boolean {
  return NONE.has(text.trim().toLowerCase())
}

const MAX_CHARS = 20_000

const NONE = new Set(['', 'none', 'n/a', 'na', 'no', 'tbd', 'nothing', 'null', 'all', 'various', '-', '–', '—'])

/** Words that occur in sentences and hardly in file names. */
const SENTENCE =
  /(?:^|\s)(?:an?|the|in|of|to|and|or|for|from|with|like|as|at|by|see|e\.g\.|existing|new|all|any|create|add|update|modify|edit|remove|delete|use|follow)(?=\s)/i

function pathsInPart(part: string): string[] {
  const text = part.trim().replace(/^(["'])(.*)\1$/, '$2')
  const path = text.split(/\s\((?![^()]*\)\S)|\s[-–—]+\s|\s#\s|:(?:\s|$)/, 1)[0] ?? ''
  if (saysNone(path) || /^(?:[a-z]+:\/\/|\d+(?:[-–]\d+)?$)/i.test(path)) return []
  const isFile = /\.[A-Za-z]\w{0,9}$|^[A-Z][a-z]+file$/.test(path)
  const inProse = pathsInProse(text)
  if (/\s/.test(path) && (SENTENCE.test(path) || (!isFile && inProse.length > 0))) return inProse
  if ((path !== text || /\s/.test(path)) && !isFile && !path.includes('/')) return inProse
  // `reports)` is left over from a remark with commas in it.
  return isBalanced(path) ? [path] : []
}

function isBalanced(text: string): boolean {
  return text.split('(').length === text.split(')').length
}

// Paths in a sentence. A path has a folder: a bare name (`api.ts`) may lie anywhere, so it claims nothing.

export function pathsInProse(text: string): string[] {
  const words = text
    .slice(0, MAX_PROSE_CHARS)
    .replaceAll('](', ' ')
    .matchAll(/(?:\{[^{}\s]{1,200}\}|[^\s,;"'“”`|{}])+/g)
  return [...new Set(Array.from(words, ([word]) => trimmed(word)).filter(isPath))]
}

const MAX_PROSE_CHARS = 20_000

function trimmed(word: string): string {
  const bare = word.slice(0, MAX_PATH_CHARS).replace(/^[(<[*_]{1,9}(?=[\w.])/, '')
  const end = /[([]/.test(bare) ? /[.:!?>*_]{1,9}$/ : /[)\].:!?>*_]{1,9}$/
  return bare.replace(end, '').replace(/:\d+(?:-\d+)?$/, '')
}

const MAX_PATH_CHARS = 500

function isPath(word: string): boolean {
  if (!/^[\w.][\w./@()[\]{},*+~$-]*$/.test(word) || DESIGN.test(word)) return false
  const parts = word.split('/')
  const [top = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1 || parts.slice(0, -1).includes('') || NO_FOLDER.test(top)) return false
  // A path relative to another file, as in an import, names no path of the repository.
  if (parts.includes('..') || parts.includes('node_modules')) return false
  if (last === '' || last.includes('*') || FILE.test(last) || parts.includes('src')) return true
  // A slash also joins words: `docs/tests`.
  return FOLDERS.has(top) && !parts.every((part) => FOLDERS.has(part))
}

/** Not a folder: `github.com/foo/bar.go` is a package, `Node.js/Express.js` are two. */
const NO_FOLDER = /\w\.\w/

/** Files that spec-kit writes before there are tasks: tasks only read them. */
const DESIGN = /^(?:\.\/)?(?:\.specify|specs|contracts)\//

const FILE = /[^/.]\.[A-Za-z][A-Za-z\d]{0,9}$|^\.[a-z][\w.-]+$|^[A-Z][a-z]+file$/

const FOLDERS = new Set(
  'src lib apps packages tests docs scripts cmd internal pkg crates migrations infra examples .github'.split(' '),
)
