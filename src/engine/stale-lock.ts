// The lock of a plan file that was left behind: how it is known, and how it is broken into.
//
// Promised: of several who find the same one left behind, one removes it. A lock that somebody took in the meantime is not
// removed: where that is noticed only when it is out of the way already, it is given back.
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { type Flock, holdFlock } from '../process/flock.ts'
import { scratchName } from './scratch-name.ts'

/** The identity of a lock whose holder is gone, or has held it for so long that it must be; null where there is none such. */
export async function staleLock(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  if (!found) return null
  // Before anything else is asked: what is found out now is about this one.
  const which = `${found.ino} ${found.birthtimeNs}`
  if (Date.now() - Number(found.mtimeMs) > STALE_MS) return which
  const holder = found.isFile() ? parsed(await readFile(path, 'utf8').catch(() => '')) : null
  return holder !== null && holder.host === hostname() && !isRunning(holder.pid) ? which : null
}

/** As long as others wait, too. Ours is held for milliseconds. */
const STALE_MS = 10_000

/** Another one with the same name has another. */
export async function identity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  return found && `${found.ino} ${found.birthtimeNs}`
}

/**
 * False where somebody has it with flock(2), for however long. Out of the way first, so that two who find the same one
 * stale cannot both remove one.
 */
export async function breakIn(path: string, stale: string, waitMs: number): Promise<boolean> {
  const flock: Flock = await holdFlock(path, waitMs)
  if (flock.status === 'busy') return false
  await using _ = flock.status === 'held' ? flock.lock : null
  if ((await identity(path)) !== stale) return true // somebody else was faster
  const aside = scratchName(path)
  try {
    await rename(path, aside)
  } catch {
    return true
  }
  if ((await identity(aside)) !== stale) await giveBack(aside, path)
  await rm(aside, { recursive: true, force: true })
  return true
}

/** To whoever holds it; a file only where nobody has made a new one, who is the holder then. A folder has no other way. */
export async function giveBack(aside: string, path: string): Promise<void> {
  try {
    if ((await stat(aside)).isDirectory()) await rename(aside, path)
    else await link(aside, path)
  } catch {
    // There is a new one: the holder of this one sees that it is lost.
  }
}

function parsed(text: string): { pid: number; host: unknown } | null {
  try {
    const { pid, host } = JSON.parse(text) as { pid?: unknown; host?: unknown }
    return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 ? { pid, host } : null
  } catch {
    return null // somebody else's way of locking
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
