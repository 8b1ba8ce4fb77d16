// Whether a line of somebody's checklist is a command, and which. Plans mix the two: "npm test", "`npm test` passes",
// "the login page still works". A command that is missed costs little, because the agent reads the line as well; words
// that are run as a command fail a task that is right. So in doubt it is not one.

export function commandIn(item: string): string | null {
  const text = withoutMarks(item)
  if (text === '' || text.length > MAX_CHARS) return null
  const typed = typedCommand(text)
  if (typed !== undefined) return typed
  const coded = codedCommand(text)
  if (coded !== undefined) return coded
  const plain = withoutExpectation(text)
  return isCommand(plain) ? plain : null
}

/** The lines of a block of shell code; of a recorded terminal only what was typed. Null where nothing is to be run. */
export function commandOfBlock(language: string, lines: readonly string[]): string | null {
  if (!SHELLS.has(language.toLowerCase())) return null
  const typed = lines.filter((line) => /^\s*\$\s/.test(line)).map((line) => line.replace(/^\s*\$\s+/, ''))
  const said = typed.length > 0 ? typed : lines
  const command = said.join('\n').trim()
  const isEmpty = said.every((line) => line.trim() === '' || line.trim().startsWith('#'))
  if (isEmpty || command.length > MAX_CHARS) return null
  // A block fails with the first of its lines that fails, as a list of commands would.
  return said.length === 1 ? command : `set -e\n${command}`
}

const MAX_CHARS = 4_000

const SHELLS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'shellsession', 'shell-session'])

/** Bullets, numbers and boxes in front. */
function withoutMarks(item: string): string {
  return item
    .trim()
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
    .trim()
}

/** `$ make check`: as in a terminal, so any program will do. undefined: there is no `$` in front. */
function typedCommand(text: string): string | null | undefined {
  const typed = /^(`?)\$\s+(.+)\1$/.exec(text)?.[2]
  if (typed === undefined) return undefined
  const command = withoutExpectation(typed)
  return /^(?:[A-Za-z_]\w*=\S* )*[A-Za-z_./~][\w./~+-]*(?: |$)/.test(command) && !hasProse(command) ? command : null
}

/** undefined: no code in it that would be all there is to run. */
function codedCommand(text: string): string | null | undefined {
  const match = /^(?:(?:run|execute|command)\s*:?\s+)?(`+)([^`]+)\1(.*)$/i.exec(text)
  if (!match) return undefined
  const [, , code = '', rest = ''] = match
  const command = code.trim()
  const isRun = /^(?:run|execute|command)\b/i.test(text)
  if (!isRun && !saysItPasses(rest)) return null
  return isRun ? startsLikeCommand(command) : isCommand(command) ? command : null
}

/** Somebody said that it is to be run, so only what cannot be a command is left out: a path alone, a name. */
function startsLikeCommand(code: string): string | null {
  return /^[\w./~$-][^\n]*$/.test(code) && (/\s/.test(code) || isCommand(code)) ? code : null
}

/** Nothing more, or that it ends well. Anything else ("returns 200") is not what an exit status tells. */
function saysItPasses(rest: string): boolean {
  const text = rest.trim().replace(/^[-–—:,→=>()\s]+/, '')
  return text === '' || /^[.;)]*$/.test(text) || PASSES.test(text)
}

const PASSES =
  /^(?:now |still |should |must |all |and |it |to |is |are |tests? )*(?:pass(?:es|ing)?|succeeds?|green|exits? (?:with )?(?:code |status )?0|completes? (?:successfully|without)|works|clean|ok|no errors?|without errors?|runs (?:clean|without)|builds)\b/i

function withoutExpectation(text: string): string {
  const match =
    /\s(?:should |must |still )?(?:pass(?:es)?|succeeds?|exits? (?:with )?(?:code |status )?0|completes? successfully|is green|works|runs without errors?|without errors?|with no errors?)(?:[.\s].*)?$/i.exec(
      text,
    )
  return match ? text.slice(0, match.index).trim() : text.replace(/(?<=\w)[.;]$/, '')
}

function isCommand(text: string): boolean {
  const words = unquotedWords(text)
  while (/^[A-Za-z_]\w*=/.test(words[0] ?? '')) words.shift()
  const [program = '', ...rest] = words
  if (rest.some(isProse)) return false
  if (/^\.{0,2}\/[\w./-]+$/.test(program) && program !== '/')
    return /[\w]\.(?:sh|py|js|mjs|ts|rb|pl)$|^\.\//.test(program)
  if (PROGRAMS.has(program)) return rest.length > 0 || ALONE.has(program)
  return AMBIGUOUS.get(program)?.test(rest.join(' ')) ?? false
}

function hasProse(command: string): boolean {
  return unquotedWords(command).some(isProse)
}

function unquotedWords(text: string): string[] {
  return text.replace(/"[^"]*"|'[^']*'/g, '""').split(/\s+/)
}

function isProse(word: string): boolean {
  return PROSE.has(word.toLowerCase().replace(/[,.:;!?]$/, ''))
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
  ['test', /^!? ?-[a-z]{1,2} \S+$/],
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
