// Inspects the files of a repository for `espalier init`: the language, the test command, and the setup of a new
// worktree. Runs nothing.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findRunnerAt } from '../../engine/suite/open-suite.ts'
import { namesIn, textIn } from '../../files/if-there.ts'
import { findProgram } from '../../process/program.ts'

export type FoundProject = {
  name: string
  /** Null if unknown. */
  language: string | null
  test: string | null
  /** Test command that lacks a program on the PATH. */
  missing: { test: string; program: string } | null
  setup: string[]
  /** Folders filled by setup and tests, kept between tasks. */
  keep: string[]
  testPaths: string[]
  readme: string | null
}

export function inspectProject(top: string, env: NodeJS.ProcessEnv): FoundProject {
  const names = namesIn(top)
  const kind = KINDS.find(({ marks }) => marks.some((mark) => names.some((name) => matches(name, mark))))
  const all = [kind && (toolsOfRunner(top, kind) ?? kind.tools?.(names)), makeTools(top, names)].filter((one) => one)
  const here = all.find((one) => one && (findProgram(programOf(one), env) !== null || isInRepository(one, top)))
  const [first] = all
  const isTyped = kind?.language === 'JavaScript' && names.includes('tsconfig.json')
  return {
    name: basename(top),
    language: isTyped ? 'TypeScript' : (kind?.language ?? null),
    test: here?.test ?? null,
    missing: !here && first ? { test: first.test, program: programOf(first) } : null,
    setup: here?.setup ?? [],
    keep: here?.keep ?? [],
    testPaths: testPaths(names, kind?.testFiles ?? []),
    readme: names.find((name) => /^readme(\.(md|rst|txt))?$/i.test(name)) ?? null,
  }
}

type Tools = { test: string; setup?: string[]; keep?: string[] }

type Kind = {
  marks: string[]
  language: string
  testFiles?: string[]
  keep?: string[]
  /** Tools of languages that findRunnerAt does not cover. `names`: file names at the top. */
  tools?: (names: readonly string[]) => Tools | null
}

const JAVA = { language: 'Java', testFiles: ['src/test/**'] }

/** The first kind with an existing file wins: most specific first. */
const KINDS: Kind[] = [
  {
    ...{ marks: ['deno.json', 'deno.jsonc'], language: 'Deno', tools: () => ({ test: 'deno test' }) },
    testFiles: ['**/*_test.*', '**/*.test.*'],
  },
  {
    ...{ marks: ['package.json'], language: 'JavaScript', keep: ['node_modules'] },
    testFiles: ['**/*.test.*', '**/*.spec.*'],
  },
  {
    ...{ marks: ['Cargo.toml'], language: 'Rust', keep: ['target'] },
    testFiles: ['tests/**', 'src/**'], // unit tests stand in the files they test
  },
  { marks: ['go.mod'], language: 'Go', testFiles: ['**/*_test.go'] },
  {
    marks: ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'requirements.txt'],
    ...{ language: 'Python', keep: ['.venv'], testFiles: ['**/test_*.py', '**/*_test.py'] },
  },
  { marks: ['mix.exs'], language: 'Elixir', tools: () => ({ test: 'mix test', keep: ['deps', '_build'] }) },
  { marks: ['Gemfile'], language: 'Ruby', tools: ruby },
  {
    ...{ marks: ['composer.json'], language: 'PHP' },
    tools: (names) => (names.includes('phpunit.xml') || names.includes('phpunit.xml.dist') ? PHPUNIT : null),
  },
  {
    ...{ marks: ['pom.xml'], ...JAVA },
    tools: (names) => ({ test: names.includes('mvnw') ? './mvnw -q test' : 'mvn -q test', keep: ['target'] }),
  },
  {
    ...{ marks: ['build.gradle', 'build.gradle.kts'], ...JAVA },
    tools: (names) => ({ test: names.includes('gradlew') ? './gradlew test' : 'gradle test', keep: ['build'] }),
  },
  { marks: ['*.sln', '*.slnx', '*.csproj'], language: '.NET', tools: () => ({ test: 'dotnet test' }) },
  { marks: ['Package.swift'], language: 'Swift', tools: () => ({ test: 'swift test', keep: ['.build'] }) },
]

const PHPUNIT: Tools = { test: 'vendor/bin/phpunit', setup: ['composer install'], keep: ['vendor'] }

/** The runner that `espalier suite init` finds; null if it is only a guess. */
function toolsOfRunner(top: string, { keep = [] }: Kind): Tools | null {
  const runner = findRunnerAt(top)
  if (!runner || runner.isGuess) return null
  return runner.setup === null ? { test: runner.test } : { test: runner.test, setup: [runner.setup], keep }
}

function ruby(names: readonly string[]): Tools | null {
  const test = names.includes('spec')
    ? 'bundle exec rspec'
    : names.includes('Rakefile')
      ? 'bundle exec rake test'
      : null
  return test === null ? null : { test, setup: ['bundle install'] }
}

/** A Makefile with a target `test`. */
function makeTools(top: string, names: readonly string[]): Tools | null {
  const file = ['Makefile', 'makefile', 'GNUmakefile'].find((name) => names.includes(name))
  return file !== undefined && /^test\s*:(?!=)/m.test(textIn(join(top, file))) ? { test: 'make test' } : null
}

/**
 * Test folders at the top, else the test file patterns of the language. Not both: a pattern such as `**\/*.test.*` overlaps
 * with the claims of every other task.
 */
function testPaths(names: readonly string[], testFiles: string[]): string[] {
  const folders = ['test', 'tests', 'spec', '__tests__'].filter((name) => names.includes(name))
  if (folders.length > 0) return folders.map((name) => `${name}/**`)
  return testFiles.length > 0 ? testFiles : ['test/**', 'tests/**']
}

function programOf({ test }: Tools): string {
  return test.split(' ', 1)[0] ?? test
}

/** Whether the program is a file of the repository, such as `./gradlew`. */
function isInRepository(tools: Tools, top: string): boolean {
  const program = programOf(tools)
  return program.includes('/') && existsSync(join(top, program))
}

function matches(file: string, mark: string): boolean {
  return mark.startsWith('*') ? file.endsWith(mark.slice(1)) : file === mark
}
