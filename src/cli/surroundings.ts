// Everything a command knows of its process: streams, terminal, environment, home, working directory. The library uses none
// of it, and tests pass their own.
import { homedir } from 'node:os'
import type { Resources } from '../async/resources.ts'
import { type Palette, palette } from './terminal/palette.ts'

export type Surroundings = {
  version: string
  /** Keyboard; absent without a terminal. */
  input?: Input
  out: Output
  err: Output
  env: Record<string, string | undefined>
  cwd: string
  home: string
  /** Whether lines may be redrawn; false for a pipe, a file, a dumb terminal or a CI log. */
  live: boolean
  outPalette: Palette
  errPalette: Palette
  resources: Resources
}

export type Input = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?: (raw: boolean) => void; unref?: () => void }

export type Output = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number }

export function processSurroundings(): Omit<Surroundings, 'version' | 'resources'> {
  const { stdin, stdout, stderr, env } = process
  return {
    ...(stdin.isTTY ? { input: stdin } : {}),
    out: stdout,
    err: stderr,
    env,
    cwd: currentFolder(),
    home: env.HOME || homedir(),
    live: isLive(env, stdout.isTTY),
    outPalette: palette(hasColour(env, stdout.isTTY)),
    errPalette: palette(hasColour(env, stderr.isTTY)),
  }
}

/** Falls back to `/` if the folder was removed: processes started from here need one that exists. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    process.chdir('/')
    return GONE
  }
}

/** A path that cannot exist and that explains itself when printed. $PWD may name another folder. */
const GONE = '/dev/null/your current folder is gone'

function isLive(env: Record<string, string | undefined>, tty: boolean): boolean {
  return tty && env.TERM !== 'dumb' && !isSet(env.CI)
}

/** https://no-color.org and https://force-color.org: any value but the empty one counts, and NO_COLOR wins. */
function hasColour(env: Record<string, string | undefined>, tty: boolean): boolean {
  if (env.NO_COLOR) return false
  if (isSet(env.FORCE_COLOR)) return true
  return tty && env.TERM !== 'dumb'
}

export type Look = { width: number; palette: Palette }

export type LookNow = Look & { now: number }

export function lookOf({ out, outPalette }: Surroundings): LookNow {
  return { now: Date.now(), width: width(out), palette: outPalette }
}

/** Infinite for a file or a pipe, so that messages are not cut. */
export function width(output: Output): number {
  if (output.columns && output.columns > 0) return output.columns
  return output.isTTY ? UNKNOWN_WIDTH : Number.POSITIVE_INFINITY
}

/** Width for --help: at most 120 columns, as it is prose. */
export function helpWidth(output: Output): number {
  return Math.min(120, output.columns || UNKNOWN_WIDTH)
}

const UNKNOWN_WIDTH = 80

function isSet(value: string | undefined): boolean {
  return Boolean(value) && value !== '0' && value !== 'false'
}
