// The lock of a plan file, `<file>.lock`. Promised: of several who find one left behind, one removes it; one that
// somebody took meanwhile is not removed, or given back.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isLockedByOthers } from '../../files/locked-by-others.ts'

/** The identity of a lock whose holder is gone, or has it for too long; null: none such, or a kernel lock is on it. */
export async function staleLock(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  if (!found || (await isLockedByOthers(path))) return null
  // Before anything else is asked: what is found out now is about this one.
  const which = `${found.ino} ${found.birthtimeNs}`
  if (Date.now() - Number(found.mtimeMs) > STALE_MS) return which
  const holder = found.isFile() ? parsed(await readFile(path, 'utf8').catch(() => '')) : null
  return holder !== null && holder.host === hostname() && !isRunning(holder.pid) ? which : null
}

const STALE_MS = 10_000

export async function identity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  return found && `${found.ino} ${found.birthtimeNs}`
}

/** Out of the way first, so that two who find the same one stale cannot both remove one. */
export async function breakIn(path: string, stale: string): Promise<void> {
  if ((await identity(path)) !== stale) return // somebody else was faster
  const aside = scratchName(path)
  try {
    await rename(path, aside)
  } catch {
    return
  }
  if ((await identity(aside)) !== stale) await giveBack(aside, path)
  await rm(aside, { recursive: true, force: true })
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

// Programs lock such files by a file that only one can create, by a folder of that name (proper-lockfile), or by flock(2)
// on one. The first two exclude each other and ours. Those with flock are waited for, but do not wait for ours.
// Tolerated: a holder that is stopped for long loses it; so whoever holds it looks again right before it writes.

export type PlanFileLock = AsyncDisposable & {
  /** False where somebody took it for one that was left behind, or has a kernel lock on it. */
  isHeld(): Promise<boolean>
}

/** Null where somebody else still has it after `waitMs`. Rejects where nothing can be written there. */
export async function lockPlanFile(
  file: string,
  kind: 'file' | 'folder',
  waitMs: number,
): Promise<PlanFileLock | null> {
  const path = `${file}.lock`
  const end = performance.now() + waitMs
  for (let breaks = 0; ; ) {
    const made = await create(path, kind)
    if (made) return made
    const stale = await staleLock(path)
    if (stale !== null && breaks++ < MAX_BREAKS) await breakIn(path, stale)
    else if (performance.now() >= end) return null
    else await wait(LOOK_MS)
  }
}

const LOOK_MS = 20
const MAX_BREAKS = 10

async function create(path: string, kind: 'file' | 'folder'): Promise<PlanFileLock | null> {
  try {
    if (kind === 'folder') await mkdir(path)
    else await createFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  }
  const mine = await identity(path)
  const isMine = async () => mine !== null && (await identity(path)) === mine
  return {
    isHeld: async () => (await isMine()) && !(await isLockedByOthers(path)),
    [Symbol.asyncDispose]: async () => {
      if (!(await isMine())) return
      // Whoever has a kernel lock on it by now keeps it, and it is as free afterwards as if they had left it.
      if (await isLockedByOthers(path)) await utimes(path, 0, 0)
      else await rm(path, { recursive: true, force: true })
    },
  }
}

async function createFile(path: string): Promise<void> {
  await using handle = await open(path, 'wx')
  try {
    await handle.writeFile(`${JSON.stringify({ pid: process.pid, host: hostname() })}\n`)
  } catch (error) {
    await rm(path, { force: true }) // on a full disk there is room for its name only
    throw error
  }
}

// What stands beside a file while it is changed is named so that the next one knows what a killed process left.

/** `plan.json.espalier-0123456789ab.tmp`. Another one each time: whoever lost the lock must not meet the next holder's. */
export function scratchName(path: string): string {
  return `${path}.espalier-${randomBytes(6).toString('hex')}.tmp`
}

/** For whoever has the lock of the file: nobody else is in the middle of something then. */
export async function clearScratch(file: string): Promise<void> {
  const folder = dirname(file)
  const mine = [basename(file), `${basename(file)}.lock`]
  const names = await readdir(folder).catch(() => []) // whoever may write there need not be allowed to list it
  const found = names.filter((name) => mine.includes(name.replace(SCRATCH, '')) && SCRATCH.test(name))
  for (const name of found) await rm(join(folder, name), { recursive: true, force: true })
}

const SCRATCH = /\.espalier-[0-9a-f]{12}\.tmp$/
