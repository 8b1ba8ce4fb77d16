// The commands of somebody else's plan that are run as checks without being asked about: they test, lint, build or look.
// Fails closed: every word has to be known, and none may mean anything to a shell but `&&`.
import { posix } from 'node:path'

/** `part`: the command of the line because of which it is refused; `why` goes on behind "it". */
type Refusal = { part: string; why: string }

/** `isDescribed`: words beside the line say what is to come of it. */
type Allowed = { isAccepted: (part: string) => boolean; isDescribed: boolean }

/** What is joined by `&&`, or stands in lines, is looked at command by command. Null: a shell would do more with it. */
export function refusalsOf(line: string, { isAccepted, isDescribed }: Allowed): Refusal[] | null {
  const commands = commandsOf(line)
  if (commands === null) return null
  const last = commands.at(-1)
  return commands.flatMap((command) => {
    const part = command.map(({ written }) => written).join(' ')
    const isStep = command !== last && isFolderStep(command)
    const why = isStep ? null : isDescribed && LOOKS.test(part) ? DESCRIBED : whyRefused(command)
    return why === null || isAccepted(part) ? [] : [{ part, why }]
  })
}

export const WORDS = 'is words, not a command'
const UNKNOWN = 'is not among the commands known to test, lint or build'
const OUTSIDE = 'leads out of the worktree'
const DESCRIBED = 'has words beside it that say what it should find, which its exit status may not tell'

/** What follows a command can be: paths; files that are run; names of checks only; or those and steps of a build. */
type Operands = 'paths' | 'files' | 'names' | 'steps'

type Pattern = { start: RegExp; flags: ReadonlySet<string>; operands: Operands }

/** `start`: the first words of the command; NAME in it has to be the name of a check. `flags`: those it may have. */
function pattern(start: string, flags: string, operands: Operands = 'paths'): Pattern {
  // Groups of one name may stand in a pattern twice only from Node 24 on.
  let names = 0
  const source = start.replaceAll('NAME', () => `(?<name${++names}>[\\w.][\\w@:./-]*)`)
  return { start: new RegExp(`^(?:${source})(?= |$)`), flags: new Set([...ANY, ...flags.split(' ')]), operands }
}

const ANY = '-- -v -q --verbose --quiet --silent --ci --coverage --bail --color --no-color --version'.split(' ')
const NODE =
  '(?:npx (?:-y |--yes |--no |--no-install )?|bunx |(?:pnpm|yarn|bun) (?:exec |run |x )?|(?:\\./)?node_modules/\\.bin/)?'
const PYTHON = '(?:(?:uv|poetry|pipenv|pdm|hatch) run )?(?:(?:\\.?venv/bin/)?python[\\d.]* -m |\\.?venv/bin/)?'
const RUBY = '(?:bundle exec |bin/)?'
const AT = '[\\w@.][\\w@./-]*'
const DRY = '(?=.* --(?:check|check-only|diff|list-different)(?: |$))'

