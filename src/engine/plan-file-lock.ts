// The lock of a plan file: `<file>.lock`, which only one process can create. Programs that write such files lock them
// in one of three ways, and all are respected: a file that only one can create, a folder of that name (proper-lockfile),
// and flock(2) on a file of that name, which a file of ours has as well.
//
// Tolerated: a holder that is stopped for long loses it (see stale-lock.ts), so whoever holds it looks again right before
// it writes.
import { mkdir, open, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { type Flock, holdFlock } from '../process/flock.ts'
import { breakIn, identity, staleLock } from './stale-lock.ts'

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
