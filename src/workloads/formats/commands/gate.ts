// Whether a command of somebody's plan can be a gate. A gate is run in the worktree of its task after every attempt, with nobody
// there to see it, while gates of other tasks run beside it; its exit status decides about the work. So what changes something
// outside of the worktree, what does not end by itself and what is run elsewhere is told to the agent and not run.
import { outsideEffect } from './outside-effects.ts'
import { type SimpleCommand, simpleCommands } from './simple-commands.ts'
import { neverEnds } from './unending.ts'

/** A command that is told and not run; `why` goes on behind "it". */
export type NotRun = { command: string; why: string }

export type Gate = { run: string } | { notRun: NotRun }

export function gateOf(command: string): Gate {
  const why = whyNoGate(command)
  return why === null ? { run: command } : { notRun: { command, why } }
}

/** Null: it can be one. */
export function whyNoGate(line: string): string | null {
  const commands = simpleCommands(line).flatMap(inside)
  if (leavesWorktree(commands)) return 'is run in a folder outside of the worktree'
  if (commands.some((command) => isLeftRunning(command, commands))) return 'does not end by itself'
  for (const { words } of commands) {
    const effect = outsideEffect(withoutWrapper(words))
    if (effect !== null) return effect
  }
  return null
}

/** What is said of it, where it was to be a check. */
export function notRunText({ command, why }: NotRun): string {
  const [first = '', ...more] = command.trim().split('\n')
  const shown = first.length > MAX_SHOWN ? `${first.slice(0, MAX_SHOWN)}…` : more.length > 0 ? `${first} …` : first
  return `\`${shown}\` is told to the agent, not run as a check: it ${why}`
}

/** `bash -c "npm test"` is `npm test`. */
function inside(command: SimpleCommand): SimpleCommand[] {
  const [program = '', flag = '', script = ''] = command.words
  return /^(?:ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flag) ? simpleCommands(script) : [command]
}

const MAX_SHOWN = 100

function leavesWorktree(commands: readonly SimpleCommand[]): boolean {
  // `cd web && npm test && cd ..` comes back to where it began.
  const inside = commands.findIndex(({ words }) => isChange(words) && !LEADS_OUT.test(folderOf(words)))
  return commands.some(({ words }, i) => {
    if (isChange(words))
      return LEADS_OUT.test(folderOf(words)) && !(inside >= 0 && inside < i && folderOf(words) === '..')
    return words.some((word, at) => {
      const [flag = '', value = words[at + 1] ?? ''] = word.split('=', 2)
      return FOLDER_FLAGS.has(flag) && LEADS_OUT.test(value)
    })
  })
}

function isChange([program = '']: readonly string[]): boolean {
  return program === 'cd' || program === 'pushd'
}

/** Of a `cd`; alone it leads home. */
function folderOf(words: readonly string[]): string {
  return words[1] ?? '~'
}

/** An absolute path is somebody's checkout, not the worktree. */
const LEADS_OUT = /^(?:\/|~|\$\{?HOME\b|\.\.(?:\/|$)|[A-Za-z]:[\\/])/
const FOLDER_FLAGS = new Set([
  '-C',
  '--prefix',
  '--cwd',
  '--manifest-path',
  '--rootDir',
  '--project-dir',
  '--directory',
])

/** In the background it is meant to be ended: then somebody has to. */
function isLeftRunning({ words, isInBackground }: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  if (words[0] === 'timeout' || !neverEnds(withoutWrapper(words))) return false
  return !(isInBackground && all.some(({ words: [program] }) => program === 'kill'))
}

/** `npx vite` is `vite`; so are `env X=1 vite` and `poetry run vite`. */
function withoutWrapper(words: readonly string[]): readonly string[] {
  let from = 0
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const [first = '', second = ''] = words.slice(from)
    if (WRAPPERS.has(`${first} ${second}`)) from += 2
    else if (WRAPPERS.has(first)) from++
    else break
    while (/^-|^[A-Za-z_]\w*=|^\d+[smh]?$/.test(words[from] ?? '')) from++
  }
  return words.slice(from)
}

/** Nobody puts more of them in front of a program. */
const MAX_WRAPPERS = 4

const WRAPPERS = new Set([
  ...['npx', 'bunx', 'uvx', 'env', 'nohup', 'exec', 'dotenv', 'cross-env', 'xvfb-run', 'timeout', 'command'],
  ...['npm exec', 'pnpm exec', 'pnpm dlx', 'yarn dlx', 'yarn exec', 'bun x', 'uv run', 'poetry run', 'pipenv run'],
  ...[
    'bundle exec',
    'deno task',
    'python -m',
    'python3 -m',
    'hatch run',
    'rye run',
    'pdm run',
    'dotenv --',
    'cross-env --',
  ],
])
