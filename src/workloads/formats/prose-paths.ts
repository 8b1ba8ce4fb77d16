// Paths in a sentence: "Create User model in src/models/user.py". Only what is a path beyond doubt, because a claim on
// `and/or` would hold tasks back for nothing.

/** Each once, in the order of the text. */
export function pathsInProse(text: string): string[] {
  const found = new Set<string>()
  const rest = text.slice(0, MAX_CHARS).replace(/`([^`]+)`/g, (_, code: string) => {
    const path = trimmed(code)
    if (isPath(path, true)) found.add(path)
    return ' '
  })
  for (const word of rest.split(/[\s,;"'“”]+/)) {
    const path = trimmed(word)
    if (isPath(path, false)) found.add(path)
  }
  return [...found]
}

/** More than a task is described with. */
const MAX_CHARS = 20_000

/** Without what belongs to the sentence. */
function trimmed(word: string): string {
  return word
    .trim()
    .replace(/^[(<*_]+/, '')
    .replace(/[.:!?>*_]+$/, '')
    .replace(/:\d+(?:-\d+)?$/, '')
    .replace(/^([^(]*)\)$/, '$1')
}

function isPath(word: string, isCode: boolean): boolean {
  if (!/^[\w.@()[\]{},*+~-][\w./@()[\]{},*+~-]*$/.test(word) || word.startsWith('@') || word.startsWith('~'))
    return false
  if (DOCUMENTS.has(word)) return false
  const parts = word.split('/')
  const last = parts.at(-1) || (parts.at(-2) ?? '')
  if (parts.length === 1) return FILE.test(word) && (isCode || !LIBRARY.test(word))
  if (parts.slice(0, -1).includes('')) return false
  if (FILE.test(last) && !/^\d+\.\d+/.test(last)) return true
  // A folder: in code, with a slash at its end, or below one that every project has.
  return (
    (isCode && parts.length > 1 && /^[.\w-]+$/.test(parts[0] ?? '')) || word.endsWith('/') || TOPS.has(parts[0] ?? '')
  )
}

/** A name with an extension that files have. */
const FILE =
  /^[\w.@()[\]{},*+-]*\.(?:[cm]?[jt]sx?|json[c5l]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|py|pyi|ipynb|rb|erb|php|java|kts?|gradle|scala|go|mod|sum|rs|c|h|cc|cpp|hpp|cs|csproj|fs|sln|swift|m|mm|dart|ex|exs|erl|hs|lua|r|sql|prisma|graphql|gql|proto|html?|css|s[ac]ss|less|vue|svelte|astro|sh|bash|ps1|bat|tf|tfvars|xml|csv|svg|png|plist)$|^(?:Dockerfile|Makefile|Justfile|Procfile|Gemfile|Rakefile)$/i

/** Libraries are called like files (`Next.js`, `rrule.js`): without a folder they are not taken for one. */
const LIBRARY = /^[A-Z]\w*\.(?:js|ts|io|py)$|^[\w-]+\.(?:js|io|py)$/

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

const TOPS = new Set(
  (
    'src lib app apps packages test tests spec specs docs doc scripts tools backend frontend server client web api ' +
    'cmd internal pkg crates config public static assets migrations db infra deploy examples bench ios android .github'
  ).split(' '),
)
