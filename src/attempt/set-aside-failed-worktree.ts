// The worktree of an entry of a suite that failed, out of the pool as it was: somebody may want to look at it. The next
// attempt in that place gets a new one.
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { isRealFolder } from '../files/real-folder.ts'
import type { Slot } from '../git/slots/slot.ts'
import type { AttemptFolder } from '../workspace/state-folder.ts'

/** An entry has not failed in another way because its worktree cannot be kept. */
export async function keepWorktree(slot: Slot, folder: AttemptFolder): Promise<void> {
  if (existsSync(folder.kept) || !isRealFolder(slot.path)) return
  await rename(slot.path, folder.kept).catch(() => {})
}

/** Undoes it, where nobody heard of the end: an engine that takes the attempt up looks at the worktree once more. */
export async function takeBackWorktree(slot: Slot, folder: AttemptFolder): Promise<void> {
  if (existsSync(folder.kept) && !existsSync(slot.path)) await rename(folder.kept, slot.path)
}
