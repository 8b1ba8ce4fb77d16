// The identity of a process. A pid is used again; a pid with its start time and its boot never is, so it can be written
// to a file and checked by another engine days later.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'

export type ProcessIdentity = {
  pid: number
  /** Clock ticks since boot on Linux, the time of `ps -o lstart` elsewhere. Only compared, never calculated with. */
  startTime: string
  bootId: string
}

/** Null: no such process, or a dead one that waits to be collected. */
export function processIdentity(pid: number): ProcessIdentity | null {
  const startTime = HAS_PROC ? startTimeOnLinux(pid) : startTimeFromPs(pid)
  return startTime === null ? null : { pid, startTime, bootId: bootId() }
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false
  const now = processIdentity(identity.pid)
  return now !== null && now.startTime === identity.startTime
}

/**
 * Processes of another PID namespace (a container, `unshare -p`) cannot be seen from here, nor told from dead ones. '':
 * there are no namespaces.
 */
export function pidNamespace(): string {
  if (!HAS_PROC) return ''
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

/** Whether a file names a process of another namespace that may live on this machine. */
export function isOfOtherNamespace(text: string): boolean {
  try {
    const { namespace, bootId: boot } = JSON.parse(text) as Record<string, unknown>
    if (typeof namespace !== 'string' || namespace === '' || boot !== bootId()) return false
    return namespace !== pidNamespace()
  } catch {
    return false
  }
}

/** Why the process table does not show this process and its children; null: it does. */
export function processTableTrouble(): string | null {
  if (!HAS_PROC) return null
  const self = existsSync('/proc/self') ? readlinkSync('/proc/self') : null
  if (self === String(process.pid)) return null
  const what = self === null ? '/proc is not mounted' : '/proc belongs to another PID namespace than this process'
  return `${what}, so agents could not be told from other processes: mount it (\`unshare --mount-proc\`, or a container with a /proc of its own)`
}

/** Null: the file is incomplete, or not one of ours. */
export function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const { pid, startTime, bootId: boot } = JSON.parse(text) as Record<string, unknown>
    if (!Number.isSafeInteger(pid) || typeof startTime !== 'string' || typeof boot !== 'string') return null
    return { pid: pid as number, startTime: normalise(startTime), bootId: normalise(boot) }
  } catch {
    return null
  }
}

export const HAS_PROC = process.platform === 'linux'

/**
 * The fields we need of /proc/PID/stat. The name before them may hold spaces and brackets, hence the last `)`. `limit`: of its
 * resident set, in bytes (mark.ts).
 */
export function parseStat(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ppid, , session] = fields
  const [startTime, , , limit = ''] = fields.slice(19, 23)
  if (!state || !ppid || !session || !startTime) return null
  return { state, ppid: Number(ppid), session: Number(session), startTime, limit }
}

/** Dead, though its parent has not collected it yet. */
export function isDeadState(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X')
}

function startTimeOnLinux(pid: number): string | null {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
    return stat && !isDeadState(stat.state) ? stat.startTime : null
  } catch {
    return null
  }
}

function startTimeFromPs(pid: number): string | null {
  try {
    const line = tool('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
    const [state, ...start] = line.split(' ')
    return state && !isDeadState(state) ? start.join(' ') : null
  } catch {
    return null // ps says 1 where there is no such process
  }
}

let knownBootId: string | undefined

function bootId(): string {
  knownBootId ??= HAS_PROC
    ? normalise(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))
    : tool('sysctl', ['-n', 'kern.bootsessionuuid'])
  return knownBootId
}

/** The time zone and the language decide how `ps` prints a date: all who compare use these. */
export const PS_ENVIRONMENT = { TZ: 'UTC', LC_ALL: 'C' }

function tool(name: string, args: string[]): string {
  return normalise(execFileSync(name, args, { encoding: 'utf8', env: { ...process.env, ...PS_ENVIRONMENT } }))
}

function normalise(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
