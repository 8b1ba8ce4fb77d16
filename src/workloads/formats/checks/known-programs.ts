// The programs that may be in a check, with the subcommands and flags they may have there. What is not in this table is not
// run, so whatever runs other programs, writes files of its own choice, publishes or stays is left out of it. A line is
// `program subcommand… : flag…`; names that mean the same are joined with `|`. Instead of a subcommand there can be:
//
//   @       the name of a script or target that says that it checks or builds; what follows is for that script
//   @+      one or more such names, and nothing else; @java: or a step of the usual build of a Java project
//   ^       a file of the repository with such a name
//   …       a whole command: all that follows; …node, …python: of a program of that section, since others would be fetched
//   &       files that are run: not one whose name speaks of more than checking, unless it is called a test
//   _ %     any word; a time
//   .       nothing but flags may follow
//   ~       a pattern that is looked for, which may look like a path; ~~ all that follows is text
//
// `-x` is a flag alone; `-x=` may have a value, in the same word or the next; `-x==` in the same word only; `-x=#` a number;
// `-x=@` a name as above; `-x=~` any name that does not speak of publishing. `!-x` has to be there, `!!-x` as the first
// word. `<-x=` is sure to have a value: only those may come before the subcommand, because what is taken for a value there
// is not looked at. `*`: the program has no flag that runs or writes anything. `#…` begins a section.

/** Who may run it: only a shell; any program that runs others; those that run what is written for Node or Python. */
export type ProgramSection = 'shell' | 'any' | 'node' | 'python'

export type Row = {
  subs: string[]
  flags: Map<string, Flag>
  /** Behind the subcommand: those, and what is handed on to a script. */
  inside: Map<string, Flag>
  must: { name: string; isFirst: boolean }[]
  isHarmless: boolean
  section: ProgramSection
}
export type Flag = { value: '' | '=' | '==' | '=#' | '=@' | '=~'; isSure: boolean }

/** All lines about a program; none: it is not known. */
export function rowsOf(program: string): readonly Row[] {
  table ??= readTable()
  return table.get(program) ?? []
}

let table: Map<string, Row[]> | null = null

function readTable(): Map<string, Row[]> {
  const rows = new Map<string, Row[]>()
  let section: ProgramSection = 'shell'
  for (const line of KNOWN_PROGRAMS.split('\n').filter((one) => one !== '')) {
    const [left = '', right = ''] = line.split(/ :(?: |$)/)
    const [programs = '', ...subs] = left.split(' ')
    if (line.startsWith('#')) section = line.slice(1) as ProgramSection
    else
      for (const name of programs.split('|')) rows.set(name, [...(rows.get(name) ?? []), rowOf(subs, right, section)])
  }
  return rows
}

