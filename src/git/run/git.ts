// Runs git. Nothing else in the program starts it.
//
// The engine's commands see no configuration but the one of the repository they work on, no hooks and none of the
// GIT_* variables of the terminal. `config: 'user'` is for reading what the person's own git would see, and for the
// one command that is theirs (`espalier land` into a checked-out branch).
import { channel } from 'node:diagnostics_channel'
import { records } from './path-bytes.ts'
import { type GitEnd, type GitProcess, type GitSpec, startGitProcess, TOO_MUCH } from './process.ts'
import { runGit } from './runner-client.ts'

export type GitOptions = {
  gitDir?: string
  workTree?: string
  index?: string
  cwd?: string
  input?: string | Uint8Array
  env?: Record<string, string>
  okCodes?: readonly number[]
  config?: 'engine' | 'user'
  /** Lets hooks run, as for a command of the person's own. */
  hooks?: boolean
  timeoutMs?: number | null
  /** Git is ended if it prints more; default: a gigabyte. */
  maxBytes?: number
  keepInputOpen?: boolean
}

/** An unexpected end of git. `code` null: it could not be started, or was ended by a signal. */
export class GitFailure extends Error {
  readonly args: readonly string[]
  readonly code: number | null
  readonly stderr: string
  /** Folder that git worked in; null: git was not asked, or it is not known. */
  readonly folder: string | null

  constructor(args: readonly string[], code: number | null, stderr: string, folder: string | null = null) {
    super(
      `git ${commandOf(args)} failed${code === null ? '' : ` (exit status ${code})`}: ${stderr.trim() || 'no message'}`,
    )
    this.name = 'GitFailure'
    this.args = args
    this.code = code
    this.stderr = stderr
    this.folder = folder
  }
}

export function hasPrintedTooMuch(error: unknown): boolean {
  return error instanceof GitFailure && error.stderr.startsWith(TOO_MUCH)
}

function commandOf(args: readonly string[]): string {
  const first = args.findIndex((word, n) => word !== '-c' && args[n - 1] !== '-c')
  return args[first] ?? ''
}

/** One message `{ args }` per git process started, for tests that count them. */
const gitCommands = channel('espalier.git')

export async function git(args: readonly string[], options: GitOptions = {}) {
  announce(args)
  const { stdout, ...end } = await runGit(specOf(args, options))
  return { ...expected(args, options, end), stdout }
}

export async function gitText(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await git(args, options)).stdout.toString('utf8').trimEnd()
}

/** Lines of the output, without empty ones. */
export async function gitLines(args: readonly string[], options: GitOptions = {}): Promise<string[]> {
  return (await gitText(args, options)).split('\n').filter((line) => line !== '')
}

/** Records of the output, which end with NUL; one character per byte (path-bytes.ts). */
export async function gitRecords(args: readonly string[], options: GitOptions = {}): Promise<string[]> {
  return records((await git(args, options)).stdout)
}

export async function revParse(name: string, options: GitOptions): Promise<string | null> {
  const args = ['rev-parse', '-q', '--verify', '--end-of-options', name]
  return (await gitText(args, { ...options, okCodes: [0, 1, 128] })) || null
}

/** The commit that a person means; null: none. */
export async function commitNamed(rev: string, options: GitOptions): Promise<string | null> {
  if (rev === '' || rev.startsWith('-') || /[\0\n]/.test(rev)) return null
  return revParse(`${rev}^{commit}`, options)
}

/** Paths are taken as they are, not as patterns. */
export const LITERAL = { GIT_LITERAL_PATHSPECS: '1' }
export const MAX_PATHSPECS = 500

/** Git as the person runs it in a folder of theirs. */
export function asPerson(cwd: string): GitOptions {
  return { cwd, config: 'user' }
}

export async function isAncestor(older: string, newer: string, options: GitOptions): Promise<boolean> {
  return (await git(['merge-base', '--is-ancestor', older, newer], { okCodes: [0, 1], ...options })).code === 0
}

export type RunningGit = {
  child: GitProcess['child']
  /** Rejects with GitFailure. Consume standard output, or it never settles. */
  done: Promise<{ code: number; stderr: string }>
}

/** For output too large for memory. With `keepInputOpen` the caller feeds standard input. */
export function startGit(args: readonly string[], options: GitOptions = {}): RunningGit {
  announce(args)
  const spec = specOf(args, options)
  const { child, ended } = startGitProcess(options.keepInputOpen ? spec : { ...spec, input: spec.input ?? '' })
  const done = ended.then((end) => expected(args, options, end))
  // Nobody waiting for it yet is no crash.
  done.catch(() => {})
  return { child, done }
}

function announce(args: readonly string[]): void {
  if (gitCommands.hasSubscribers) gitCommands.publish({ args })
}

function specOf(args: readonly string[], options: GitOptions): GitSpec {
  return {
    args: [...(options.hooks ? [] : SAFE_CONFIG), ...args],
    cwd: folderOf(options),
    env: environment(options),
    input: options.input,
    timeoutMs: options.timeoutMs === undefined ? TIMEOUT_MS : options.timeoutMs,
    maxBytes: options.maxBytes ?? MAX_OUTPUT_BYTES,
  }
}

function folderOf({ cwd, workTree, gitDir }: GitOptions): string | undefined {
  return cwd ?? workTree ?? gitDir
}

function expected(args: readonly string[], options: GitOptions, { code, stderr }: GitEnd) {
  if (code !== null && (options.okCodes ?? [0]).includes(code)) return { code, stderr }
  throw new GitFailure(args, code, stderr, folderOf(options))
}

// A git blocked on a named pipe that somebody planted must not block us for ever.
const TIMEOUT_MS = 10 * 60_000
const MAX_OUTPUT_BYTES = 1 << 30

const SAFE_CONFIG = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

/** The person's GIT_* variables that say who they are and how to reach things, not which repository is meant. */
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
