// All processes of this machine at one moment, as far as finding the tree of an attempt needs them.
// Linux: /proc. Elsewhere: `ps`, which shows the environment of one's own processes (system programs of macOS hide
// theirs; those are found by their parent and their process group).
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { HAS_PROC, isDeadState, PS_ENVIRONMENT, parseStat } from './identity.ts'

export type ProcessRow = {
  pid: number
  ppid: number
  /** The session, or the process group where `ps` does not tell the session. */
  session: number
  startTime: string
  /** The command line, arguments separated by spaces. Empty where it may not be read. */
  args(): string
  /** The environment it was started with contains `NAME=value`. */
  hasVariable(assignment: string): boolean
}

/** Dead processes that only wait to be collected are left out. */
export function readProcessTable(): ProcessRow[] {
  return HAS_PROC ? tableFromProc() : parsePs(runPs(['-Eww', '-axo', PS_COLUMNS]))
}

export const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,command='

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/

/** Rows of `ps` with PS_COLUMNS: its last column is the command line followed by the environment. */
export function parsePs(text: string): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const line of text.split('\n')) {
    const [, pid, ppid, group, state, start, command] = PS_LINE.exec(line) ?? []
    if (!pid || !state || !start || command === undefined || isDeadState(state)) continue
    rows.push({
      pid: Number(pid),
      ppid: Number(ppid),
      session: Number(group),
      startTime: start.replace(/\s+/g, ' '),
      args: () => command,
      hasVariable: (assignment) => ` ${command} `.includes(` ${assignment} `),
    })
  }
  return rows
}

export function runPs(args: string[]): string {
  const env = { ...process.env, ...PS_ENVIRONMENT }
  return execFileSync('ps', args, { encoding: 'utf8', env, maxBuffer: 256 << 20 })
}

function tableFromProc(): ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const stat = parseStat(readOrEmpty(`/proc/${pid}/stat`))
    if (!stat || isDeadState(stat.state)) continue
    rows.push({
      pid,
      ppid: stat.ppid,
      session: stat.session,
      startTime: stat.startTime,
      args: () => readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
      hasVariable: (assignment) => `\0${readOrEmpty(`/proc/${pid}/environ`)}`.includes(`\0${assignment}\0`),
    })
  }
  return rows
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // it ended meanwhile, or belongs to somebody else
  }
}