const KNOWN_CHECKS: readonly Pattern[] = [
  pattern(
    `npm(?: (?:--prefix|-C|-w|--workspace)[ =]${AT})? (?:run(?:-script)? NAME|t|test)|` +
      `(?:pnpm(?: (?:-C|--dir|-F|--filter)[ =]${AT}| -r)?(?: run)?|yarn(?: --cwd[ =]${AT}| workspace ${AT})?(?: run)?|bun run) NAME`,
    '-s --prefix --workspace --workspaces --if-present -t -g -k -x -i --grep --filter --testPathPattern --testPathPatterns ' +
      '--testNamePattern --run --runInBand --watch=false --watchAll=false --no-watch --passWithNoTests --maxWorkers ' +
      '--reporter --project --noEmit --max-warnings --testTimeout --no-coverage --check --headless --workers',
    'files',
  ),
  pattern(`${NODE}(?:tsc|vue-tsc|svelte-check)`, '--noEmit -p --project -b --build --pretty --strict --skipLibCheck'),
  pattern(
    `${NODE}(?:eslint|oxlint|stylelint|prettier${DRY}|(?:@biomejs/)?biome (?:check|lint|format|ci))`,
    '--max-warnings --ext --cache -c --config --check --list-different --no-error-on-unmatched-pattern --diagnostic-level',
  ),
  pattern(
    `${NODE}jest`,
    '-t --testNamePattern --testPathPattern --testPathPatterns -i --runInBand --maxWorkers --passWithNoTests --forceExit ' +
      '--detectOpenHandles --no-coverage --no-cache --testTimeout --findRelatedTests --runTestsByPath --watchAll=false',
  ),
  pattern(
    `${NODE}vitest (?:run|related|list|--run)`,
    '-t --testNamePattern --run --reporter --project --dir --root -c --config --passWithNoTests --no-coverage --testTimeout',
  ),
  pattern(
    `${NODE}(?:playwright test|cypress run)`,
    '-g --grep --project --reporter --workers --retries --timeout -x --max-failures --list -c --config --spec --headless ' +
      '--browser --component --e2e',
  ),
  pattern(`${NODE}(?:(?:next|vite|nuxt|astro) build|next lint|astro check)`, '--mode --config'),
  pattern(`${NODE}(?:turbo|nx)(?: run)?`, '--filter --force --no-cache --continue', 'names'),
  pattern(
    `node --test|bun test|${NODE}(?:mocha|ava|tap|uvu)`,
    '--test-name-pattern --test-reporter=spec --test-only --experimental-strip-types --grep -g -t --timeout --recursive --exit',
    'files',
  ),
  pattern(
    '(?:(?:node|bun|tsx|npx tsx|python3?|ruby|php|bash|sh) |(?=[^ ]*/))NAME',
    '--check --all --strict --unit',
    'files',
  ),
  pattern(
    `${PYTHON}(?:pytest|py\\.test)`,
    '-x -s -l -k -m -n -ra -rA -rs --tb --cov --cov-report --cov-fail-under --no-cov --maxfail --lf --ff --durations ' +
      '--timeout --strict-markers --no-header --no-summary --disable-warnings --asyncio-mode --headless',
    'files',
  ),
  pattern(
    `${PYTHON}(?:unittest(?: discover)?|tox|nox)|python3? manage\\.py (?:test|check)`,
    '-b -f -e -s -k -t --failfast --keepdb --parallel --noinput',
    'files',
  ),
  pattern(
    `(?:uvx )?${PYTHON}(?:ruff check|(?:ruff format|black|isort)${DRY}|mypy|pyright|flake8|pylint)|python[\\d.]* -m py_compile`,
    '--check --check-only --diff --strict --select --ignore --config --line-length --max-line-length --no-fix ' +
      '--ignore-missing-imports -p --project --profile --errors-only',
  ),
  pattern(
    'go (?:test|vet|build)',
    '-race -count -run -short -cover -coverprofile -timeout -tags -bench -benchmem -p -failfast -json -parallel',
  ),
  pattern('golangci-lint run|gofmt -l|staticcheck', '-d -s --timeout -c --config'),
  pattern(
    'cargo (?:test|t|check|clippy|build|doc|nextest run|fmt(?=.* --check(?: |$)))',
    '--check --all --workspace --all-targets --all-features --no-default-features --features -p --package --release --lib ' +
      '--bins --bin --tests --test --examples --doc --no-run --no-fail-fast --locked --offline --manifest-path -j --no-deps ' +
      '-D -W -A --nocapture --show-output --test-threads --exact --ignored --include-ignored --skip',
  ),
  pattern(
    '(?:\\./)?(?:mvnw?|gradlew?|sbt)',
    '-B -o -e -U -ntp --batch-mode --no-daemon --info --stacktrace --tests --continue --parallel --offline -x -Dtest ' +
      '-DskipTests -DskipITs -am --fail-at-end',
    'steps',
  ),
  pattern(
    'dotnet (?:test|build)|swift (?:test|build)',
    '--no-build --no-restore -c --configuration --filter --nologo --verbosity --framework --parallel',
  ),
  pattern(
    `${RUBY}(?:rspec|rubocop|standardrb|rails test)`,
    '-f --format -e --example -t --tag --fail-fast --parallel --only --order --seed --backtrace',
    'files',
  ),
  pattern(
    '(?:(?:\\./)?vendor/bin/)?(?:phpunit|pest|phpstan analy[sz]e|psalm|phpcs)|php artisan test',
    '--filter --testsuite --group --no-coverage --stop-on-failure --testdox --level -l -c --configuration --memory-limit ' +
      '--no-progress --parallel --standard',
    'files',
  ),
  pattern(
    'mix (?:test|compile|credo|format(?=.* --check-formatted(?: |$)))',
    '--trace --warnings-as-errors --check-formatted --force --strict --cover --only --exclude --seed --max-failures',
    'files',
  ),
  pattern(
    '(?:flutter|dart) (?:test|analyze)',
    '--no-pub --fatal-infos --fatal-warnings --no-fatal-infos --name --tags',
    'files',
  ),
  pattern(
    `(?:make|gmake)(?: -C ${AT})?|just|ninja(?: -C ${AT})?|${RUBY}rake|composer(?: run| run-script)?|cmake --build|ctest`,
    '-s -k -B -j --parallel --no-print-directory --keep-going --test-dir --output-on-failure',
    'names',
  ),
  pattern('(?:! )?(?:e|f)?grep', '-q -r -R -n -i -E -F -c -l -w -x -v -o -h'),
  pattern(
    '(?:! )?test -[defrsx]|ls|git diff --(?:exit-code|check|quiet)|true',
    '-l -a -R --cached --staged --exit-code',
  ),
]

