// All processes of this machine at one moment, as far as finding the tree of an attempt needs them.
// Linux: /proc. Elsewhere: `ps`, which shows the environment of one's own processes (system programs of macOS hide
// theirs; those are found by their parent and their process group).
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { textIn } from '../../files/if-there.ts'
import { HAS_PROC, isDeadState, PS_ENVIRONMENT, parseStat } from './identity.ts'

export type ProcessRow = {
  pid: number
  ppid: number
  /** The session, or the process group if `ps` does not tell the session. */
  session: number
  startTime: string
  /** The resource limit that marks processes of attempts (mark.ts). Empty: the system does not show it. */
  limit: string
  /** The command line, arguments separated by spaces. Empty: not readable. */
  args(): string
  /** A variable of its environment at the start. */
  variable(name: string): string | null
  /** Whether it belongs to this user. Elsewhere than on Linux only the environment of such processes is shown. */
  isOurs(): boolean
}

/** Without dead processes that only wait to be collected. */
export function readProcessTable(): ProcessRow[] {
  return HAS_PROC ? [...rowsOf(allNumbers())] : rowsFromPs()
}

/**
 * This process and those not older than number `first`; the others are only numbers (`older`), if numbers tell the age.
 */
export function readTableSince(first: number): { rows: ProcessRow[]; older: number[] } {
  if (!HAS_PROC || !areInOrder()) return { rows: readProcessTable(), older: [] }
  const isOlder = (pid: number) => pid < first && pid !== process.pid
  const pids = allNumbers()
  return { rows: [...rowsOf(pids.filter((pid) => !isOlder(pid)))], older: pids.filter(isOlder) }
}

/**
 * Whether numbers tell the age: fewer processes and threads were ever started than there are numbers. Not for sure:
 * failed starts are not counted, and some systems count none.
 */
function areInOrder(): boolean {
  const started = Number(/^processes (\d+)$/m.exec(textIn('/proc/stat'))?.[1])
  return started >= newestPid() && started + MANY < Number(textIn('/proc/sys/kernel/pid_max'))
}

/** The last number given to a process; 0: unknown. */
export function newestPid(): number {
  return HAS_PROC ? Number(textIn('/proc/loadavg').trim().split(' ').at(-1)) : 0
}

/**
 * Processes from `first` to `last`, in this order. Null: so many, or a range that begins anew at the smallest, that the
 * whole table is the better look.
 */
export function readNumbered(first: number, last: number): ProcessRow[] | null {
  if (last < first || last - first > MANY) return null
  return [...rowsOf(Array.from({ length: last - first + 1 }, (_, index) => first + index))]
}

const MANY = 1_000

/** The last column is the command line followed by the environment. */
const PS_COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=,command='

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s(.*)$/

function rowsFromPs(): ProcessRow[] {
  const env = { ...process.env, ...PS_ENVIRONMENT }
  const text = execFileSync('ps', ['-Eww', '-axo', PS_COLUMNS], { encoding: 'utf8', env, maxBuffer: 256 << 20 })
  const rows: ProcessRow[] = []
  for (const line of text.split('\n')) {
    const [, pid, ppid, group, state, start, command] = PS_LINE.exec(line) ?? []
    if (!pid || !state || !start || command === undefined || isDeadState(state)) continue
    rows.push({
      pid: Number(pid),
      ppid: Number(ppid),
      session: Number(group),
      startTime: start.replace(/\s+/g, ' '),
      limit: '',
      args: () => command,
      variable: (name) => new RegExp(` ${name}=(\\S*)`).exec(command)?.[1] ?? null,
      isOurs: () => true,
    })
  }
  return rows
}

export function allNumbers(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** On Linux: one after the other, each as it is when it is asked for. */
export function* rowsOf(pids: Iterable<number>): Generator<ProcessRow, void, void> {
  for (const pid of pids) {
    if (pid <= 0 || !existsSync(`/proc/${pid}`)) continue // an error takes much longer
    const stat = parseStat(textIn(`/proc/${pid}/stat`))
    if (!stat || isDeadState(stat.state)) continue
    let known: string | undefined
    const environment = () => {
      known ??= environmentOf(pid, stat.ppid)
      return known
    }
    yield {
      pid,
      ppid: stat.ppid,
      session: stat.session,
      startTime: stat.startTime,
      limit: stat.limit,
      args: () => textIn(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
      variable: (name) => valueIn(environment(), name),
      isOurs: () => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.(),
    }
  }
}

/**
 * The environment of a process. One that is becoming another program shows none for an instant; taken for one without a
 * token, it would be missed by the scan that says nothing is left, so that instant is waited for.
 */
function environmentOf(pid: number, ppid: number): string {
  let text = textIn(`/proc/${pid}/environ`)
  for (let looks = 0; text === '' && looks < LOOKS; looks++) {
    const changing = isChanging(pid, ppid)
    if (changing) Atomics.wait(NOTHING, 0, 0, LOOK_MS)
    text = textIn(`/proc/${pid}/environ`) // also when it is complete only now
    if (!changing) break
  }
  return `\0${text}`
}

function isChanging(pid: number, ppid: number): boolean {
  if (ppid === 0 || ppid === KERNEL_THREADS || textIn(`/proc/${pid}/cmdline`) !== '') return false
  const stat = parseStat(textIn(`/proc/${pid}/stat`))
  return stat !== null && !isDeadState(stat.state)
}

const KERNEL_THREADS = 2
const LOOKS = 20
const LOOK_MS = 1
const NOTHING = new Int32Array(new SharedArrayBuffer(4))

function valueIn(environment: string, name: string): string | null {
  const start = environment.indexOf(`\0${name}=`)
  if (start < 0) return null
  const from = start + name.length + 2
  return environment.slice(from, environment.indexOf('\0', from))
}
