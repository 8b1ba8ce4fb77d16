// What `espalier init` finds out about a repository by looking at its files: the language, how it is tested, and what a new
// worktree needs first. Nothing is run.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findProgram } from '../../process/program.ts'

export type FoundProject = {
  name: string
  /** Null where none is known or found. */
  language: string | null
  test: string | null
  /** What would test it, if this program were on the PATH. */
  missing: { test: string; program: string } | null
  setup: string[]
  /** Folders that setup and tests fill, kept between tasks. */
  keep: string[]
  testPaths: string[]
  readme: string | null
}

export function lookAtProject(top: string, env: NodeJS.ProcessEnv): FoundProject {
  const files = new Set(namesIn(top))
  const looked: Look = { top, files, text: (name) => textOf(join(top, name)) }
  const found = KINDS.find(({ marks }) => marks.some((mark) => [...files].some((file) => matches(file, mark))))
  const { language = null, tools, testFiles = [] } = found ? { ...found, ...found.look?.(looked) } : {}
  const all = [tools ?? null, makeTools(looked)].filter((one) => one !== null)
  const here = all.find(({ test }) => findProgram(programOf(test), env) !== null || isOfTheRepository(test, looked))
  const [first] = all
  return {
    name: basename(top),
    language,
    test: here?.test ?? null,
    missing: !here && first ? { test: first.test, program: programOf(first.test) } : null,
    setup: here?.setup ?? [],
    keep: here?.keep ?? [],
    testPaths: testPaths(looked, testFiles),
    readme: [...files].find((file) => /^readme(\.(md|rst|txt))?$/i.test(file)) ?? null,
  }
}

type Look = { top: string; files: ReadonlySet<string>; text: (name: string) => string }

type Tools = { test: string; setup?: string[]; keep?: string[] }

/** `tools`: null where the files do not say how it is tested. */
type Found = { language: string; tools?: Tools | null; testFiles?: string[] }

/** `look`: what follows from the files, besides the rest. */
type Kind = Found & { marks: string[]; look?: (look: Look) => Partial<Found> }

const JAVA = { language: 'Java', testFiles: ['src/test/**'] }

/** The first whose file is there counts: most specific first. */
const KINDS: Kind[] = [
  {
    ...{ marks: ['deno.json', 'deno.jsonc'], language: 'Deno', tools: { test: 'deno test' } },
    testFiles: ['**/*_test.*', '**/*.test.*'],
  },
  { marks: ['package.json'], language: 'JavaScript', testFiles: ['**/*.test.*', '**/*.spec.*'], look: node },
  {
    ...{ marks: ['Cargo.toml'], language: 'Rust', tools: { test: 'cargo test', keep: ['target'] } },
    testFiles: ['tests/**', 'src/**'], // unit tests stand in the files they test
  },
  { marks: ['go.mod'], language: 'Go', tools: { test: 'go test ./...' }, testFiles: ['**/*_test.go'] },
  {
    marks: ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'requirements.txt'],
    ...{ language: 'Python', testFiles: ['**/test_*.py', '**/*_test.py'], look: python },
  },
  { marks: ['mix.exs'], language: 'Elixir', tools: { test: 'mix test', keep: ['deps', '_build'] } },
  { marks: ['Gemfile'], language: 'Ruby', look: ruby },
  {
    ...{ marks: ['composer.json'], language: 'PHP' },
    look: ({ files }) => ({ tools: files.has('phpunit.xml') || files.has('phpunit.xml.dist') ? PHPUNIT : null }),
  },
  {
    ...{ marks: ['pom.xml'], ...JAVA },
    look: ({ files }) => ({ tools: { test: files.has('mvnw') ? './mvnw -q test' : 'mvn -q test', keep: ['target'] } }),
  },
  {
    ...{ marks: ['build.gradle', 'build.gradle.kts'], ...JAVA },
    look: ({ files }) => ({
      tools: { test: files.has('gradlew') ? './gradlew test' : 'gradle test', keep: ['build'] },
    }),
  },
  { marks: ['*.sln', '*.slnx', '*.csproj'], language: '.NET', tools: { test: 'dotnet test' } },
  { marks: ['Package.swift'], language: 'Swift', tools: { test: 'swift test', keep: ['.build'] } },
]

