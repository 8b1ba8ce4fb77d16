// One holder at a time, across processes (I16). Two things must both say "free":
//   - a kernel lock on `<path>.guard`, which the kernel releases when its holder dies, however it dies. Node has no
//     file locks of its own; an SQLite transaction that is never finished is one, and makes the race for a stale
//     lock impossible to win twice;
//   - the file `<path>`, which names the holder by pid, start time and boot id, for people and for file systems whose
//     locks do not work.
// A holder that died leaves the file behind: it is replaced by the next one. A living holder is never replaced.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive, type ProcessIdentity, parseIdentity, processIdentity } from './tree/identity.ts'

/** Null: the holder has not written its name yet. */
type LockHolder = (ProcessIdentity & { note: string }) | null

/** `note`: the purpose, for others to see. The folder of `path` must exist. */
export async function acquireLock(
  path: string,
  note: string,
): Promise<{ ok: true; lock: AsyncDisposable } | { ok: false; holder: LockHolder }> {
  // The holder of the guard writes its name at once, and lets go of the guard right after removing it, but not in the
  // same instant: hence more than one look.
  let guard = takeGuard(`${path}.guard`)
  for (let looks = 0; !guard; looks++) {
    const holder = lockHolder(path)
    if (holder || looks === LOOKS) return { ok: false, holder }
    await wait(LOOK_MS)
    guard = takeGuard(`${path}.guard`)
  }
  try {
    const holder = readHolder(path)
    // This process has the guard, so a file with its name is left of a lock that could not be removed.
    if (holder && holder.pid !== process.pid && isAlive(holder)) {
      guard.close()
      return { ok: false, holder }
    }
    const self = processIdentity(process.pid)
    if (!self) throw new Error('this process cannot find itself in the process table')
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify({ ...self, note })}\n`, { mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    guard.close()
    throw error
  }
  const held = guard
  return { ok: true, lock: { [Symbol.asyncDispose]: async () => release(path, held) } }
}

const LOOKS = 50
const LOOK_MS = 10

/** The living holder, without taking the lock. Null: none. */
export function lockHolder(path: string): LockHolder {
  const holder = readHolder(path)
  return holder && isAlive(holder) ? holder : null
}

/** Null: another process, or another part of this one, has it. */
function takeGuard(path: string): DatabaseSync | null {
  const guard = new DatabaseSync(path)
  try {
    guard.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return guard
  } catch (error) {
    guard.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw error
  }
}

/** The file first: as long as it is there, the guard is held. A file that names another process is not ours. */
function release(path: string, guard: DatabaseSync): void {
  if (!guard.isOpen) return
  try {
    const holder = readHolder(path)
    if (!holder || holder.pid === process.pid) rmSync(path, { force: true })
  } catch {
    // It names a process that is about to end: the next one replaces it.
  } finally {
    guard.close()
  }
}

const SQLITE_BUSY = 5

function readHolder(path: string): LockHolder {
  try {
    const text = readFileSync(path, 'utf8')
    const identity = parseIdentity(text)
    const { note } = JSON.parse(text) as { note?: unknown }
    return identity && { ...identity, note: typeof note === 'string' ? note : '' }
  } catch {
    return null // nobody has it, or the file is not one of ours: nothing that could be alive
  }
}
