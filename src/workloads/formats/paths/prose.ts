// Paths in a sentence. A path has a folder: a bare name (`api.ts`) may lie anywhere, so it claims nothing.

export function pathsInProse(text: string): string[] {
  const words = text
    .slice(0, MAX_CHARS)
    .replaceAll('](', ' ')
    .matchAll(/(?:\{[^{}\s]{1,200}\}|[^\s,;"'“”`|{}])+/g)
  return [...new Set(Array.from(words, ([word]) => trimmed(word)).filter(isPath))]
}

const MAX_CHARS = 20_000

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
  // A path from the file that it is written about, as an import has it, says nothing about the repository.
  if (parts.includes('..') || parts.includes('node_modules')) return false
  if (last === '' || last.includes('*') || FILE.test(last) || parts.includes('src')) return true
  // Words are joined by a slash as well: `docs/tests`.
  return FOLDERS.has(top) && !parts.every((part) => FOLDERS.has(part))
}

/** `github.com/foo/bar.go` is a package, `Node.js/Express.js` are two. */
const NO_FOLDER = /\w\.\w/

/** What spec-kit writes before there are tasks: they read it. */
const DESIGN = /^(?:\.\/)?(?:\.specify|specs|contracts)\//

const FILE = /[^/.]\.[A-Za-z][A-Za-z\d]{0,9}$|^\.[a-z][\w.-]+$|^[A-Z][a-z]+file$/

const FOLDERS = new Set(
  'src lib apps packages tests docs scripts cmd internal pkg crates migrations infra examples .github'.split(' '),
)
