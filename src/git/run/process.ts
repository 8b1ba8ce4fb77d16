// One git process: started, fed, bounded in time and output, ended with everything it started.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export type GitSpec = {
  args: readonly string[]
  cwd: string | undefined
  env: NodeJS.ProcessEnv
  input: string | Uint8Array | undefined
  timeoutMs: number | null
  maxBytes: number
}

/** `code` null: it could not be started or was ended by a signal; `stderr` says so. */
export type GitEnd = { code: number | null; stderr: string }

export type GitProcess = {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Never rejects. Consume standard output, or it never settles. */
  ended: Promise<GitEnd>
}

/** Without `input` the caller feeds standard input. */
export function startGitProcess(spec: GitSpec): GitProcess {
  const child = spawn('git', [...spec.args], {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: Ctrl-C must not reach a git that is moving a ref, and what git started ends with it.
    detached: true,
  })
  // Too many open files: Node gives a process without streams, and reports the error later.
  if ((child as Partial<typeof child>).stdout === undefined) {
    child.on('error', () => {})
    throw Object.assign(new Error('spawn git EMFILE'), { code: 'EMFILE', syscall: 'spawn git' })
  }
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr = (stderr + chunk.toString('utf8')).slice(0, MAX_STDERR_CHARS)
  })
  // A git that ends before it has read everything says why by its exit status.
  child.stdin.on('error', () => {})
  if (spec.input !== undefined) child.stdin.end(spec.input)
  const timer = spec.timeoutMs === null ? undefined : setTimeout(() => endGit(child), spec.timeoutMs)
  const ended = new Promise<GitEnd>((resolve) => {
    child.on('error', (error) => resolve({ code: null, stderr: error.message }))
    child.on('close', (code, signal) => resolve({ code, stderr: signal ? `ended by ${signal}. ${stderr}` : stderr }))
  }).finally(() => clearTimeout(timer))
  return { child, ended }
}

export async function runGitProcess(spec: GitSpec): Promise<GitEnd & { stdout: Buffer }> {
  const chunks: Buffer[] = []
  let started: GitProcess
  try {
    started = startGitProcess({ ...spec, input: spec.input ?? '' })
  } catch (error) {
    // An argument that holds a NUL, or a list of them that is too long.
    return { code: null, stderr: (error as Error).message, stdout: Buffer.alloc(0) }
  }
  const { child, ended } = started
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > spec.maxBytes) endGit(child)
    else chunks.push(chunk)
  })
  const end = await ended
  const cut = bytes > spec.maxBytes ? { code: null, stderr: `${TOO_MUCH} ${end.stderr}` } : {}
  return { ...end, ...cut, stdout: Buffer.concat(chunks) }
}

export function endGit(child: GitProcess['child']): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL')
}

/** Prefix of `stderr` when git's output exceeded `maxBytes`. */
export const TOO_MUCH = 'it printed more than is read.'

const MAX_STDERR_CHARS = 16_384
