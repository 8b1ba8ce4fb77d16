// Runs git. Nothing else in the program starts it.
//
// The engine's commands see no configuration but the one of the repository they work on, no hooks and none of the
// GIT_* variables of the terminal. `config: 'user'` is for reading what the person's own git would see, and for the
// one command that is theirs (`espalier land` into a checked-out branch).
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { channel } from 'node:diagnostics_channel'
import type { Readable, Writable } from 'node:stream'

export type GitOptions = {
  gitDir?: string
  workTree?: string
  /** The index file. */
  index?: string
  cwd?: string
  input?: string | Uint8Array
  env?: Record<string, string>
  /** Exit statuses that are an answer rather than a failure. */
  okCodes?: readonly number[]
  config?: 'engine' | 'user'
  /** True: hooks run, as for a command the person would have typed. */
  hooks?: boolean
  timeoutMs?: number
  /** Standard input is fed by the caller. Only for `startGit`. */
  keepInputOpen?: boolean
}

export type GitOutcome = { code: number; stdout: Buffer; stderr: string }

/** Git ended in a way the caller did not expect. `code` is null if it could not be started or was ended by a signal. */
export class GitFailure extends Error {
  readonly args: readonly string[]
  readonly code: number | null
  readonly stderr: string

  constructor(args: readonly string[], code: number | null, stderr: string) {
    super(`git ${args[0]} failed${code === null ? '' : ` (exit status ${code})`}: ${stderr.trim() || 'no message'}`)
    this.name = 'GitFailure'
    this.args = args
    this.code = code
    this.stderr = stderr
  }
}

/** One message `{ args }` per git process started: tests count them, benchmarks time them. */
export const gitCommands = channel('espalier.git')

export async function git(args: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
  const { child, done } = startGit(args, options)
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_OUTPUT_BYTES) endGit(child)
    else chunks.push(chunk)
  })
  return { ...(await done), stdout: Buffer.concat(chunks) }
}

/** Standard output as text, without the newline at its end. */
export async function gitText(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await git(args, options)).stdout.toString('utf8').trimEnd()
}

export type RunningGit = {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Rejects with GitFailure. Standard output must be consumed for this to come. */
  done: Promise<{ code: number; stderr: string }>
}

export function startGit(args: readonly string[], options: GitOptions = {}): RunningGit {
  if (gitCommands.hasSubscribers) gitCommands.publish({ args })
  const child = spawn('git', [...(options.hooks ? [] : SAFE_CONFIG), ...args], {
    cwd: options.cwd ?? options.workTree ?? options.gitDir,
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C is for us to handle, not for a git that is in the middle of moving a ref, and
    // what git itself started ends with it.
    detached: true,
  })
  const okCodes = options.okCodes ?? [0]
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr = (stderr + chunk.toString('utf8')).slice(0, MAX_STDERR_CHARS)
  })
  // A git that ends before it has read everything says why by its exit status.
  child.stdin.on('error', () => {})
  if (!options.keepInputOpen) child.stdin.end(options.input)
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  const timer = setTimeout(() => endGit(child), timeoutMs)
  const done = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('error', (error) => reject(new GitFailure(args, null, error.message)))
    child.on('close', (code, signal) => {
      if (code !== null && okCodes.includes(code)) resolve({ code, stderr })
      else reject(new GitFailure(args, code, signal ? `ended by ${signal}. ${stderr}` : stderr))
    })
  }).finally(() => clearTimeout(timer))
  // Whoever waits for it gets the failure; nobody waiting yet is no crash.
  done.catch(() => {})
  return { child, done }
}

function endGit(child: RunningGit['child']): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL')
}

// A git blocked on a named pipe that somebody planted must not block us for ever.
const TIMEOUT_MS = 10 * 60_000
const MAX_STDERR_CHARS = 16_384
const MAX_OUTPUT_BYTES = 1 << 30

const SAFE_CONFIG = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

/** Of the person's GIT_* variables those that say who they are and how to reach things, not which repository is meant. */
const USER_VARIABLES = /^GIT_(AUTHOR_|COMMITTER_|CONFIG_|SSH|ASKPASS|SSL_|PROXY|HTTP_|EXEC_PATH|CEILING)/

function environment({ gitDir, workTree, index, env, config }: GitOptions): NodeJS.ProcessEnv {
  const mine: NodeJS.ProcessEnv = {}
  if (config === 'user') {
    for (const [name, value] of Object.entries(process.env)) {
      if (!name.startsWith('GIT_') || (USER_VARIABLES.test(name) && name !== 'GIT_CONFIG_PARAMETERS'))
        mine[name] = value
    }
  } else {
    for (const name of ['PATH', 'HOME', 'TMPDIR']) if (process.env[name] !== undefined) mine[name] = process.env[name]
    Object.assign(mine, {
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
    })
  }
  Object.assign(mine, { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' })
  if (gitDir !== undefined) mine.GIT_DIR = gitDir
  if (workTree !== undefined) mine.GIT_WORK_TREE = workTree
  if (index !== undefined) mine.GIT_INDEX_FILE = index
  return { ...mine, ...env }
}
