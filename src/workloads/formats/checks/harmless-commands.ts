// The commands of foreign plans that are run as checks without asking: they test, lint, build or look.
// Fails closed: a command has to match one of the patterns as a whole, and only `&&` and line ends may mean anything to a shell.

/** `part`: the refused command of the line; `why` continues a sentence about "it". */
type Refusal = { part: string; why: string }

/** `isDescribed`: the plan describes the expected result beside the line. */
type Allowed = { isAccepted: (part: string) => boolean; isDescribed: boolean }

/** Commands joined by `&&`, or in lines, are judged one by one. Null: a shell would do more with the line. */
export function refusalsOf(line: string, { isAccepted, isDescribed }: Allowed): Refusal[] | null {
  if (line.length > MAX_CHARS || !LINE.test(line)) return null
  const parts = Array.from(line.matchAll(COMMANDS), ([part]) => part.trim()).filter(Boolean)
  return parts.flatMap((part, i) => {
    const words = part.replace(QUOTED, (_, a: string = '', b: string = '') => (UNQUOTED.test(a + b) ? a + b : '"'))
    const command = words.replace(/[ \t]+/g, ' ').replace(SETTING, '')
    const isFolderStep = i < parts.length - 1 && FOLDER_STEP.test(command)
    const isKnown = isFolderStep || KNOWN_CHECKS.some((known) => known.test(command))
    const whyNotKnown = isKnown ? null : UNKNOWN
    const why = SENTENCE.test(command) ? WORDS : isDescribed && LOOKS.test(command) ? DESCRIBED : whyNotKnown
    return why === null || isAccepted(part) ? [] : [{ part, why }]
  })
}

export const WORDS = 'is words, not a command'
const UNKNOWN = 'is not among the commands known to test, lint or build'
const DESCRIBED = 'has words beside it that say what it should find, which its exit status may not tell'

/** Longer than any real check. */
const MAX_CHARS = 4_000
const IN_QUOTES = `"(?:[^"$\`\\\\\\n]|\\\\[\\w.])*"|'[^'\\n]*'`
const QUOTED = /"([^"]*)"|'([^']*)'/g
const COMMAND = `(?:!(?= ))?(?:[\\w@%+=:,./ \\t-]|${IN_QUOTES})+`
const COMMANDS = new RegExp(COMMAND, 'g')
const LINE = new RegExp(`^(?![ \\t]*(?:\\n|$))${COMMAND}(?:(?:&&|\\n)[ \\t\\n]*(?![ \\t\\n])${COMMAND})*[ \\t\\n]*$`)

