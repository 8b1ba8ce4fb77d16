// What `espalier init` finds out about a repository by looking at its files: the language, how it is tested, and what a new
// worktree needs first. Nothing is run.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findProgram } from '../../process/program.ts'

export type FoundProject = {
  name: string
  /** Null: none that we know. */
  language: string | null
  /** Null: none was found. */
  test: string | null
  /** What would test it, if this program were on the PATH. */
  missing: { test: string; program: string } | null
  setup: string[]
  /** Folders that setup and tests fill, kept between tasks. */
  keep: string[]
  /** Globs of the files that tests are in. */
  testPaths: string[]
  readme: string | null
}

export function lookAtProject(top: string, env: NodeJS.ProcessEnv): FoundProject {
  const files = new Set(namesIn(top))
  const looked: Look = { top, files, text: (name) => textOf(join(top, name)) }
  const kind = KINDS.find(({ marks }) => marks.some((mark) => [...files].some((file) => matches(file, mark))))
  const found = kind?.look(looked) ?? null
  const tools = [found?.tools ?? null, makeTools(looked)].filter((one) => one !== null)
  const here = tools.find(({ test }) => findProgram(programOf(test), env) !== null || isOfTheRepository(test, looked))
  const [first] = tools
  return {
    name: basename(top),
    language: found?.language ?? null,
    test: here?.test ?? null,
    missing: !here && first ? { test: first.test, program: programOf(first.test) } : null,
    setup: here?.setup ?? [],
    keep: here?.keep ?? [],
    testPaths: testPaths(looked, found?.testFiles ?? []),
    readme: [...files].find((file) => /^readme(\.(md|rst|txt))?$/i.test(file)) ?? null,
  }
}

type Look = { top: string; files: ReadonlySet<string>; text: (name: string) => string }

type Tools = { test: string; setup?: string[]; keep?: string[] }

type Found = { language: string; tools: Tools | null; testFiles?: string[] }

type Kind = { marks: string[]; look: (look: Look) => Found }

/** The first whose file is there counts: most specific first. */
const KINDS: Kind[] = [
  { marks: ['deno.json', 'deno.jsonc'], look: deno },
  { marks: ['package.json'], look: node },
  { marks: ['Cargo.toml'], look: rust },
  {
    marks: ['go.mod'],
    look: () => ({ language: 'Go', tools: { test: 'go test ./...' }, testFiles: ['**/*_test.go'] }),
  },
  { marks: ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'requirements.txt'], look: python },
  { marks: ['mix.exs'], look: () => ({ language: 'Elixir', tools: { test: 'mix test', keep: ['deps', '_build'] } }) },
  { marks: ['Gemfile'], look: ruby },
  {
    marks: ['composer.json'],
    look: ({ files }) => ({
      language: 'PHP',
      tools: files.has('phpunit.xml') || files.has('phpunit.xml.dist') ? PHPUNIT : null,
    }),
  },
  { marks: ['pom.xml'], look: ({ files }) => java(files.has('mvnw') ? './mvnw -q test' : 'mvn -q test', 'target') },
  {
    marks: ['build.gradle', 'build.gradle.kts'],
    look: ({ files }) => java(files.has('gradlew') ? './gradlew test' : 'gradle test', 'build'),
  },
  { marks: ['*.sln', '*.slnx', '*.csproj'], look: () => ({ language: '.NET', tools: { test: 'dotnet test' } }) },
  { marks: ['Package.swift'], look: () => ({ language: 'Swift', tools: { test: 'swift test', keep: ['.build'] } }) },
]

const PHPUNIT: Tools = { test: 'vendor/bin/phpunit', setup: ['composer install'], keep: ['vendor'] }

function java(test: string, folder: string): Found {
  return { language: 'Java', tools: { test, keep: [folder] }, testFiles: ['src/test/**'] }
}

function deno(): Found {
  return { language: 'Deno', tools: { test: 'deno test' }, testFiles: ['**/*_test.*', '**/*.test.*'] }
}

/** Unit tests stand in the files they test. */
function rust(): Found {
  const tools = { test: 'cargo test', keep: ['target'] }
  return { language: 'Rust', tools, testFiles: ['tests/**', 'src/**'] }
}

const LOCK_FILES = [
  { file: 'pnpm-lock.yaml', manager: 'pnpm', setup: 'pnpm install --frozen-lockfile' },
  { file: 'yarn.lock', manager: 'yarn', setup: 'yarn install' },
  { file: 'bun.lock', manager: 'bun', setup: 'bun install' },
  { file: 'bun.lockb', manager: 'bun', setup: 'bun install' },
  { file: 'package-lock.json', manager: 'npm', setup: 'npm ci' },
]

function node({ files, text }: Look): Found {
  const about = parsed(text('package.json'))
  const lock = LOCK_FILES.find(({ file }) => files.has(file))
  const manager = lock?.manager ?? 'npm'
  const script = record(about.scripts).test
  const hasTest = typeof script === 'string' && script.trim() !== '' && !script.includes('no test specified')
  const needs = Object.keys({ ...record(about.dependencies), ...record(about.devDependencies) }).length > 0
  const installs = needs ? { setup: [lock?.setup ?? 'npm install'], keep: ['node_modules'] } : {}
  const isTyped = files.has('tsconfig.json')
  return {
    language: isTyped ? 'TypeScript' : 'JavaScript',
    tools: hasTest ? { test: manager === 'bun' ? 'bun run test' : `${manager} test`, ...installs } : null,
    testFiles: ['**/*.test.*', '**/*.spec.*'],
  }
}

function python({ files, text }: Look): Found {
  const project = text('pyproject.toml')
  const told = ['pytest.ini', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt'].map(text).join('\n')
  const usesPytest = files.has('conftest.py') || files.has('pytest.ini') || `${project}\n${told}`.includes('pytest')
  const test = usesPytest ? 'pytest' : 'python3 -m unittest'
  const testFiles = ['**/test_*.py', '**/*_test.py']
  const keep = ['.venv']
  if (files.has('uv.lock'))
    return { language: 'Python', tools: { test: `uv run ${test}`, setup: ['uv sync'], keep }, testFiles }
  if (files.has('poetry.lock'))
    return { language: 'Python', tools: { test: `poetry run ${test}`, setup: ['poetry install'] }, testFiles }
  const hasTests = usesPytest || files.has('tests') || files.has('test')
  return { language: 'Python', tools: hasTests ? { test } : null, testFiles }
}

function ruby({ files }: Look): Found {
  const test = files.has('spec') ? 'bundle exec rspec' : files.has('Rakefile') ? 'bundle exec rake test' : null
  return { language: 'Ruby', tools: test === null ? null : { test, setup: ['bundle install'] } }
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
