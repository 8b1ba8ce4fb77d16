// Worktrees whose work git could not keep: moved out of the pool as they are, so that the next attempt cannot reset
// them (I10), and never cleaned up unless that is forced.
import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isRealFolder } from '../files/real-folder.ts'
import { slotOf } from '../git/slots/slot.ts'
import { attemptFolder, type StateFolder } from '../workspace/folder.ts'
import type { AttemptSpec } from './order.ts'

/** Where its files are now; null if they are gone. */
export async function setAside({ engine, slot, folder }: AttemptSpec): Promise<string | null> {
  if (existsSync(folder.aside)) return folder.aside // and what stands in its place now is not this attempt's
  const { path } = slotOf(engine, slot)
  if (!(await isRealFolder(path))) return null
  await rename(path, folder.aside)
  return folder.aside
}

/**
 * Undoes it, for another look at the work: nobody noted that it was set aside, because the engine was killed or the
 * disk was full, and git may be able to keep it now.
 */
export async function bringBack({ engine, slot, folder }: AttemptSpec): Promise<void> {
  const { path } = slotOf(engine, slot)
  if (existsSync(folder.aside) && !existsSync(path)) await rename(folder.aside, path)
}

export async function listSetAside(folder: StateFolder, run: string): Promise<string[]> {
  const found: string[] = []
  for (const task of await readdir(join(folder.runs, run)).catch(() => []))
    for (const attempt of await readdir(join(folder.runs, run, task)).catch(() => [])) {
      const { aside } = attemptFolder(folder, run, task, Number(attempt))
      if (existsSync(aside)) found.push(aside)
    }
  return found
}
