// Test runners of a project, found by the files at its top: the command for all tests and, where possible, for some of its
// files. Pure.
import { parsedJson } from '../../text/json.ts'
import { isMapping } from '../document/schema-check.ts'

export type Runner = {
  name: string
  /** Runs everything. */
  test: string
  /** No file says that there are tests. */
  isGuess?: true
  /** Runs some files, `{files}`, or their folders, `{dirs}`; null: it cannot be split. */
  template: string | null
  /** Patterns of test files. */
  globs: string[]
  /** Setup of a fresh worktree. */
  setup: string | null
}

/** `names`: of the files at the top. `text`: of one of them, null where it is not there. */
type ProjectFiles = { names: readonly string[]; text(name: string): string | null }

const JUNIT = '"$ESPALIER_LOG_DIR/junit.xml"'

export function findRunner(project: ProjectFiles): Runner | null {
  return nodeRunner(project) ?? pythonRunner(project) ?? goRunner(project) ?? rustRunner(project)
}

function nodeRunner({ names, text }: ProjectFiles): Runner | null {
  const file = parsedJson(text('package.json') ?? '')
  if (!isMapping(file)) return null
  const written = isMapping(file.scripts) && typeof file.scripts.test === 'string' ? file.scripts.test.trim() : ''
  const script = written.includes('no test specified') ? '' : written
  const needs = { ...asMapping(file.dependencies), ...asMapping(file.devDependencies) }
  const has = (name: string) => name in needs || new RegExp(`(^|[\\s&|;/])${name}(\\s|$)`).test(script)
  const [, manager = 'npm', install = null] = LOCK_FILES.find(([lock]) => names.includes(lock)) ?? []
  const setup = install ?? (Object.keys(needs).length > 0 ? 'npm install' : null)
  const test = script === '' ? 'node --test' : manager === 'bun' ? 'bun run test' : `${manager} test`
  const globs = ['**/*.{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts}', '**/__tests__/**/*.{js,jsx,ts,tsx}']
  if (has('vitest')) {
    const template = `npx vitest run --reporter=default --reporter=junit --outputFile.junit=${JUNIT} {files}`
    return { name: 'vitest', test, template, globs, setup }
  }
  if (has('jest')) {
    const reporters = has('jest-junit') ? ' --reporters=default --reporters=jest-junit' : ''
    const variables = has('jest-junit') ? `JEST_JUNIT_OUTPUT_FILE=${JUNIT} JEST_JUNIT_ADD_FILE_ATTRIBUTE=true ` : ''
    return { name: 'jest', test, template: `${variables}npx jest${reporters} --runTestsByPath {files}`, globs, setup }
  }
  if (script !== '' && !/\bnode\b.*--test\b/.test(script))
    return { name: 'npm', test, template: null, globs: [], setup }
  const destination = `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${JUNIT}`
  const own = [
    '**/*.test.{js,mjs,cjs,ts,mts}',
    '**/*-test.{js,mjs,cjs,ts,mts}',
    '**/test/**/*.test.{js,mjs,cjs,ts,mts}',
  ]
  const node = { name: 'node', test, template: `node --test ${destination} {files}`, globs: own, setup }
  return script === '' ? { ...node, isGuess: true } : node
}

const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', 'yarn', 'yarn install --immutable'],
  ['bun.lock', 'bun', 'bun install --frozen-lockfile'],
  ['bun.lockb', 'bun', 'bun install --frozen-lockfile'],
  ['package-lock.json', 'npm', 'npm ci'],
] as const

function pythonRunner({ names, text }: ProjectFiles): Runner | null {
  const signs = ['pytest.ini', 'tox.ini', 'setup.cfg', 'pyproject.toml', 'conftest.py', 'requirements.txt', 'setup.py']
  if (!signs.some((name) => names.includes(name))) return null
  const isPytest = ['pytest.ini', 'conftest.py'].some((name) => names.includes(name))
  const said = ['pyproject.toml', 'tox.ini', 'setup.cfg', 'requirements.txt'].some((name) =>
    text(name)?.includes('pytest'),
  )
  const globs = ['**/test_*.py', '**/*_test.py']
  const [, python = 'python3', setup = null] = PYTHON_LOCKS.find(([lock]) => names.includes(lock)) ?? []
  if (!isPytest && !said) {
    const unittest = { name: 'unittest', test: `${python} -m unittest discover`, template: null, globs: [], setup }
    return names.some((name) => name === 'test' || name === 'tests') ? unittest : { ...unittest, isGuess: true }
  }
  const template = `${python} -m pytest --junitxml=${JUNIT} {files}`
  return { name: 'pytest', test: `${python} -m pytest`, template, globs, setup }
}

const PYTHON_LOCKS = [
  ['uv.lock', 'uv run python', 'uv sync --frozen'],
  ['poetry.lock', 'poetry run python', 'poetry install'],
] as const

function goRunner({ names }: ProjectFiles): Runner | null {
  if (!names.includes('go.mod')) return null
  const how = { test: 'go test ./...', template: 'go test {dirs}', setup: 'go mod download' }
  return { name: 'go', ...how, globs: ['**/*_test.go'] }
}

function rustRunner({ names }: ProjectFiles): Runner | null {
  if (!names.includes('Cargo.toml')) return null
  return { name: 'cargo', test: 'cargo test', template: null, globs: [], setup: 'cargo fetch' }
}

function asMapping(value: unknown): Record<string, unknown> {
  return isMapping(value) ? value : {}
}
