import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The first line of `--version`; null: none, or the program cannot be started or takes too long. */
export async function programVersion(
  program: string,
  env: Readonly<Record<string, string>>,
  limitMs = LIMIT_MS,
): Promise<string | null> {
  // A group of its own: what it started ends with it, and does not hold its output open.
  const child = spawn(program, ['--version'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env })
  let text = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (piece: string) => {
    if (text.length < MAX_CHARS) text += piece
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('error', () => resolve(false))
  child.on('close', (code) => resolve(code === 0))
  const timer = setTimeout(() => {
    endGroup(child.pid)
    child.stdout.destroy()
    resolve(false)
  }, limitMs)
  const told = await promise
  clearTimeout(timer)
  return told ? text.split('\n')[0]?.trim().slice(0, MAX_CHARS) || null : null
}

/** Ends a process and all that it started in its group. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const LIMIT_MS = 5_000
const MAX_CHARS = 100

/** The path of a program, as a shell finds it; null: none. A name with a `/` is a path. */
export function findProgram(name: string, { PATH = '' }: NodeJS.ProcessEnv): string | null {
  const places =
    isAbsolute(name) || name.includes('/') ? [name] : PATH.split(delimiter).map((dir) => join(dir || '.', name))
  return places.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * The program that a line of shell begins with. Null: it begins with a path, a variable, quotes or something that the
 * shell itself does.
 */
export function shellProgram(command: string): string | null {
  const [word = ''] = command.trim().split(/\s+/, 1)
  return /^[\w+-][\w.+-]*$/.test(word) && !OF_THE_SHELL.has(word) ? word : null
}

/** Reserved words and built-in commands of sh, bash and zsh. */
const OF_THE_SHELL = new Set(
  [
    'case do done elif else esac fi for function if in select then time until while coproc',
    'alias bg break builtin cd command continue declare dirs disown echo enable eval exec exit export false fc fg getopts',
    'hash jobs kill let local logout mapfile popd printf pushd pwd read readonly return set shift shopt source test times',
    'trap true type typeset ulimit umask unalias unset wait',
  ].flatMap((line) => line.split(' ')),
)
