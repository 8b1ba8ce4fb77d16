// The real command line: in a process of its own, as a person in a terminal would run it, or in this one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../src/cli/program.ts'
import { palette } from '../../src/cli/terminal/palette.ts'

const BIN = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url))

export type Said = { status: number | null; out: string; err: string }

type Options = {
  /** No file it writes may grow beyond that many kB, which is how a full disk looks to it. */
  fileKb?: number | undefined
  /** Where programs are looked for. */
  path?: string | undefined
  /** Variables besides those that every test has. */
  env?: Record<string, string> | undefined
  /** Words before the command, which becomes the process that they start: `nsenter …`. */
  before?: readonly string[] | undefined
}

export async function espalier(cwd: string, args: string[], options: Options = {}): Promise<Said> {
  return said(startEspalier(cwd, args, options))
}

export function startEspalier(
  cwd: string,
  args: string[],
  { fileKb, path = process.env.PATH, env: more, before = [] }: Options = {},
) {
  const argv = [...before, process.execPath, '--disable-warning=ExperimentalWarning', BIN, ...args]
  const env = { ...environment(cwd, path), ...more }
  const options = { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
  if (fileKb === undefined) return spawn(argv[0] ?? '', argv.slice(1), options)
  // In units of 512 bytes, as POSIX has it. A write beyond it fails instead of ending the process.
  return spawn('/bin/sh', ['-c', `trap '' XFSZ; ulimit -f ${fileKb * 2} && exec "$@"`, 'sh', ...argv], options)
}

/**
 * In a terminal, which closes when the child is killed. Its exit status, as a shell sees it, goes to a file then. Needs
 * the `script` of Linux.
 */
export function startInTerminal(cwd: string, args: string[], statusFile: string): ChildProcess {
  const words = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(' ')
  // The inner shell sees how it ends; the outer one is what the hang-up ends first, as a person's shell.
  const command = `(trap '' HUP; ${words}; echo $? >'${statusFile}'); true`
  const env = { ...environment(cwd, process.env.PATH), TERM: 'xterm', SHELL: '/bin/sh' }
  return spawn('script', ['-qfec', command, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
}

type HereOptions = {
  path?: string | undefined
  home?: string
  colour?: boolean
  /** Variables besides. */
  env?: Record<string, string>
}

/**
 * In this process, which spares the third of a second that a new one takes to load. For tests of what a command says and
 * does, not of how it deals with signals, with its output or with its end.
 */
export async function espalierHere(cwd: string, args: string[], options: HereOptions = {}): Promise<Said> {
  const { path = process.env.PATH, home = cwd, colour = false, env = {} } = options
  const [out, err] = [new Paper(), new Paper()]
  const [outPalette, errPalette] = [palette(colour), palette(colour)]
  const around = {
    out,
    err,
    env: { ...environment(home, path), ...env },
    cwd,
    home,
    live: false,
    outPalette,
    errPalette,
  }
  const status = await runProgram(['node', 'espalier', ...args], '1.2.3', around)
  return { status, out: out.text, err: err.text }
}

/** What is printed where there is no terminal. */
class Paper extends Writable {
  text = ''

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk)
    done()
  }
}

function environment(home: string, path: string | undefined) {
  const { TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH: path, TMPDIR, NODE_COMPILE_CACHE, HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', NO_COLOR: '1' }
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
