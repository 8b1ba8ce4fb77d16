// Whether a text is a command line, by the program it begins with and by the words in it. Sentences begin with programs, too:
// "make sure it works", "curl returns 200".
import { isNameFlag } from './name-flags.ts'
import { isNoCommandLine } from './trailing-remark.ts'

export function isCommand(text: string): boolean {
  const [program = '', ...rest] = wordsOf(text)
  // Behind these is a name, which may be any word: `npm run verify`, `make all`.
  const said = TARGETED.has(program) && rest.length === 1 ? [] : withoutNames(rest)
  if (said.some(isProse) || isNoCommandLine(text)) return false
  if (/^\.{0,2}\/[\w./-]+$/.test(program) && program !== '/')
    return /[\w]\.(?:sh|py|js|mjs|ts|rb|pl)$|^\.\//.test(program)
  if (PROGRAMS.has(program)) return rest.length > 0 || ALONE.has(program)
  return AMBIGUOUS.get(program)?.test(rest.join(' ')) ?? false
}

/**
 * For what stands in a field for a command, where any program may be named: only what is a sentence beyond doubt, such as
 * "Check that a.txt exists", "manual review" or "N/A".
 */
export function isSentence(text: string): boolean {
  const words = wordsOf(text)
  const named = isKnown(words[0] ?? '') ? withoutNames(words) : words
  const [first = '', ...rest] = endsWithTest(words) ? named.slice(0, -1) : named
  return OPENINGS.has(bareWord(first)) || rest.some((word) => SENTENCE.has(bareWord(word)))
}

/** From the program on, with nothing in the quotes. */
function wordsOf(text: string): string[] {
  const words = unquotedWords(withoutPreparation(text))
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) words.shift()
  return words
}

/** `cd web && npm test` and `! grep -r foo src` are commands if what follows is. */
function withoutPreparation(text: string): string {
  let rest = text.trim()
  for (let i = 0; i < MAX_PREPARATIONS; i++) {
    const match = PREPARATION.exec(rest)
    if (!match) break
    rest = rest.slice(match[0].length)
  }
  return rest
}

/** Nobody writes more of them into a line. */
const MAX_PREPARATIONS = 5
const PREPARATION =
  /^(?:!|timeout(?:\s+-\S+)*\s+\d+[smh]?|(?:cd|pushd|source|\.|export|set|unset)\s+[^\s;&|]+\s*(?:&&|;))\s+/

export function hasProse(command: string): boolean {
  return withoutNames(unquotedWords(command)).some(isProse)
}

/** Without words that may be any: `npm run verify`, `pytest -k exists`. */
function withoutNames(words: readonly string[]): string[] {
  return words.filter((_, i) => words[i - 1] !== 'run' && !isNameFlag(words[i - 1]))
}

/** The last word may be the name of a test: `cargo test works`. That it passes is said of all of them. */
function endsWithTest([program = '', kind = '', ...rest]: readonly string[]): boolean {
  const isTests = /^(?:test|nextest|jest|vitest)$/.test(kind) && isKnown(program)
  return isTests && rest.length > 0 && !/^pass/i.test(rest.at(-1) ?? '')
}

function isKnown(program: string): boolean {
  return PROGRAMS.has(program) || AMBIGUOUS.has(program)
}

function unquotedWords(text: string): string[] {
  return text.replace(/"[^"]*"|'[^']*'/g, '""').split(/\s+/)
}

function isProse(word: string): boolean {
  return PROSE.has(bareWord(word))
}

function bareWord(word: string): string {
  return word.toLowerCase().replace(/[,.:;!?]$/, '')
}

/** Programs whose names are no words of a sentence. */
const PROGRAMS = new Set(
  (
    'npm npx pnpm yarn bun bunx deno node tsc eslint biome prettier jest vitest mocha playwright cypress vite turbo nx ' +
    'python python3 py.test pytest pip pip3 uv uvx poetry tox mypy ruff flake8 pylint black django-admin alembic ' +
    'cargo rustc rustfmt clippy golangci-lint gofmt mvn gradle ./gradlew ./mvnw javac dotnet msbuild ' +
    'ruby bundle rake rspec rubocop rails php composer phpunit mix elixir swift xcodebuild flutter dart ' +
    'docker docker-compose podman kubectl helm terraform ansible-playbook ' +
    'git gh curl wget jq grep egrep rg sed awk ls cat diff cmp wc head tail sh bash zsh stat cmake ctest ninja bazel ' +
    'shellcheck hadolint actionlint markdownlint sqlite3 psql redis-cli prisma'
  ).split(' '),
)

/** What they are told to make is a name. */
const TARGETED = new Set(['make', 'just', 'task', 'mvn', './mvnw', 'gradle', './gradlew', 'rake'])

/** Words of sentences that no command line has outside of quotes. */
const SENTENCE = new Set(
  (
    'the is are be been was were that this these those should must shall will would could returns shows contains exists ' +
    'matches passes passing works ensures prints correctly properly successfully responds displays'
  ).split(' '),
)

/** What a sentence begins with, and no program is called. */
const OPENINGS = new Set(
  (
    'check verify ensure confirm manual manually visual visually review inspect visit navigate look see none n/a na tbd ' +
    'todo not no all run execute code-review human user after when'
  ).split(' '),
)

/** Those that check something without being told what. */
const ALONE = new Set([
  'tsc',
  'pytest',
  'py.test',
  'jest',
  'vitest',
  'tox',
  'rspec',
  'phpunit',
  'ctest',
  'eslint',
  'mypy',
])

/** Those that are words as well: only with what makes them a command. */
const AMBIGUOUS = new Map<string, RegExp>([
  ['make', /^(?!sure$)[\w./-]+$/],
  ['just', /^[\w./:-]+$/],
  ['task', /^[a-z][\w./:-]*$/],
  ['go', /^(?:test|build|vet|run|fmt|mod|generate|tool)\b/],
  ['test', /^(?:! )?(?:-[a-z]{1,2} \S+|\S+ (?:!?=|-[a-z]{2}) \S+)$/],
  ['[', /\]$/],
  ['find', /^[\w./-]+ -/],
  ['echo', /[>|$]|^""/],
])

/** What stands in sentences and hardly ever on a command line, outside of quotes. */
const PROSE = new Set(
  (
    'the a an is are be been was were and or that this these those with without should must shall will would can could ' +
    'returns return shows show contains contain exists exist matches match passes pass passing works work all any every ' +
    'no not it its of from by when if then see verify ensure ensures output outputs prints printed correctly properly ' +
    'successfully respond responds displays tests'
  ).split(' '),
)
