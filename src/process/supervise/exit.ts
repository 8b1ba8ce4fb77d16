// The end of a supervised command, as its supervisor wrote it down (see supervisor-script.ts for the files).
import { existsSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

export type Ending =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: string }
  /** The supervisor is gone and did not say how the command ended. */
  | { kind: 'lost' }
  | { kind: 'no-cwd' }
  | { kind: 'spawn-failed'; message: string }
  /** The supervisor could not write its own files, so nothing was started: a full disk, most likely. */
  | { kind: 'unwritable'; message: string }

export type Exit = Ending & {
  /** End of the command, in ms since the epoch; for a lost one: when that was noticed. */
  endedAt: number
  /** Processes still there after the command had ended, which were ended too. */
  leftovers: number
  survivors: number[]
  /** Output was dropped because it could not be written. */
  outputLost: boolean
}

/** Null while the command runs. `final`: all output is written. */
export function readStatus(dir: string) {
  const final = readEnding(join(dir, 'exit'))
  if (final) return { ...final, final: true }
  const early = readEnding(join(dir, 'status.tmp'))
  if (early) return { ...early, final: false }
  // Renamed between the two looks.
  const late = readEnding(join(dir, 'exit'))
  return late && { ...late, final: true }
}

export function isOutputLost(dir: string): boolean {
  return existsSync(join(dir, 'output-lost'))
}

/** Publishes for a supervisor that was ended before it could: readers of the output wait for this. */
export function publishStatus(dir: string): void {
  const exit = join(dir, 'exit')
  const early = join(dir, 'status.tmp')
  try {
    if (!existsSync(exit) && readEnding(early)) renameSync(early, exit)
  } catch {
    // there is none, or the supervisor was quicker
  }
}

/** Writes for good that nobody knows how the command ended; the time stays, if it was noted. */
export function publishLost(dir: string): void {
  const noted = readEnding(join(dir, 'status.tmp'))
  try {
    writeFileSync(join(dir, 'lost.tmp'), '{"lost":true}\n')
    if (noted) utimesSync(join(dir, 'lost.tmp'), noted.endedAt / 1000, noted.endedAt / 1000)
    renameSync(join(dir, 'lost.tmp'), join(dir, 'exit'))
  } catch {
    // the folder is gone, or cannot be written: the next look finds out again
  }
}

/** `sh` reports a signal as 128 + its number. */
function endingOfCode(code: number): Ending {
  const signal = code > 128 ? SIGNAL_NAMES.get(code - 128) : undefined
  return signal ? { kind: 'signalled', signal } : { kind: 'exited', code }
}

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

function readEnding(path: string): { ending: Ending; endedAt: number } | null {
  if (!existsSync(path)) return null // asked ten times a second: an error takes much longer
  try {
    const ending = parseEnding(readFileSync(path, 'utf8'))
    return ending && { ending, endedAt: statSync(path).mtimeMs }
  } catch {
    return null // not there, or not completely written yet
  }
}

function parseEnding(text: string): Ending | null {
  const { code, lost, refused } = JSON.parse(text) as { code?: unknown; lost?: unknown; refused?: unknown }
  if (lost === true) return { kind: 'lost' }
  if (typeof code === 'number') return endingOfCode(code)
  if (refused === 'no-cwd') return { kind: 'no-cwd' }
  if (typeof refused !== 'string') return null
  return { kind: 'spawn-failed', message: REFUSALS[refused] ?? `The supervisor needs ${refused.slice(3)} in PATH.` }
}

const REFUSALS: Record<string, string> = {
  'no-command': 'The program does not exist or is not executable; check its name and PATH.',
  'no-stdin': 'The file for its standard input does not exist or may not be read.',
}

// Notes that somebody other than the engine asked a command to end (`doctor --fix`, or a machine that shuts down), so
// that an engine which finds it ended does not take that for its own doing.

const ASKED_FILE = 'asked'

export function noteAsked(dir: string): void {
  try {
    writeFileSync(join(dir, ASKED_FILE), '')
  } catch {
    // the folder is gone, or cannot be written: then it counts as ended by itself
  }
}

export function askedAt(dir: string): number | null {
  return statSync(join(dir, ASKED_FILE), { throwIfNoEntry: false })?.mtimeMs ?? null
}
