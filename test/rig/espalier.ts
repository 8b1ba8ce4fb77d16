// The real command line in a process of its own, as a person in a terminal would run it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url))

export type Said = { status: number | null; out: string; err: string }

type Options = {
  /** No file it writes may grow beyond that many kB, which is how a full disk looks to it. */
  fileKb?: number | undefined
  /** Where programs are looked for. */
  path?: string | undefined
}

export async function espalier(cwd: string, args: string[], options: Options = {}): Promise<Said> {
  return said(startEspalier(cwd, args, options))
}

export function startEspalier(cwd: string, args: string[], { fileKb, path = process.env.PATH }: Options = {}) {
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', BIN, ...args]
  const env = { PATH: path, TMPDIR: process.env.TMPDIR, HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null', NO_COLOR: '1' }
  const options = { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
  if (fileKb === undefined) return spawn(argv[0] ?? '', argv.slice(1), options)
  // In units of 512 bytes, as POSIX has it. A write beyond it fails instead of ending the process.
  return spawn('/bin/sh', ['-c', `trap '' XFSZ; ulimit -f ${fileKb * 2} && exec "$@"`, 'sh', ...argv], options)
}

export async function said(child: ChildProcess): Promise<Said> {
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { status: child.exitCode, out, err }
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = ''
  for await (const chunk of stream ?? []) all += String(chunk)
  return all
}