/** Quoted text that means the same without quotes; other quoted text becomes a `"` before matching. */
const UNQUOTED = /^[\w@%+=:,./*{}-]+$/
/** Variables that do not change the meaning of tests. */
const SETTING = /^(?:CI=(?:1|true)|(?:NODE|RAILS|MIX)_ENV=test) /
/** Commands that print their findings: `grep -c foo a.ts`, expected to be 0, does not fail where it should. */
const LOOKS = /^(?:! )?(?:[ef]?grep|ls|git) /
/** Words of sentences that may contain the name of a program: "npm test passes", "eslint finds no errors". */
const SENTENCE = new RegExp(
  '(?<! -[kmtgDWA]) (?:the|an?|is|are|be|and|or|that|this|with|without|should|must|will|returns|shows|contains|exists|matches|pass(?:es|ed|ing)?|' +
    'succeeds|works|no|not|any|it|of|from|by|in|on|for|to|if|then|see|prints|finds|reports|runs|compiles|exits|fails|has|have|' +
    'still|after|before|green|clean|ok|errors|warnings|again|locally|everything|successfully|cleanly)[,.:]?(?: |$)',
)

/** Any value of an option that only selects among tests. */
const TEXT = '[^ -][^ ]*'
/** Inside of the worktree: neither absolute nor upwards, and no file of arguments (`@args.txt`). */
const PATH = '(?![^ ]*(?<!\\.)\\.\\.(?!\\.))(?![@/-])(?:[\\w.@+*/-]|\\{[\\w,]+\\})+'
const PACKAGE = `@?${PATH}`
/** A path with a dot or slash, so not a word of a sentence. */
const FILE = `(?=[^ ]*[./])${PATH}`
const IN_TESTS = '(?:tests?|specs?|__tests__|e2e)(?:[/. ]|$)'
const IS_TEST = 'test_|[^ /]*(?:[._-](?:test|spec|cy)|[a-z](?:Test|Spec))s?(?:[./: ]|$)'
/** Files to run have to be tests: `tests/a.py`, `src/a.spec.ts`, `LoginTest.php`, but not `latest.js` or `wipe-test-db.js`. */
const TESTS = `(?=(?:[^ ]*/)?(?:${IN_TESTS}|${IS_TEST}))${PATH}(?::[\\w:.-]+)?`

const KIND =
  '(?:tests?|checks?|lint|types?|typecheck|tsc|build|compile|verify|validate|units?|specs?|e2e|integration|coverage|vet|' +
  'analy[sz]e|clippy|mypy|pytest|jest|vitest|(?:format|fmt|prettier|style|deps|db)[:-]check|check[:-](?:format|fmt|style|deps|db))'
const OF_WHAT =
  '(?:all|ci|run|once|quick|fast|web|api|app|core|lib|client|backend|frontend|packages|js|ts|css|python|rust)'
/** The name of a script or target. It could do something else, but the author of the plan chose to run it. */
const NAME = `(?:${OF_WHAT}[:_-])*${KIND}(?:[:_-](?:${KIND}|${OF_WHAT}))*`
const SCRIPT = `(?:\\./)?(?:(?:scripts?|bin|tools|tests?|ci)/)*${NAME}`
const EXTENSION = '\\.(?:sh|bash|[cm]?[jt]s|py|rb|php)'
const TASK = ':?(?:[\\w-]+:)*(?:test|check|build|lint|compile|verify|detekt)(?:Debug|Unit|Test|Java|Kotlin)*'

/** npx downloads missing packages: `-y` is not allowed, and only programs in a package of the same name. */
const FETCHED = '(?:npx(?: --no| --no-install)?|bunx|bun x) '
const INSTALLED = '(?:pnpm|yarn|bun)(?: exec| run)? |(?:\\./)?node_modules/\\.bin/'
const NODE = `(?:${FETCHED}|${INSTALLED})?`
const PYTHON = '(?:(?:uv|poetry|pipenv|pdm|hatch) run )?(?:(?:\\.?venv/bin/)?python[\\d.]* -m |\\.?venv/bin/)?'
const RUBY = '(?:bundle exec |bin/)?'
const PHP = '(?:(?:\\./)?vendor/bin/)?'

const OF_NPM = `(?:-s|-w[ =]${PACKAGE}|-C[ =]${PATH}|--silent|--if-present|--workspaces|--(?:workspace|prefix)[ =]${PACKAGE})`
const OF_PNPM = `(?:-r|--recursive|(?:-C|--dir)[ =]${PATH}|(?:-F|--filter)[ =]${PACKAGE})`
const OF_YARN = `(?:--cwd[ =]${PATH}|workspace ${PACKAGE})`
const NPM = `npm(?: ${OF_NPM})*`
const RUN = `(?:${NPM} run(?:-script)?|pnpm(?: ${OF_PNPM})*(?: run)?|yarn(?: ${OF_YARN})?(?: run)?|bun run)`
const OF_MAKE = '(?:-s|-k|-j(?: ?\\d+)?|--no-print-directory)'
const OF_MAVEN = '(?:-q|-B|-o|-e|-ntp|--batch-mode|-DskipITs|-Dtest=[\\w.*,]+)'
const GOAL = '(?:test|verify|compile|test-compile)'
const OF_GRADLE = `(?:-q|--no-daemon|--info|--stacktrace|--offline|--continue|--parallel|--tests[ =]${TEXT})`
const OF_JEST = '-i|--runInBand|--ci|--coverage|--no-coverage|--verbose|--bail|--passWithNoTests|--watch(?:All)?=false'
const OF_LINT = `${PATH}|-q|--quiet|--strict|--parallel|--no-progress|--level[ =]\\w+`

/** A pattern for `program` followed by any number of `args`. */
function runner(program: string, ...args: readonly string[]): RegExp {
  return new RegExp(`^(?:${program})(?: (?:${args.join('|')}))*$`)
}

const FOLDER_STEP = new RegExp(`^cd ${PATH}$`)

const KNOWN_CHECKS: readonly RegExp[] = [
  runner(
    `${RUN} ${NAME}`,
    `--|--max-warnings[ =]\\d+|--run|--if-present|--workspaces|--(?:workspace|prefix)[ =]${PACKAGE}|${OF_JEST}`,
  ),
  // A word after `--` selects tests, as option values do. Which program gets it is unknown.
  runner(
    `(?:${NPM} t(?:est)?|${RUN} (?:e2e|test(?:[:_-](?:${KIND}|${OF_WHAT}))*))(?: -- (?!${TESTS}(?: |$))\\w[\\w-]*)?`,
    `${TESTS}|--|--run|--no-watch|--silent|--workspaces|--(?:workspace|prefix)[ =]${PACKAGE}|${OF_JEST}`,
    '(?:-t|-g|--grep|--testNamePattern|--testPathPatterns?)[ =](?:"|[\\w:|*-]+)',
  ),
  runner(
    `${NODE}(?:(?:vue-)?tsc(?: --noEmit(?: ${PATH})*)?|svelte-check)`,
    `--noEmit|--pretty|--skipLibCheck|--strict|(?:-p|--project|-b|--build|--tsconfig)(?:[ =]${PATH})?`,
  ),
  runner(
    `${NODE}(?:eslint|oxlint|stylelint|prettier (?:--check|-c|--list-different|-l))|` +
      `(?:${NODE}@biomejs/|(?:${INSTALLED})?)biome (?:check|lint|format|ci)`,
    `${PATH}|--quiet|--cache|--max-warnings[ =]\\d+|--ext[ =][\\w.,]+`,
  ),
  runner(
    `${NODE}jest`,
    `${PATH}|--silent|--detectOpenHandles|--forceExit|--findRelatedTests|--maxWorkers[ =][\\w%]+|${OF_JEST}`,
    `(?:-t|--testNamePattern|--testPathPatterns?)[ =]${TEXT}`,
  ),
  runner(
    `${NODE}vitest (?:run|related|--run)`,
    `${PATH}|--run|--coverage|--no-coverage|--passWithNoTests|(?:-t|--testNamePattern|--project)[ =]${TEXT}`,
    '--reporter[ =](?:verbose|dot|default|basic)',
  ),
  runner(
    `${NODE}playwright test`,
    `${PATH}|-x|--(?:workers|retries|max-failures)[ =]\\d+|(?:-g|--grep|--project)[ =]${TEXT}`,
    '--reporter[ =](?:list|line|dot)',
  ),
  runner(
    `${NODE}cypress run`,
    `--headless|--component|--e2e|--browser[ =](?:chrome|electron|firefox|edge)|--spec[ =]${TESTS}`,
  ),
  runner(
    `${NODE}(?:(?:next|vite|nuxt|astro) build|next lint|astro check|turbo(?: run)?(?: ${NAME})+)`,
    `--filter[ =]${PACKAGE}`,
  ),
  runner(
    `node --test|bun test|${NODE}mocha|${RUBY}rails test|${PHP}(?:phpunit|pest)|php artisan test|(?:mix|flutter|dart) test`,
    `${TESTS}|--test-only|--test-reporter=(?:spec|tap|dot)|--recursive|--exit|--bail|--coverage|--no-coverage|--cover|--trace|--testdox|--stop-on-failure`,
    `--no-pub|--timeout[ =]\\d+|(?:-g|--grep|--filter|--test-name-pattern|--testsuite|--name)[ =]${TEXT}`,
  ),
  runner(
    `(?:node|bun|tsx|npx tsx|python3?|ruby|php|bash|sh) ${SCRIPT}${EXTENSION}(?:(?<=check${EXTENSION}) \\w[\\w-]*)?|` +
      `(?=[^ ]*/)${SCRIPT}(?:${EXTENSION})?`,
    '--check|--all|--strict|--unit',
  ),
  runner(
    `${PYTHON}(?:pytest|py\\.test)`,
    `${TESTS}|\\.|-[qvxsl]+|-r[aA]|-n (?:\\d+|auto)|-[km] ${TEXT}|--tb[ =]\\w+|--(?:maxfail|durations|timeout)[ =]\\d+`,
    '--cov(?:=[\\w./-]+)?|--cov-report[ =]term(?:-missing)?|--cov-fail-under[ =]\\d+|--no-cov',
  ),
  runner(
    '(?:\\.?venv/bin/)?python[\\d.]* (?:-m unittest(?: discover)?|manage\\.py (?:test|check))',
    `${TESTS}|-[bfv]|--failfast|--keepdb|--parallel|-[st] (?:\\.|${TESTS})|-p test[^ ]*|-k ${TEXT}`,
  ),
  runner(`${PYTHON}(?:tox|(?:tox -e|nox -s) (?:py\\d+|${NAME})(?:,(?:py\\d+|${NAME}))*)`, '-q|-v'),
  runner(
    `${PYTHON}(?:ruff check|(?:ruff format|black) --(?:check|diff)|isort --(?:check|check-only|diff)|mypy|pyright|flake8|` +
      'pylint)|python[\\d.]* -m py_compile',
    OF_LINT,
    `--no-fix|--check|--diff|--errors-only|--ignore-missing-imports|(?:-p|--project)[ =]${PATH}`,
    '--(?:select|ignore|line-length|max-line-length|profile)[ =][\\w,]+',
  ),
  runner(
    'go (?:test|vet|build)|golangci-lint run|staticcheck',
    `(?=\\.)${PATH}|-v|-race|-short|-cover|-failfast|-json|-benchmem|-(?:count|p|parallel)[ =]\\d+|--?timeout[ =]\\w+`,
    `-tags[ =][\\w,]+|-(?:run|bench)[ =]${TEXT}`,
  ),
  runner(
    'cargo (?:test|t|check|clippy|build|doc|nextest run|fmt(?: --all)? (?:-- )?--check)',
    `\\w*[_:][\\w:]*|--|-q|-v|--all-(?:targets|features)|--no-default-features|-[DWA] [\\w:-]+|--manifest-path[ =]${PATH}`,
    '--(?:quiet|verbose|all|workspace|lib|bins|tests|examples|doc|release|locked|offline|no-run|no-deps|no-fail-fast)',
    '--(?:nocapture|show-output|exact)|(?:--(?:features|package|bin|test|test-threads|skip)|-p|-j)[ =][\\w,/-]+',
  ),
  runner(`(?:(?:\\./)?mvnw?|sbt)(?: ${OF_MAVEN})* ${GOAL}`, GOAL, OF_MAVEN),
  runner(`(?:\\./)?gradlew?(?: ${OF_GRADLE})* ${TASK}`, TASK, OF_GRADLE),
  runner(
    `(?:dotnet|swift) (?:test|build)(?: ${PATH}(?<=\\.(?:slnx?|[cf]sproj)|[Tt]ests?))?`,
    `--no-build|--no-restore|--nologo|--parallel|--filter[ =]${TEXT}|(?:-c|--configuration) (?:[Dd]ebug|[Rr]elease)`,
    '--verbosity[ =]\\w+',
  ),
  runner(
    `${RUBY}rspec`,
    `${TESTS}|--fail-fast|(?:-f|--format)[ =](?:p|d|progress|documentation)|(?:-e|--example|-t|--tag)[ =]${TEXT}`,
  ),
  runner(
    `${RUBY}(?:rubocop|standardrb)|${PHP}(?:phpstan analy[sz]e|psalm|phpcs)|mix (?:compile|credo|format --check-formatted)|` +
      '(?:flutter|dart) analyze|gofmt -[ld]',
    OF_LINT,
    '--warnings-as-errors|--fatal-(?:infos|warnings)|--no-pub',
  ),
  runner(
    `(?:make(?: -C ${PATH})?|just|ninja(?: -C ${PATH})?|${RUBY}rake|composer(?: run| run-script)?)(?: ${OF_MAKE})* ${NAME}|` +
      `cmake --build ${PATH}|ctest`,
    `${NAME}|${OF_MAKE}|--output-on-failure|--test-dir[ =]${PATH}`,
  ),
  runner(
    `(?:! )?[ef]?grep(?:(?: -[qrRniEFclwxvoh]+)+ ${TEXT} ${PATH}| ${TEXT} ${FILE})|(?:! )?test -[defrsx] ${PATH}|` +
      `ls(?: -[laR1]+)? ${FILE}|git diff(?: --cached| --staged)? --(?:exit-code|check|quiet)|true`,
    FILE,
  ),
]