const PHPUNIT: Tools = { test: 'vendor/bin/phpunit', setup: ['composer install'], keep: ['vendor'] }

const LOCK_FILES = [
  { file: 'pnpm-lock.yaml', manager: 'pnpm', setup: 'pnpm install --frozen-lockfile' },
  { file: 'yarn.lock', manager: 'yarn', setup: 'yarn install' },
  { file: 'bun.lock', manager: 'bun', setup: 'bun install' },
  { file: 'bun.lockb', manager: 'bun', setup: 'bun install' },
  { file: 'package-lock.json', manager: 'npm', setup: 'npm ci' },
]

function node({ files, text }: Look): Partial<Found> {
  const about = parsed(text('package.json'))
  const lock = LOCK_FILES.find(({ file }) => files.has(file))
  const manager = lock?.manager ?? 'npm'
  const script = record(about.scripts).test
  const hasTest = typeof script === 'string' && script.trim() !== '' && !script.includes('no test specified')
  const needs = Object.keys({ ...record(about.dependencies), ...record(about.devDependencies) }).length > 0
  const installs = needs ? { setup: [lock?.setup ?? 'npm install'], keep: ['node_modules'] } : {}
  return {
    ...(files.has('tsconfig.json') ? { language: 'TypeScript' } : {}),
    tools: hasTest ? { test: manager === 'bun' ? 'bun run test' : `${manager} test`, ...installs } : null,
  }
}

function python({ files, text }: Look): Partial<Found> {
  const named = ['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt']
  const usesPytest =
    files.has('conftest.py') || files.has('pytest.ini') || named.some((name) => text(name).includes('pytest'))
  const test = usesPytest ? 'pytest' : 'python3 -m unittest'
  if (files.has('uv.lock')) return { tools: { test: `uv run ${test}`, setup: ['uv sync'], keep: ['.venv'] } }
  if (files.has('poetry.lock')) return { tools: { test: `poetry run ${test}`, setup: ['poetry install'] } }
  return { tools: usesPytest || files.has('tests') || files.has('test') ? { test } : null }
}

function ruby({ files }: Look): Partial<Found> {
  const test = files.has('spec') ? 'bundle exec rspec' : files.has('Rakefile') ? 'bundle exec rake test' : null
  return { tools: test === null ? null : { test, setup: ['bundle install'] } }
}

/** A Makefile with a target `test`. */
function makeTools({ files, text }: Look): Tools | null {
  const file = ['Makefile', 'makefile', 'GNUmakefile'].find((name) => files.has(name))
  return file !== undefined && /^test\s*:(?!=)/m.test(text(file)) ? { test: 'make test' } : null
}

/**
 * Folders of tests at the top, else what the language calls its test files. Not both: a pattern such as `**\/*.test.*` overlaps
 * with the claims of every other task.
 */
function testPaths({ files }: Look, testFiles: string[]): string[] {
  const folders = ['test', 'tests', 'spec', '__tests__'].filter((name) => files.has(name))
  if (folders.length > 0) return folders.map((name) => `${name}/**`)
  return testFiles.length > 0 ? testFiles : ['test/**', 'tests/**']
}

function programOf(command: string): string {
  return command.split(' ', 1)[0] ?? command
}

/** `./gradlew` is in every worktree; `vendor/bin/phpunit` after setup. */
function isOfTheRepository(test: string, { top }: Look): boolean {
  const program = programOf(test)
  return program.includes('/') && existsSync(join(top, program))
}

function matches(file: string, mark: string): boolean {
  return mark.startsWith('*') ? file.endsWith(mark.slice(1)) : file === mark
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(0, MAX_CHARS)
  } catch {
    return ''
  }
}

const MAX_CHARS = 200_000

function parsed(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text))
  } catch {
    return {}
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
