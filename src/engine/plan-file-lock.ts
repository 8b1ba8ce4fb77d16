// The lock of a plan file: `<file>.lock`, which only one process can create. Programs that write such files lock them
// in one of three ways, and all are respected: a file that only one can create, a folder of that name (proper-lockfile),
// and flock(2) on a file of that name, which a file of ours has as well.
//
// Tolerated: a holder that is stopped for longer than STALE_MS loses it, so whoever holds it looks again right before
// it writes. A lock that was broken into at the very moment somebody else took it is given back.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { type Flock, holdFlock } from '../process/flock.ts'

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
    if ((await isStale(path)) && (await breakIn(path, left))) continue
    if (left <= 0) return null
    await wait(LOOK_MS)
  }
}

const LOOK_MS = 20

/** As long as others wait, too. Ours is held for milliseconds. */
const STALE_MS = 10_000

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

/** Another one with the same name has another. */
async function identity(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  return found && `${found.ino} ${found.birthtimeNs}`
}

/** Its holder is gone, or has held it for so long that it must be. */
async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found) return false
  if (Date.now() - found.mtimeMs > STALE_MS) return true
  const holder = found.isFile() ? parsed(await readFile(path, 'utf8').catch(() => '')) : null
  return holder !== null && holder.host === hostname() && !isRunning(holder.pid)
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

/**
 * False where somebody has it with flock(2), for however long. Out of the way first, so that two who find the same one
 * stale cannot both remove one.
 */
async function breakIn(path: string, waitMs: number): Promise<boolean> {
  const stale = await identity(path)
  const flock: Flock = await holdFlock(path, waitMs)
  if (flock.status === 'busy') return false
  await using _ = flock.status === 'held' ? flock.lock : null
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await rename(path, aside)
  } catch {
    return true // somebody else was faster
  }
  const taken = await identity(aside)
  if (taken !== null && taken !== stale) await link(aside, path).catch(() => {})
  await rm(aside, { recursive: true, force: true })
  return true
}
