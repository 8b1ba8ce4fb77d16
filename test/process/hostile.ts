// Agents that do what they can to outlive their end, and a count of what is left of them that asks `ps` instead of the
// code under test.
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { markArgument, markOf } from '../../src/process/tree/mark.ts'

/** Whether a process can be given the mark here that every child inherits. */
export const canMark = tryMark()

/** A number no other process has in its command line, and a time for `sleep` that is longer than any test. */
export function newMarker(): string {
  return `1${randomInt(10 ** 8, 10 ** 9)}.5`
}

/** `hold` is a script that ignores what can be ignored, says that it is there in the file $2, and never ends. */
export function holdScript(ignore = "trap '' TERM INT HUP QUIT;"): string {
  return `${ignore} echo $$ > "$2"; while :; do sleep "$1"; done\n`
}

/** Every one goes on as its own child, without environment, session or parent, for a bounded number of times. */
export function hopScript(): string {
  return `trap '' TERM INT HUP QUIT
    echo $3 > "$2"
    [ $3 -gt 0 ] || exit
    env -i PATH="$PATH" setsid sh hop "$1" "$2" $(($3 - 1)) >/dev/null 2>&1 &
  `
}

export type Hostile = {
  name: string
  /** Starts processes with the marker in their command line, in a folder with `hold` and `hop`; each writes a file. */
  command(marker: string): string
  files: string[]
  /** Nothing but a control group or the mark finds it. */
  hides?: boolean
}

const wait = 'while :; do sleep 0.05; done'

export const HOSTILE: Hostile[] = [
  { name: 'ignored signals', files: ['a'], command: (marker) => `exec sh hold ${marker} a` },
  { name: 'a session of its own', files: ['a'], command: (marker) => `setsid sh hold ${marker} a & ${wait}` },
  {
    name: 'a double fork',
    files: ['a', 'b'],
    command: (marker) => `(sh hold ${marker} a &); (setsid sh hold ${marker} b >/dev/null 2>&1 &); ${wait}`,
  },
  // `timeout` makes a group for its command.
  { name: 'another process group', files: ['a'], command: (marker) => `timeout 9999 sh hold ${marker} a & ${wait}` },
  {
    name: 'no environment',
    files: ['a'],
    command: (marker) => `${escaping(marker)}; ${wait}`,
    hides: true,
  },
  {
    name: 'a new process all the time',
    files: ['a'],
    command: (marker) => `env -i PATH="$PATH" setsid sh hop ${marker} a 100000 >/dev/null 2>&1 & ${wait}`,
    hides: true,
  },
]

/** A process without token, parent or session of the attempt. */
export function escaping(marker: string): string {
  return `env -i PATH="$PATH" setsid sh -c '(setsid sh hold ${marker} a >/dev/null 2>&1 &)'`
}

/** The processes that have one of these in their command line, as `ps` knows them. */
export function processesWith(...needles: string[]): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-axwwo', 'pid=,command='], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n')
  return lines
    .filter((line) => needles.some((needle) => line.includes(needle)))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }))
}

function tryMark(): boolean {
  const mark = markArgument('try')
  if (mark === '') return false
  const script = `ulimit -S -m ${mark} && exec cut -d ' ' -f 25 /proc/self/stat`
  try {
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', stdio: 'pipe' }).trim() === markOf('try')
  } catch {
    return false
  }
}
