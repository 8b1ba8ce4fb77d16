// The program that is run in the end: `npx vite` is `vite`, and so are `env X=1 vite` and `poetry run vite`.
import { beforeOperand, fromOperand, operandsOf, programOf } from './operands.ts'

/**
 * Each a program and its arguments, under the name by which the tables here know it. There are two where only the project
 * knows which is meant: `yarn next dev` is a script called `next`, or the program, and so is `npm run tauri dev`.
 */
export function realCommands(words: readonly string[]): (readonly string[])[] {
  const real = realCommand(words)
  const named = fromOperand(real)
  // A script alone is called as its project likes: `npm run less` makes styles.
  if (named[0] === 'run' && RUN_SCRIPTS.has(programOf(real)) && operandsOf(named).length > 1)
    return [real, realCommand(fromOperand(named))]
  return RUN_PROGRAMS.has(programOf(real)) ? [real, realCommand(named)] : [real]
}

const RUN_SCRIPTS = new Set(['npm', 'yarn', 'pnpm', 'bun'])

const RUN_PROGRAMS = new Set(['yarn', 'pnpm', 'bun'])

function realCommand(words: readonly string[]): readonly string[] {
  let real = named(words)
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const wrapped = wrappedIn(real)
    if (wrapped === null) break
    real = named(wrapped)
  }
  return real
}

/** Nobody puts more of them in front of a program. */
const MAX_WRAPPERS = 5

/** Null: it wraps nothing. */
function wrappedIn(words: readonly string[]): readonly string[] | null {
  const name = programOf(words)
  const behind = fromOperand(words)
  if (name === 'command' && /^-[vV]$/.test(words[1] ?? '')) return null
  if (WRAPPERS.has(name)) return behind
  if (WRAPPERS.has(`${name} ${behind[0] ?? ''}`)) return fromOperand([name, ...behind.slice(1)])
  if (name === 'python' && words[1] === '-m') return words.slice(2)
  // `yarn workspace web dev` is `yarn dev`, elsewhere; those in all of them are `yarn workspaces foreach -A run dev`.
  if (name === 'yarn' && behind[0] === 'workspace') return ['yarn', ...behind.slice(2)]
  if (name === 'yarn' && behind[0] === 'workspaces')
    return ['yarn', ...behind.slice(1).filter((one) => one !== 'foreach')]
  return INTERPRETERS.has(name) && SCRIPTS.has(programOf(behind)) ? behind : null
}

/** `python3 manage.py` and `./manage.py` are one, and so are programs that took the place of another. */
function named(words: readonly string[]): readonly string[] {
  const name = programOf(words)
  if (name === 'docker-compose' || name === 'podman-compose') return ['docker', 'compose', ...words.slice(1)]
  return [SAME_AS.get(name) ?? name, ...words.slice(1)]
}

const SAME_AS = new Map([
  ['gradlew', 'gradle'],
  ['mvnw', 'mvn'],
  ['podman', 'docker'],
  ['python3', 'python'],
  ['tofu', 'terraform'],
  ['flyctl', 'fly'],
  ['sls', 'serverless'],
  ['sequelize-cli', 'sequelize'],
  ['gmake', 'make'],
])

const WRAPPERS = new Set([
  ...['npx', 'bunx', 'uvx', 'env', 'nohup', 'exec', 'dotenv', 'cross-env', 'xvfb-run', 'timeout', 'command', 'time'],
  ...['npm exec', 'pnpm exec', 'pnpm dlx', 'yarn dlx', 'yarn exec', 'bun x', 'uv run', 'poetry run', 'pipenv run'],
  ...['bundle exec', 'hatch run', 'rye run', 'pdm run'],
])

/** They run a script, and these scripts are programs with subcommands. */
const INTERPRETERS = new Set(['python', 'php', 'ruby'])
const SCRIPTS = new Set(['manage.py', 'artisan', 'rails', 'rake'])

/** Programs that run what a project calls by a name of its own. */
const RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'deno', 'turbo', 'make', 'just', 'task', 'nx'])

/** The names of the scripts a command runs: those of the project, of a file (`bash scripts/deploy.sh`), or its own (`./deploy.sh`). */
export function scriptsOf(words: readonly string[]): string[] {
  const name = programOf(words)
  if (RUN_FILES.has(name)) return fileRun(words)
  if (!RUNNERS.has(name)) return [fileName(name)]
  if (name === 'bun' || name === 'deno') return projectScripts(words).map(fileName)
  // Before the colon is the project: `nx run api:serve`.
  return name === 'nx' ? projectScripts(words).map((one) => one.slice(one.indexOf(':') + 1)) : projectScripts(words)
}

/** Programs that run a file, and the flags with which they do something else with it. */
const RUN_FILES = new Map([
  ...['bash', 'sh', 'zsh', 'dash'].map((name): [string, RegExp] => [name, /^-\w*[cn]$/]),
  ...['node', 'tsx', 'ts-node', 'python', 'ruby', 'php', 'perl', 'hardhat', 'go'].map((name): [string, RegExp] => [
    name,
    /^(?:--(?:test|check|eval|print)|-[ceplm])$/,
  ]),
])

/** These have other subcommands, too. */
const RUN_BY_WORD = new Set(['hardhat', 'go'])

function fileRun(words: readonly string[]): string[] {
  const [first = '', second = ''] = operandsOf(words)
  if (beforeOperand(words, 0).some((word) => RUN_FILES.get(programOf(words))?.test(word))) return []
  if (RUN_BY_WORD.has(programOf(words))) return first === 'run' ? [fileName(second)] : []
  return [fileName(first)]
}

/** `scripts/deploy.sh` is `deploy`. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:sh|bash|[cm]?[jt]sx?|py|rb|pl|php)$/, '')
}

function projectScripts(words: readonly string[]): string[] {
  const name = programOf(words)
  const [first, ...more] = operandsOf(words)
  if (first === undefined) return []
  // What follows is for the script, but `make` makes all that it is told.
  if (name === 'make') return [first, ...more]
  return /^(?:run|run-script|task)$/.test(first) ? more.slice(0, 1) : [first]
}