/** What these find they print: `grep -c foo a.ts`, expected to be 0, does not fail where it should. */
const LOOKS = /^(?:! )?(?:[ef]?grep|ls|git) /

/** `text`: without its quotes. */
type Word = { written: string; text: string; isQuoted: boolean }

/** Null where a shell would do more with the line than run commands one after the other, each only if the one before passed. */
function commandsOf(line: string): Word[][] | null {
  if (line.length > MAX_CHARS || line.replace(/[ \t\n]+$/, '').replace(TOKENS, '') !== '') return null
  const commands: Word[][] = [[]]
  for (const [, written] of line.matchAll(TOKENS)) {
    if (written === undefined) commands.push([])
    else commands.at(-1)?.push({ written, text: written.replace(QUOTED, '$1$2'), isQuoted: /["']/.test(written) })
  }
  return commands.every((words) => words.length > 0) ? commands : null
}

/** Longer than what anybody writes into a plan as a check. */
const MAX_CHARS = 4_000
const IN_QUOTES = `"(?:[^"$\`\\\\\\n]|\\\\[\\w.])*"|'[^'\\n]*'`
/** A word, or, without a first group, what joins two commands. */
const TOKENS = new RegExp(`[ \\t]*(?:((?:[\\w@%+=:,./-]|${IN_QUOTES})+|(?<![^ \\t\\n&])!(?= ))|&&|\\n[ \\t\\n]*)`, 'g')
const QUOTED = /"([^"]*)"|'([^']*)'/g

/** `cd web` before another command; none of the paths behind it may lead upwards. */
function isFolderStep([program, folder, ...more]: readonly Word[]): boolean {
  return program?.text === 'cd' && more.length === 0 && folder !== undefined && isInside(folder.text)
}

function whyRefused(all: readonly Word[]): string | null {
  const words = SETTING.test(all[0]?.text ?? '') ? all.slice(1) : all
  const end = words.findIndex(({ isQuoted }) => isQuoted)
  const plain = words
    .slice(0, end < 0 ? undefined : end)
    .map(({ text }) => text)
    .join(' ')
  const reasons = KNOWN_CHECKS.flatMap((known) => {
    const match = known.start.exec(plain)
    if (!match || !Object.values(match.groups ?? {}).every((name) => name === undefined || isNamedAsCheck(name)))
      return []
    return [whyRefusedBehind(words.slice(match[0].split(' ').length), known, match[0])]
  })
  return reasons.length === 0 ? UNKNOWN : reasons.includes(null) ? null : (reasons[0] ?? null)
}

/** Makes tests no other than they are. */
const SETTING = /^(?:CI=(?:1|true)|(?:NODE|RAILS|MIX)_ENV=test)$/

function whyRefusedBehind(words: readonly Word[], { flags, operands }: Pattern, start: string): string | null {
  const given = words.filter(({ text }) => !text.startsWith('-'))
  const flag = words.find((word) => !given.includes(word) && !isFlagOf(word.text, flags))
  if (flag) return `has the flag \`${flag.text}\`, which is not known to be harmless`
  const isSearch = start.endsWith('grep')
  const paths = isSearch ? given.slice(1) : given
  if (words.some((word) => (paths.includes(word) || !given.includes(word)) && !isInside(word.text))) return OUTSIDE
  const before = (word: Word) => words[words.indexOf(word) - 1]?.text ?? ''
  const isValue = (word: Word) => word.isQuoted || WITH_TEXT.test(before(word))
  if (given.some((word) => !isValue(word) && isProse(word.text))) return WORDS
  // Without a file it would look at an input that there is not.
  if (isSearch && paths.length === 0) return words.some(({ text }) => /^-\w*r/i.test(text)) ? null : UNKNOWN
  if (operands === 'paths') return null
  if (operands === 'names' || operands === 'steps') {
    const isKnown = ({ text }: Word) =>
      isCheckName(text) || /^\d+$/.test(text) || (operands === 'steps' && STEPS.has(text))
    return given.length > 0 && given.every(isKnown) ? null : UNKNOWN
  }
  return given.some((word) => !WITH_TEXT.test(before(word)) && doesMore(word.text)) ? UNKNOWN : null
}

/** What follows them is looked for in the names of tests, or is the name of a lint. */
const WITH_TEXT = /^(?:-[kmtgDWA]|--grep|--filter|--testNamePattern|--test-name-pattern|--example)$/

/** With its value, several letters in one (`-xvs`), and a number behind its letter (`-j4`). */
function isFlagOf(word: string, flags: ReadonlySet<string>): boolean {
  if (flags.has(word) || flags.has(word.replace(/=.*$/s, '')) || flags.has(word.replace(/(?<=^-\w)\d+$/, '')))
    return true
  return /^-\w+$/.test(word) && [...word.slice(1)].every((letter) => flags.has(`-${letter}`))
}

/** Neither an absolute path, as people of all systems write it, nor one upwards, another machine, or a file of arguments. */
function isInside(word: string): boolean {
  return !/^(?:[/~@]|[a-z]:[\\/])|:\/\/|(?:^|[/=:])\.\.(?:\/|$)|[=:][/~]/i.test(word)
}

/** Words of a sentence, in which the name of a program may stand as well: "npm test passes", "tsc has no errors". */
const PROSE = new Set(
  (
    'the a an is are be and or that this with without should must will returns shows contains exists matches passes pass ' +
    'passing succeeds works all any no not it of from by when if then see ensure prints correctly successfully cleanly ' +
    'fails has have still on to for in after before green ok errors warnings passed compiles exits output again locally ' +
    'manually everything'
  ).split(' '),
)

function isProse(word: string): boolean {
  return PROSE.has(word.toLowerCase().replace(/[,.:]$/, ''))
}

/** `./scripts/check-types.sh` and `test:unit`. */
function isNamedAsCheck(name: string): boolean {
  return (
    isInside(name) &&
    !speaksOfMore(name) &&
    isCheckName(posix.basename(name).replace(/\.(?:sh|bash|[cm]?[jt]s|py|rb|php)$/, ''))
  )
}

const STEPS = new Set(['clean', 'package', 'assemble', 'classes', 'testClasses', 'jar'])

/** A file is run although its name speaks of more if it is called a test. */
function doesMore(operand: string): boolean {
  if (!/[./]/.test(operand)) return speaksOfMore(operand)
  return speaksOfMore(posix.basename(operand)) && !/test|spec/i.test(operand)
}

/**
 * `test`, `test:unit`, `web:test`, `unit-tests`, `testDebugUnitTest`; but not `build-and-push` or `test:watch`. A name can
 * lie, but a plan that has it run means what it says.
 */
function isCheckName(name: string): boolean {
  if (!/^[\w@:./-]+$/.test(name) || speaksOfMore(name)) return false
  const parts = name.split(':').filter((part) => part !== '')
  return [parts[0], parts.at(-1)].some((part) => {
    const words = wordsOf(part ?? '')
    return CHECKS.has(words[0] ?? '') || CHECKS.has(words.at(-1) ?? '')
  })
}

function speaksOfMore(name: string): boolean {
  return wordsOf(name).some((word) => MORE.has(word))
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}

const CHECKS = new Set(
  (
    'test tests check checks lint linter typecheck types tsc build compile verify validate unit spec specs e2e ' +
    'integration coverage vet analyze analyse clippy mypy pytest jest vitest detekt'
  ).split(' '),
)

/** Whatever else the name says, it may do more than that, or not end. */
const MORE = new Set(
  (
    'deploy deployment publish release ship push upload migrate prod production staging stage live remote watch dev ' +
    'develop serve start up down fix write update upgrade reset drop wipe seed destroy delete remove purge rollback ' +
    'install uninstall sync send notify mail email sign notarize submit apply provision infra docker image container ' +
    'cloud aws gcp azure k8s kube helm terraform and then ui open preview bump tag commit ' +
    'load import export populate create init setup charge pay bill mint broadcast post announce invite'
  ).split(' '),
)
