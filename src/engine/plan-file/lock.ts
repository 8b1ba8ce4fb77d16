// The lock of a plan file that was left behind: how it is known, and how it is broken into.
//
// Promised: of several who find the same one left behind, one removes it. A lock that somebody took in the meantime is not
// removed: where that is noticed only when it is out of the way already, it is given back.

import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Flock, holdFlock } from '../../process/flock.ts'

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

// The lock of a plan file: `<file>.lock`, which only one process can create. Programs that write such files lock them
// in one of three ways, and all are respected: a file that only one can create, a folder of that name (proper-lockfile),
// and flock(2) on a file of that name, which a file of ours has as well.
//
// Tolerated: a holder that is stopped for long loses it (see lock.ts), so whoever holds it looks again right before
// it writes.

export type PlanFileLock = AsyncDisposable & {
  /** False where somebody took it for one that was left behind. */
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
  for (;;) {
    const left = end - performance.now()
    const made = await create(path, kind, left)
    if (made) return made
    const stale = await staleLock(path)
    if (stale !== null && (await breakIn(path, stale, left))) continue
    if (left <= 0) return null
    await wait(LOOK_MS)
  }
}

const LOOK_MS = 20

async function create(path: string, kind: 'file' | 'folder', waitMs: number): Promise<PlanFileLock | null> {
  try {
    if (kind === 'folder') await mkdir(path)
    else await createFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  }
  const mine = await identity(path)
  const isHeld = async () => mine !== null && (await identity(path)) === mine
  const remove = async () => {
    if (await isHeld()) await rm(path, { recursive: true, force: true })
  }
  const flock: Flock = kind === 'file' ? await holdFlock(path, waitMs) : { status: 'missing' }
  if (flock.status === 'busy') {
    await remove()
    return null
  }
  return {
    isHeld,
    [Symbol.asyncDispose]: async () => {
      await remove()
      if (flock.status === 'held') await flock.lock[Symbol.asyncDispose]()
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

// The names of what stands beside a file of the user's while it is changed: they say whose it is, and a process that was
// killed in the middle leaves something behind that the next one knows and clears away.

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
