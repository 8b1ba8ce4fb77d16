// Paths in a sentence: "Create User model in src/models/user.py". Only what is a path beyond doubt, because a claim on
// `and/or` would hold tasks back for nothing. What stands in backticks or in a link was meant as something, so less has
// to speak for it.
import { blanks, withoutUntouched } from './untouched.ts'

/** Each once, in the order of the text: first what is in backticks, then the rest. */
export function pathsInProse(text: string): string[] {
  return [...new Set(pathsAt(text).map(({ path }) => path))]
}

/** `from`, `to`: where it stands in the text. */
export type PathAt = { path: string; from: number; to: number }

/** Every one of them, first those in backticks. */
export function pathsAt(text: string): PathAt[] {
  const found: PathAt[] = []
  const add = (word: string, from: number, isCode: boolean): void => {
    const path = trimmed(word)
    const start = from + word.indexOf(path)
    if (isPath(path, isCode)) found.push({ path, from: start, to: start + path.length })
  }
  const code = (whole: string, inner: string, from: number): string => {
    add(inner, from + whole.indexOf(inner), true)
    return blanks(whole)
  }
  const rest = withoutUntouched(text.slice(0, MAX_CHARS))
    .replace(/`([^`]+)`/g, code)
    .replace(/\]\(([^()\s]{1,500})\)/g, code)
  for (const { 0: word, index } of rest.matchAll(/[^\s,;"'“”]+/g)) add(word, index, false)
  return found
}

/** More than a task is described with. */
const MAX_CHARS = 20_000

/** Without what belongs to the sentence. */
function trimmed(word: string): string {
  return word
    .trim()
    .replace(/^[(<]+/, '')
    .replace(/[.:!?>]+$/, '')
    .replace(/^([^(]*)\)$/, '$1')
    .replace(/^(\*{1,3}|_{1,3})(.+)\1$/, '$2')
    .replace(/^\*{2,3}(?=\w)|[.:!?>*]+$/g, '')
    .replace(/:\d+(?:-\d+)?$/, '')
}

function isPath(word: string, isCode: boolean): boolean {
  if (!/^[\w.*()[\]{},+-][\w./@()[\]{},*+~$-]*$/.test(word) || DOCUMENTS.has(word)) return false
  const parts = word.split('/')
  // A path from the file that it is written about, as an import has it, says nothing about the repository.
  if (parts.includes('..') || parts.includes('node_modules')) return false
  if (parts.length === 1) return isFile(word) ? isCode || !LIBRARY.test(word) : isCode && BARE_FILE.test(word)
  const [top = ''] = parts
  if (parts.slice(0, -1).includes('') || top.startsWith('*') || HOST.test(top)) return false
  const last = parts.at(-1) ?? ''
  if (last === '' || (isFile(last) && !/^\d+\.\d+/.test(last)) || last.startsWith('*')) return true
  return isCode ? /^[.\w-]+$/.test(top) && !MEDIA_TYPE.test(word) : isFolder(parts)
}

/** Words are joined by a slash as well: `client/server`, `docs/tests`, `config/env`. */
function isFolder(parts: readonly string[]): boolean {
  const [top = ''] = parts
  if (parts.includes('src')) return true
  return (parts.length > 2 ? TOPS : CLEAR_TOPS).has(top) && !parts.every((part) => TOPS.has(part))
}

function isFile(name: string): boolean {
  return (FILE.test(name) && !NO_FILE.test(name)) || DOT_FILE.test(name)
}

/** A name with an extension that files have. */
const FILE =
  /^[\w.@()[\]{},*+$-]*[\w)\]}*+$]\.(?:[cm]?[jt]sx?|json[c5l]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|py|pyi|ipynb|rb|erb|php|java|kts?|gradle|scala|go|mod|sum|rs|c|h|cc|cpp|hpp|cs|csproj|fs|sln|swift|m|mm|dart|ex|exs|erl|hs|lua|r|sql|prisma|graphql|gql|proto|html?|css|s[ac]ss|less|vue|svelte|astro|sh|bash|ps1|bat|tf|tfvars|xml|csv|svg|png|plist)$|^(?:Dockerfile|Makefile|Justfile|Procfile|Gemfile|Rakefile)$/i

/** Kinds of files, wherever they are (`*.md`, `.test.ts`), and what programs call their environment. */
const NO_FILE = /^\*|^\.(?:test|spec|stories|module|min|d)\.|^(?:process|import\.meta)\.env$/

/** Files that begin with a dot and have no extension. */
const DOT_FILE =
  /^\.(?:env(?:\.[\w-]+)*|[\w-]+rc|[\w-]+ignore|git(?:attributes|modules|keep)|editorconfig|mailmap|[\w-]+-versions?)$/

/** Names in capitals that may be words of a sentence as well. */
const BARE_FILE = /^(?:LICEN[SC]E|NOTICE|README|CHANGELOG|CONTRIBUTING|AUTHORS|CODEOWNERS|VERSION)$/

/** Libraries are called like files (`Next.js`, `rrule.js`): without a folder they are not taken for one. */
const LIBRARY = /^[A-Z]\w*\.(?:js|ts|io|py)$|^[\w-]+\.(?:js|io|py)$/

/** `github.com/foo/bar.go` is a package. */
const HOST = /^[\w-][\w.-]*\.(?:com|org|net|io|dev|in|ai)$/i

const MEDIA_TYPE = /^(?:application|audio|font|image|multipart|text|video)\/[\w.+*-]+$/

/** What the tools of that format write and read themselves: no part of the work. */
const DOCUMENTS = new Set([
  'plan.md',
  'spec.md',
  'tasks.md',
  'research.md',
  'data-model.md',
  'quickstart.md',
  'contracts/',
])

/** Folders that projects have, with names that hardly stand beside a slash in a sentence. */
const CLEAR_TOPS = new Set(
  'src lib apps packages tests specs docs scripts cmd internal pkg crates migrations infra examples .github'.split(' '),
)

const TOPS = new Set([
  ...CLEAR_TOPS,
  ...(
    'app test spec doc tools backend frontend server client web api config public static assets db deploy bench ios ' +
    'android'
  ).split(' '),
])
