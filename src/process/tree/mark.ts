// A mark that every process of an attempt inherits and that none loses by accident: the soft limit of its resident
// set (`ulimit -m`). A process that clears its environment, opens a session of its own and loses its parent keeps it.
// Linux has ignored this limit since 2.4.30, lets every user set it, and shows it in /proc/PID/stat, which a scan reads
// anyway: the mark needs no privilege, no further program and no time. A PID namespace is what an ordinary user could
// have instead, inside a user namespace: there sudo has no effect, ssh refuses the system's configuration, and all
// agents get the same few process numbers, which programs use to name files in the home they share.
// Not found by it: a process that sets this limit itself. Elsewhere than on Linux there is no mark.
import { createHash } from 'node:crypto'
import { HAS_PROC } from './identity.ts'
import { allNumbers, newestPid, rowsOf } from './process-table.ts'

/** As /proc/PID/stat shows it, in bytes. Far more than any machine has, for programs that do look at the limit. */
export function markOf(token: string): string {
  return String(kibibytesOf(token) * 1024n)
}

/** Argument of `ulimit -m`; empty: there is no such thing. */
export function markArgument(token: string): string {
  return HAS_PROC ? String(kibibytesOf(token)) : ''
}

/** Whether it may be the mark of some attempt: most processes have no limit at all. */
export function isMark(limit: string): boolean {
  if (!/^\d{15,19}$/.test(limit)) return false
  const bytes = BigInt(limit)
  return bytes >= SMALLEST * 1024n && bytes < SMALLEST * 2048n && bytes % 1024n === 0n
}

/**
 * SIGKILL for all that carry it, each at the moment it is found: a process that goes on as its own child has another
 * number when a scan of the whole machine is over. So the newest are looked at again and again.
 */
export function killMarked(mark: string): void {
  if (!HAS_PROC) return
  killAmong(allNumbers().reverse(), mark)
  for (let passes = 0; passes < CHASE.passes; passes++) {
    const newest = newestPid()
    killAmong(
      Array.from({ length: CHASE.newest }, (_, index) => newest - index),
      mark,
    )
  }
}

const CHASE = { passes: 100, newest: 4 }

/** 2^49 KiB; the marks lie between this and twice as much, and in bytes below 2^60. */
const SMALLEST = 1n << 49n

function kibibytesOf(token: string): bigint {
  const digest = createHash('sha256').update(token).digest()
  return SMALLEST + (digest.readBigUInt64BE() & (SMALLEST - 1n))
}

function killAmong(pids: number[], mark: string): void {
  for (const { pid, limit } of rowsOf(pids)) {
    if (limit !== mark || pid === process.pid) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // ended meanwhile, or another user's
    }
  }
}