export function rowOf(subs: string[], written: string, section: ProgramSection): Row {
  const flags = written.split(' ')
  const row: Row = { subs, flags: new Map(), inside: new Map(), must: [], isHarmless: flags.includes('*'), section }
  const passed = /^[@^]$/.test(subs.at(-1) ?? '') || flags.includes('PASSED') ? PASSED : []
  for (const word of [...ALWAYS, ...flags, ...passed]) {
    const [, must = '', sure, name = '', value = ''] = /^(!{0,2})(<?)(.*?[^=#@~])(={1,2}|=[#@~])?$/.exec(word) ?? []
    const flag: Flag = { value: value as Flag['value'], isSure: sure === '<' }
    row.inside.set(name, row.flags.get(name) ?? flag)
    if (!passed.includes(word)) row.flags.set(name, flag)
    if (must !== '') row.must.push({ name, isFirst: must === '!!' })
  }
  return row
}

const ALWAYS =
  '--verbose --quiet --silent --version --help --color --no-color --ci --coverage --bail --color=always --color=never'.split(
    ' ',
  )

/** What scripts hand on to the tests, linters and builds they run. */
const PASSED = (
  '-t= -g= -k= -v -q -x -s -i -n= -m= --grep= --filter= --testPathPattern= --testPathPatterns= --testNamePattern= ' +
  '--run --runInBand --watch=false --watchAll=false --no-watch --passWithNoTests --maxWorkers= --reporter= --project= ' +
  '--browsers= --nocapture --test-threads= --noEmit --max-warnings= --testTimeout= --forceExit --detectOpenHandles ' +
  '--tb= --maxfail= --cov== --no-coverage --mode= --headless --list --workers= --check --all --strict --unit --fast'
).split(' ')

const KNOWN_PROGRAMS = `
#shell
test|[|ls|cat|head|wc|cut|tr|diff|cmp|comm|true|false|exit|pwd|which|basename|dirname|stat|sha256sum|md5sum : *
echo|printf ~~ : *
grep|egrep|fgrep|jq ~ : *
rg ~ : -n -q -l -i -c -v -w -F -o -U -S -s -H -h -N -e= -g= -t= -T= -A= -B= -C= -m= --glob= --type= --files --count --hidden
tail : -n= -c= -q
sort : -u -n -r -f -h -V -k= -t=
uniq . : -c -d -u -i
find : -name= -iname= -path= -type= -maxdepth= -mindepth= -size= -newer= -mtime= -empty -not -o -a -print -prune
sed %lines : !-n
awk %awk : -F=
command : !!-v
set . : -e -u -x
.|source %activate :
git diff|status|log|show|ls-files|rev-parse|grep : --no-pager --check --exit-code --stat --name-only --name-status --cached --staged --porcelain --short --oneline -q -n= -l -i -E -F -c -s --diff-filter==

#any
env … :
timeout % … : <-k= <-s=
npx|bunx …node : -y --yes --no-install --no --offline --bun
npm exec …node : -y --yes --no --offline <--prefix= <-w= <--workspace=
pnpm exec …node : <-C= <--dir= <-F= <--filter= -r
pnpm …node : <-C= <--dir= <-F= <--filter= -r
yarn run|exec …node : <--cwd=
yarn …node : <--cwd=
bun x|run …node :
uv run … : --frozen --locked --no-sync --offline --isolated --dev --all-extras --all-groups <--extra= <--group= <--package= <--project= <--directory= <--python= <-p=
uvx …python :
xvfb-run … : -a --auto-servernum
poetry|pipenv|pdm|rye|hatch run … : --directory== --project==
bundle exec … :
bash|sh|zsh|dash : !!-n
ruby : !!-c
php : !!-l
python|ruby|php|bash|sh|zsh ^ :

#node
cross-env …node :
c8|nyc …node : <--reporter= --check-coverage --all <--lines= <--branches= <--functions=
npm test|t|tst : <--prefix= <-C= <-w= <--workspace= --workspaces -ws --if-present -s PASSED
npm run|run-script @ : <--prefix= <-C= <-w= <--workspace= --workspaces -ws --if-present -s
pnpm @ : -r --recursive <-F= <--filter= <-C= <--dir= -w --workspace-root --if-present -s --parallel --stream
pnpm run @ : -r --recursive <-F= <--filter= <-C= <--dir= -w --workspace-root --if-present -s --parallel --stream
yarn @ : <--cwd= -s
yarn run @ : <--cwd= -s
yarn workspace _ @ :
yarn workspace _ run @ :
bun run @ : <--filter= <-F= --cwd== --bun
bun test & : -t= --timeout= --coverage --bail --only --test-name-pattern= PASSED
turbo @+ : <-F= <--filter= --force --no-cache --continue --cwd== --output-logs== --concurrency==
turbo run @+ : <-F= <--filter= --force --no-cache --continue --cwd== --output-logs== --concurrency==
nx @ : --skip-nx-cache
nx run @ : --skip-nx-cache
nx run-many|affected . : !<--target=@ --all --parallel== --projects== --base== --head== --skip-nx-cache
nx run-many|affected @+ : !-t --all --parallel== --base== --head== --skip-nx-cache

node & : !!--test --test-reporter= --test-name-pattern= --test-only --test-concurrency= --experimental-strip-types --no-warnings
node : !!--check
node : !!-c
node|tsx|ts-node|bun ^ :
deno check|lint : -A -c= --config= --all
deno test & : -A --allow-all --allow-read== --allow-env== --all --no-check --filter= --parallel -c= --config=
deno fmt : !--check
deno task @ :
tsc|vue-tsc|tsgo|svelte-check|tsd : --noEmit -p= --project= -b --build --pretty --strict --skipLibCheck --incremental --listFiles --jsx= --target= --module= --moduleResolution= --esModuleInterop --lib= --types= --allowJs --checkJs --declaration --emitDeclarationOnly --tsconfig= --threshold= --fail-on-warnings
eslint|oxlint|stylelint|xo|standard|tslint|jshint : --max-warnings= --ext= -c= --config= --cache --no-cache --no-error-on-unmatched-pattern --report-unused-disable-directives --format= -f= --no-eslintrc --no-warn-ignored --deny-warnings -p= --project= --allow-empty-input
prettier : -c --check -l --list-different --ignore-path= --config= --log-level= --loglevel= --ignore-unknown -u --no-error-on-unmatched-pattern
biome check|lint|format|ci : --max-diagnostics= --diagnostic-level= --reporter= --error-on-warnings --no-errors-on-unmatched --changed --since= --config-path= --colors=
jest : -t= --testNamePattern= --testPathPattern= --testPathPatterns= -i --runInBand --maxWorkers= -c= --config= --passWithNoTests --forceExit --detectOpenHandles --no-coverage --no-cache --testTimeout= --selectProjects= --findRelatedTests --listTests --collectCoverageFrom= --coverageReporters= --no-watchman --bail== --rootDir= --projects= --runTestsByPath --watch=false --watchAll=false
vitest run|list|related : -t= --testNamePattern= -c= --config= --reporter= --project= --dir= --root= --passWithNoTests --no-coverage --coverage.enabled --bail= --pool= --environment= --globals --run --testTimeout= --typecheck --no-file-parallelism --retry= --changed
vitest : !--run -t= --testNamePattern= -c= --config= --reporter= --project= --dir= --root= --passWithNoTests --no-coverage --bail=
mocha|ava|tap|uvu|qunit & : -g= --grep= --recursive --timeout= -t= --exit --reporter= -R= --forbid-only --match= -m= --serial
playwright test : --project= --reporter= -g= --grep= --grep-invert= --workers= -j= --list --retries= --timeout= -x --max-failures= --pass-with-no-tests -c= --config= --forbid-only --last-failed --repeat-each=
cypress run|verify : --spec= -s= --headless --browser= -b= --component --e2e --config-file= -q
karma start : !--single-run --browsers= --no-auto-watch
ng build|lint : --configuration= -c= --project=
ng test : !--watch=false --browsers= --configuration= --no-progress --code-coverage --project=
react-scripts test : !--watchAll=false
react-scripts|vite|next|nuxt|astro|remix|parcel|vue-cli-service|gatsby build : --mode= --no-lint --turbopack --config= -c=
next|vue-cli-service lint : --dir= -d= --max-warnings= --no-fix --strict
astro|svelte-kit check|sync : --minimumFailingSeverity=
webpack|rollup|tsup|unbuild . : --mode= --config= -c --dts --no-watch
prisma validate : --schema=
cspell|markdownlint|markdownlint-cli2|yamllint|shellcheck|hadolint|actionlint|codespell|tflint|swiftlint : -c= --config= --ignore= -s --strict -x -S= --severity= -e= --exclude= --no-progress -d=

#python
coverage run …python : -m --branch --source== --omit== --include==
coverage report|xml|html|combine : -m --show-missing --fail-under= --skip-covered --include= --omit=
pytest|py.test & : -v -q -x -s -l -k= -m= -n= -r== -W= --tb= --cov== --cov-report= --cov-fail-under= --cov-branch --cov-config= --no-cov --maxfail= --lf --ff --nf --last-failed --failed-first --sw --stepwise --collect-only --co --durations= --timeout= --strict-markers --strict-config --asyncio-mode= --ignore= --ignore-glob= --deselect= --no-header --no-summary --disable-warnings --import-mode= --showlocals --reruns= --dist= --doctest-modules --exitfirst --runslow --randomly-seed= --headless
unittest|nose2 & : -v -s= -p= -t= -f -b -k= --failfast --buffer
py_compile|compileall|pyflakes|pycodestyle|pydocstyle|vulture|interrogate : -q -f --max-line-length= --min-confidence= --fail-under=
mypy : --strict --ignore-missing-imports --config-file= --explicit-package-bases --namespace-packages -p= -m= --no-incremental --show-error-codes --python-version= --follow-imports= --no-error-summary --pretty --check-untyped-defs --disallow-untyped-defs --no-strict-optional
pyright|basedpyright : -p= --project= --warnings --outputjson --level= --pythonversion=
ruff check : --select= --ignore= --output-format= --no-cache --config= --line-length= --statistics --diff --exclude= --extend-select= --target-version= --no-fix -q -n
ruff format : !--check --diff --config= --line-length= --exclude=
ruff format : !--diff --config= --exclude=
flake8|pylint : --max-line-length= --select= --ignore= --extend-ignore= --exclude= --count --statistics --max-complexity= --config= --disable= --enable= --rcfile= --errors-only -E --fail-under= --score= -j= --show-source --recursive=
black|isort : !--check -l= --line-length= --diff --target-version= --profile= --exclude=
isort : !--check-only --diff --profile=
tox . : <-e=~ -q -r --recreate
nox . : <-s=~ <-e=~ <-k=~ -r
poe|invoke|inv|hatch @+ : -q
hatch|pdm|rye|pipenv|poetry run @ : -q
poetry check : --lock --strict
django-admin|manage.py test|check : --keepdb --parallel= --failfast --settings=~ -v= --verbosity= --tag= -k= --noinput --deploy
manage.py makemigrations : !--check --dry-run

#any
go test|vet|build : -v -race -count= -run= -short -cover -covermode= -coverprofile= -coverpkg= -timeout= -tags= -bench= -benchmem -p= -failfast -json -mod= -trimpath -parallel= -shuffle= -cpu= -skip=
gofmt : -l -d -s -e
golangci-lint run : --timeout= --out-format= --config= -c= --enable= --disable= --build-tags= --new-from-rev= --fast --max-issues-per-linter= --max-same-issues=
staticcheck|revive|errcheck|gosec : -checks= -config= -quiet -set_exit_status
cargo test|t|check|c|build|b|clippy|doc : --all --workspace --all-targets --all-features --no-default-features --features= -F= -p= --package= --release -r --lib --bins --bin= --tests --test= --examples --example= --doc --benches --no-run --no-fail-fast --locked --offline --frozen --manifest-path= -j= --jobs= --profile= --target= --exclude= --no-deps -q -v -D= -W= -A= --nocapture --show-output --test-threads= --exact --ignored --include-ignored --skip= --message-format= --document-private-items --keep-going
cargo nextest run : --all --workspace --all-features --all-targets --no-fail-fast -p= --package= -E= --profile= --features= --release --locked --manifest-path= --lib --test-threads= --status-level=
cargo fmt : !--check --all -p= --manifest-path=
rustfmt : !--check --edition=
mvn @java : -q -B -o -e -U <-T= <-pl= <--projects= -am -amd <-f= <--file= -ntp --batch-mode --no-transfer-progress -fae -ff --fail-at-end --also-make -DskipTests== -DskipITs -Dtest== -Dit.test== -Dmaven.test.skip== -Dsurefire.failIfNoSpecifiedTests== -DfailIfNoTests== -Dcheckstyle.skip== -Dspotless.check.skip==
gradle @java : --no-daemon --info --stacktrace <--tests= -q --continue --parallel --rerun-tasks --console== --warning-mode== --offline <-x= <-p= --build-cache --no-build-cache --configuration-cache --no-configuration-cache -i
sbt|ant|lein|mill @+ : -batch --batch
ktlint|detekt : --relative --input= --config= --reporter==
rails @ :
rake @+ : -q --trace
rspec & : -f= --format= -e= --example= -t= --tag= --fail-fast --order= --seed= --dry-run --backtrace
rubocop|standardrb|reek : --parallel --format= -f= --only= --except= --fail-level= --display-cop-names --no-server --force-exclusion
artisan test : --filter= --testsuite= --parallel --stop-on-failure --compact --group=
phpunit|pest|paratest|simple-phpunit & : --filter= --testsuite= --group= --exclude-group= --no-coverage --stop-on-failure --testdox --colors== --coverage-text -c= --configuration= --parallel --compact -p= --processes=
phpstan analyse|analyze : --level= -l= -c= --configuration= --memory-limit= --no-progress --error-format= --no-interaction
psalm|phpcs|phpmd|parallel-lint : --no-cache --threads= --show-info== --standard= -s -n -p --no-progress --colors --exclude=
php-cs-fixer fix : !--dry-run --diff --config= --show-progress=
pint : !--test
composer @ : --strict --no-check-publish --no-interaction -n
composer run|run-script @ :
dotnet test|build : --no-build --no-restore -c= --configuration= --filter= --logger= -l= -v= --verbosity= --collect= --settings= -s= -f= --framework= --nologo -warnaserror --results-directory= --blame -tl:off
dotnet format : !--verify-no-changes --no-restore -v= --verbosity= --severity= --include=
mix test|compile|credo|dialyzer : --warnings-as-errors --force --strict --cover --trace --only= --exclude= --seed= --max-failures= --stale --all-warnings --failed --slowest=
mix format : !--check-formatted
swift test|build : --filter= --parallel -c= --configuration= --package-path= --enable-code-coverage --skip= --build-tests
swiftlint|swift-format lint : --strict -s -r --recursive --config= --configuration=
xcodebuild @+ : <-scheme= <-project= <-workspace= <-destination= <-sdk= <-configuration= <-only-testing= <-skip-testing= <-derivedDataPath= -quiet <-enableCodeCoverage=
flutter|dart test|analyze : --no-pub --coverage --reporter= -r= --no-fatal-infos --no-fatal-warnings --fatal-infos --fatal-warnings --name= --plain-name= -n= -N= --concurrency= -j= --tags= -t= --exclude-tags= -x= --timeout=
flutter build : --debug --release --no-pub --no-codesign --profile --simulator
dart format : !--output=none --set-exit-if-changed
cmake . : !<--build= -j=# --parallel=# <--target=@ <-t=@ <--config= --clean-first
cmake : -S= -B= -G= --preset= -DCMAKE_BUILD_TYPE== -DBUILD_TESTING== -DBUILD_TESTS== -DCMAKE_EXPORT_COMPILE_COMMANDS==
ctest : --test-dir= --output-on-failure -j=# --parallel=# -R= -E= -L= -V -C= --preset= --timeout= --no-tests=error
ninja @+ : <-C= -j=#
ninja . : <-C= -j=#
make|gmake @+ : <-C= <--directory= <-f= <--file= <--makefile= -j=# --jobs=# -s -k -B --no-print-directory --always-make --keep-going
just @+ : <-f= <--justfile= <-d= <--working-directory=
task @+ : <-d= <--dir= <-t= <--taskfile=
mage @+ :
bazel|bazelisk|buck2 test|build : --test_output== --keep_going -k --verbose_failures --nocache_test_results --test_filter== --config== --test_tag_filters== --build_tag_filters== --jobs==
terraform validate : -json -no-color -chdir==
terraform fmt : !-check -recursive -diff -chdir==
helm lint : --strict -f= --values=
`
